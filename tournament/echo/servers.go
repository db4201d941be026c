package echo

import (
	"context"
	"net"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopnet"
)

// A server listens on a free port of the loopback interface, calls started with its address, and serves for ever.
type server struct {
	name  string
	serve func(started func(address string)) error
}

var servers = []server{
	{"Loop", serveLoop},
	{"Goroutines", func(started func(string)) error { return serveGoroutines(64, started) }},
	{"Goroutines4K", func(started func(string)) error { return serveGoroutines(4096, started) }},
}

func serveLoop(started func(string)) error {
	loop := eventloop.New()
	l, err := loopnet.Listen(loop, "tcp", "127.0.0.1:0", func(c *loopnet.Conn) {
		c.OnData(func(p []byte) {
			if !c.Write(p) {
				c.Pause()
			}
		})
		c.OnDrain(c.Resume)
	})
	if err != nil {
		return err
	}
	started(l.Addr().String())
	return loop.Run(context.Background())
}

// serveGoroutines has a goroutine with a buffer of so many bytes for each connection.
func serveGoroutines(buffer int, started func(string)) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	started(l.Addr().String())
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			buf := make([]byte, buffer)
			for {
				n, err := c.Read(buf)
				if err != nil {
					return
				}
				if _, err := c.Write(buf[:n]); err != nil {
					return
				}
			}
		}()
	}
}
