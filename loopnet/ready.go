package loopnet

import (
	"syscall"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// Ready returns a promise that is fulfilled as soon as conn is ready for one of the events, with the events for which
// it is ready. It rejects with the error of [eventloop.Loop.Watch]. It must be called on the loop.
func Ready(loop *eventloop.Loop, conn syscall.Conn, events eventloop.IOEvents) *promise.Promise[eventloop.IOEvents] {
	p, r := promise.WithResolvers[eventloop.IOEvents](loop)
	var w *eventloop.Watch
	w, err := loop.Watch(conn, events, func(e eventloop.IOEvents) {
		_ = w.Close()
		r.Resolve(e)
	})
	if err != nil {
		r.Reject(err)
	}
	return p
}
