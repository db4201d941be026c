package promise

import (
	"context"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// FromContext returns a promise that rejects with the cause of ctx when that ends, and is never fulfilled. It does not
// keep a loop with [eventloop.WithAutoExit] open. With [Race] it puts a limit on another promise.
//
// Stop, as that of [context.AfterFunc], lets ctx forget the promise, which then stays pending; it reports whether ctx
// had not ended before. Call it when done, or what the promise has attached is kept until ctx ends. A promise that has
// nothing attached is not kept.
func FromContext[T any](ctx context.Context, loop *eventloop.Loop) (p *Promise[T], stop func() bool) {
	t := &tie[T]{}
	r := newTied(coreOf(loop), t)
	stop = sched.AfterContext(ctx, func() {
		if r := t.get(); r != nil {
			Resolver[T]{r}.Reject(context.Cause(ctx))
		}
	})
	return &r.Promise, stop
}

// Context returns a context, derived from parent, that ends when p is settled: with [ErrFulfilled] as its cause, or
// the error that p rejected with. If the loop ends while p is pending, the cause is [eventloop.ErrLoopTerminated].
//
// cancel ends it early, and lets go of p; call it when done, as with [context.WithCancel]. It handles a rejection.
func Context[T any](parent context.Context, p *Promise[T]) (ctx context.Context, cancel context.CancelFunc) {
	p.home()
	ctx, end := context.WithCancelCause(parent)
	c := &canceller[T]{p: weak.Make(p), cancel: end}
	c.job = c
	sched.AfterContext(ctx, func() { c.gone.Store(true) })
	p.attachAbandonable(&c.node)
	onEnd(p.loop, &cancellerEnd[T]{weak.Make(c)})
	return ctx, func() {
		c.gone.Store(true)
		end(nil)
	}
}

// A canceller is the reaction that ends a context. The context keeps it, so it must not keep the promise.
type canceller[T any] struct {
	node
	p      weak.Pointer[Promise[T]]
	cancel context.CancelCauseFunc
	gone   sched.Bool // the context has ended
}

func (c *canceller[T]) Run() {
	p := from[T](&c.node)
	c.job = nil
	if r := p.outcome(); r != nil {
		c.cancel(r.err)
		return
	}
	c.cancel(ErrFulfilled)
}

func (c *canceller[T]) abandoned() bool { return c.gone.Load() }

// A cancellerEnd ends the context of a canceller, which is kept by the context and by the promise, when the loop ends.
type cancellerEnd[T any] struct{ c weak.Pointer[canceller[T]] }

func (e *cancellerEnd[T]) end() {
	c := e.c.Value()
	if c == nil {
		return
	}
	err := error(eventloop.ErrLoopTerminated)
	if p := c.p.Value(); p != nil {
		if r, ok := p.Result(); ok {
			if err = r.Err; err == nil {
				err = ErrFulfilled
			}
		}
	}
	c.cancel(err)
}

func (e *cancellerEnd[T]) over() bool {
	c := e.c.Value()
	return c == nil || c.gone.Load()
}
