package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/blocking"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// Promisify runs fn on a goroutine of its own, where it may block, and returns the promise of its outcome. A panic
// rejects it with a [*eventloop.PanicError]; so does [runtime.Goexit].
//
// The context passed to fn ends when ctx ends and when fn has returned. It also ends, with the cause
// [eventloop.ErrLoopTerminated], when the loop has ended. The promise waits for fn to return even if ctx ends. As an
// exception, a shutdown does not wait for fn. If the loop ends first, the promise rejects with ErrLoopTerminated, and
// a later result of fn is dropped. Await the promise before calling Shutdown if its result must be handled.
//
// Each loop runs at most 1,024 functions at the same time, or the number set by [WithBlockingLimit]. The others queue
// in the order of the calls. If ctx ends while fn is queued, fn is not called, and the promise rejects with an error
// that matches the error of ctx and its cause. [github.com/eventloop-go/eventloop/inspect.BlockingCalls] reports how
// many run and how many are queued. A function that waits for others of the same loop takes one of the places. With a
// low limit, such functions can deadlock.
//
// A loop with [eventloop.WithAutoExit] stays open until fn has returned. If the loop no longer accepts work, fn is
// not called, and the promise rejects with ErrLoopTerminated.
func Promisify[T any](ctx context.Context, loop *eventloop.Loop, fn func(context.Context) (T, error)) *Promise[T] {
	p, r := WithResolvers[T](loop)
	alive, err := p.loop.Loop.KeepAlive()
	if err != nil {
		r.Reject(err)
		return p
	}
	ctx, cancel := context.WithCancelCause(ctx)
	forget := p.loop.Loop.AfterContext(p.loop.Loop.Context(), func() {
		r.Reject(eventloop.ErrLoopTerminated)
		cancel(eventloop.ErrLoopTerminated)
	})
	pool, task := p.loop.Loop.Blocking(), new(blocking.Task)
	done := func() {
		alive.Release() // after the outcome is queued, or the loop might end in between
		forget()
		cancel(nil)
	}
	queued := pool.Go(task, func() {
		returned := false
		defer func() {
			if !returned {
				r.Reject(failure(recover()))
			}
			done()
		}()
		v, err := fn(ctx)
		returned = true
		if err != nil {
			r.Reject(err)
		} else {
			r.Resolve(v)
		}
	})
	if queued {
		p.loop.Loop.AfterContext(ctx, func() {
			if pool.Cancel(task) {
				r.Reject(inside.ContextError(ctx))
				done()
			}
		})
	}
	return p
}

// WithBlockingLimit sets how many functions [Promisify] runs for the loop at the same time; the others are queued.
// The default is 1,024, which a limit below one asks for too.
func WithBlockingLimit(n int) eventloop.Option {
	return inside.Option(func(d inside.Diagnosis) { d.Blocking().Limit = n }).(eventloop.Option)
}
