// Command room is a chat room on a TCP port: what a client says in a line, all others get. It is called as room [ADDRESS].
package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopnet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	l, err := net.Listen("tcp", cmp.Or(append(os.Args, "")[1], "127.0.0.1:7777"))
	if err == nil {
		fmt.Println("listening on", l.Addr())
		err = serve(ctx, l, nil)
	}
	if ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs a room until ctx ends. It speaks TLS if there is a configuration.
func serve(ctx context.Context, l net.Listener, config *tls.Config) (err error) {
	loop := eventloop.New()
	r := room{}
	if config != nil {
		_, err = loopnet.ServeTLS(loop, l, config, r.join)
	} else {
		_, err = loopnet.Serve(loop, l, r.join)
	}
	if err != nil {
		return err
	}
	return loop.Run(ctx)
}

var errSlow = errors.New("room: the client does not keep up")

// A room is the clients that are there. Only callbacks of one loop touch it, so it needs no lock.
type room map[*loopnet.Conn]bool

func (r room) join(c *loopnet.Conn) {
	r[c] = true
	c.OnLines(1000, func(line []byte) { r.say(c, line) })
	c.OnShutdown(func() { c.Write([]byte("the room closes\n")); c.End() })
	c.OnClose(func(error) { delete(r, c) })
}

// say sends a line to everybody else. All share one copy, and all lines of a turn leave in one system call for each client.
func (r room) say(from *loopnet.Conn, line []byte) {
	message := fmt.Appendln(nil, string(line))
	for c := range r {
		if c != from && !c.WriteShared(message) {
			c.Fail(errSlow)
		}
	}
}
