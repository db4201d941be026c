package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/blocking"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Promisify runs fn on a goroutine of its own, where it may block, and returns the promise of its outcome. A panic
// rejects it with a [*eventloop.PanicError]; so does [runtime.Goexit].
//
// The context that fn gets ends when ctx ends, when fn has returned, or, with the cause [eventloop.ErrLoopTerminated],
// when the loop has ended. The promise waits for fn to return, whatever ctx does, with one exception: a shutdown does
// not wait for fn. When the loop ends first, the promise rejects with ErrLoopTerminated, and what fn returns later is
// dropped. To have the result handled before the loop ends, await the promise before calling Shutdown.
//
// For each loop at most 1,024 functions run at the same time, or as many as [eventloop.WithBlockingLimit] says; the others
// are queued in the order of the calls. If ctx ends while fn is queued, fn is not called, and the promise rejects with an
// error that matches the error of ctx and its cause. [Blocking] tells how many run and how many are queued. A function that
// waits for others of the same loop takes one of the places: with a low limit such functions wait for each other for ever.
//
// A loop with [eventloop.WithAutoExit] stays open until fn has returned. If the loop no longer accepts work, fn is
// not called, and the promise rejects with ErrLoopTerminated.
func Promisify[T any](ctx context.Context, loop *eventloop.Loop, fn func(context.Context) (T, error)) *Promise[T] {
	p, r := WithResolvers[T](loop)
	alive, err := loop.KeepAlive()
	if err != nil {
		r.Reject(err)
		return p
	}
	ctx, cancel := context.WithCancelCause(ctx)
	forget := sched.AfterContext(loop.Context(), func() {
		r.Reject(eventloop.ErrLoopTerminated)
		cancel(eventloop.ErrLoopTerminated)
	})
	pool, task := p.loop.Loop.Blocking(), new(blocking.Task)
	done := func() {
		_ = alive.Release() // after the outcome is queued, or the loop might end in between
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
		sched.AfterContext(ctx, func() {
			if pool.Cancel(task) {
				r.Reject(inside.ContextError(ctx))
				done()
			}
		})
	}
	return p
}

// Blocking tells how many functions of [Promisify] run for the loop, and how many are queued.
func Blocking(loop *eventloop.Loop) (running, queued int) { return inside.Of(loop).Blocking().Depth() }
