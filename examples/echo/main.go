// Command echo is a TCP server that sends back the bytes it receives: echo [ADDRESS].
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopnet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	address := cmp.Or(append(os.Args, "")[1], "127.0.0.1:7777")
	if err := serve(ctx, address, func(address string) { fmt.Println("listening on", address) }); ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs until ctx ends. It calls started with the address that it listens on.
func serve(ctx context.Context, address string, started func(string)) error {
	loop := eventloop.New()
	listener, err := loopnet.Listen(loop, "tcp", address, echo)
	if err != nil {
		return err
	}
	started(listener.Addr().String())
	return loop.Run(ctx)
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
