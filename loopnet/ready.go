package loopnet

import (
	"syscall"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// Ready returns a promise that is fulfilled, with what conn is ready for, as soon as it is ready for one of the events. It
// rejects with the error of [eventloop.Loop.Watch]. It is to be called on the loop.
func Ready(loop *eventloop.Loop, conn syscall.Conn, events eventloop.IOEvents) *promise.Promise[eventloop.IOEvents] {
	return promise.New(loop, func(r promise.Resolver[eventloop.IOEvents]) {
		var w *eventloop.Watch
		w, err := loop.Watch(conn, events, func(e eventloop.IOEvents) {
			_ = w.Close()
			r.Resolve(e)
		})
		if err != nil {
			r.Reject(err)
		}
	})
}
