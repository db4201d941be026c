package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// FromContext returns a promise that rejects with the cause of ctx when that ends, and is never fulfilled. ctx keeps
// the promise until then. It does not keep a loop with [eventloop.WithAutoExit] open.
//
// With [Race] it puts a limit on another promise.
func FromContext[T any](ctx context.Context, loop *eventloop.Loop) *Promise[T] {
	p, r := WithResolvers[T](loop)
	sched.AfterContext(ctx, func() { r.Reject(context.Cause(ctx)) })
	return p
}

// Context returns a context, derived from parent, that ends when p is settled: with [ErrFulfilled] as its cause, or
// the error that p rejected with. If the loop ends while p is pending, the cause is [eventloop.ErrLoopTerminated].
//
// cancel ends it early, and lets go of p; call it when done, as with [context.WithCancel]. It handles a rejection.
func Context[T any](parent context.Context, p *Promise[T]) (ctx context.Context, cancel context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	c := &ender[T]{p: p, end: end}
	c.job = c
	forget := sched.AfterContext(p.loop.Context(), c.react)
	sched.AfterContext(ctx, func() {
		c.gone.Store(true)
		forget()
	})
	p.attachDetachable(&c.node)
	return ctx, func() {
		c.gone.Store(true)
		end(nil)
	}
}

type ender[T any] struct {
	node
	p     *Promise[T]
	end   context.CancelCauseFunc
	above room
	gone  sched.Bool
}

// react runs when the promise is settled, or its loop has ended.
func (c *ender[T]) react() {
	switch r, ok := c.p.Result(); {
	case !ok:
		c.end(eventloop.ErrLoopTerminated)
	case r.Err != nil:
		c.end(r.Err)
	default:
		c.end(ErrFulfilled)
	}
}

func (c *ender[T]) home() *eventloop.Loop { return c.p.loop }
func (c *ender[T]) room() *room           { return &c.above }
func (c *ender[T]) abandoned() bool       { return c.gone.Load() }
