package cookbook

import (
	"context"
	"fmt"
	"net"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/loopnet"
)

// receive calls have with the bytes received. Call it on the loop.
func receive(loop *eventloop.Loop, conn *net.TCPConn, have func([]byte)) error {
	buf := make([]byte, 4096)
	var w *eventloop.Watch
	w, err := loop.Watch(conn, eventloop.EventRead, func(eventloop.IOEvents) {
		n, err := conn.Read(buf) // does not block: there is something, or the end
		if err != nil {
			_ = w.Close()
			_ = conn.Close()
			return
		}
		have(buf[:n])
	})
	return err
}

// echo sends back the bytes it receives. It pauses reading while the other side does not read.
func echo(c *loopnet.Conn) {
	c.OnData(func(p []byte) {
		if !c.Write(p) {
			c.Pause()
		}
	})
	c.OnDrain(c.Resume)
}

// mainLoop is that of a program which has events of its own.
func mainLoop(driver *adapter.Driver, events <-chan string, handle func(string)) error {
	for {
		select {
		case <-driver.Ready():
			if _, err := driver.RunReady(); err != nil {
				return err
			}
		case event, ok := <-events:
			if !ok {
				return driver.Close()
			}
			handle(event)
		}
	}
}

func Example_readiness() {
	loop := eventloop.New()
	driver, err := adapter.Drive(loop)
	check(err)
	listener, err := loopnet.Listen(loop, "tcp", "127.0.0.1:0", echo)
	check(err)
	conn, err := net.Dial("tcp", listener.Addr().String())
	check(err)

	events := make(chan string, 1)
	check(loop.Submit(func() {
		check(receive(loop, conn.(*net.TCPConn), func(p []byte) {
			fmt.Printf("%s came back\n", p)
			check(loop.Submit(func() { close(events) }))
		}))
	}))
	events <- "hello"
	check(mainLoop(driver, events, func(event string) {
		_, err := fmt.Fprint(conn, event)
		check(err)
	}))
	_, ended := driver.RunReady()
	fmt.Println(ended == eventloop.ErrLoopTerminated, adapter.Of(loop).Context().Err() == context.Canceled)
	// Output:
	// hello came back
	// true true
}
