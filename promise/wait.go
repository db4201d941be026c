package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Wait waits until the promise is settled and returns the outcome. It is for goroutines other than the loop's: there,
// it returns [eventloop.ErrOnLoop] if the promise is pending, instead of waiting for itself. The outcome of a settled
// promise is returned at once, anywhere.
//
// If ctx ends first, the error matches that of ctx and its cause; if the loop ends first, it is
// [eventloop.ErrLoopTerminated]. So Wait does not outlast the loop. It waits for a loop that is not running yet.
//
// Wait handles a rejection. While the loop runs, Wait also walks the caller's stack to find out
// whether it is called on the loop. That takes some microseconds. docs/results/linux-amd64/busy.txt has its time beside
// goroutines that compute.
//
// Inside a coroutine, which is on the loop, use the function [Await].
func (p *Promise[T]) Wait(ctx context.Context) (T, error) {
	if r, ok := p.settledResult(); ok {
		return r.Value, r.Err
	}
	var zero T
	waiters := &p.loop.Waiters
	w := waiters.Begin()
	if w == nil {
		return p.waited(eventloop.ErrLoopTerminated)
	}
	r := &waiter{wake: w}
	r.job = r
	p.attachAbandonable(&r.node) // first, or a rejection might be reported as unhandled meanwhile
	ctx, release, err := p.loop.Loop.MayWait(ctx)
	if err != nil {
		r.gone.Store(true)
		waiters.End(w, false)
		return zero, err
	}
	if release != nil {
		defer release()
	}
	if !w.Wait(ctx.Done()) {
		r.gone.Store(true)
		waiters.End(w, false)
		return p.waited(inside.ContextError(ctx))
	}
	// p is settled, and its settler does not use the reaction any more; or the loop has ended.
	v, err := p.waited(eventloop.ErrLoopTerminated)
	waiters.End(w, true)
	return v, err
}

// waited returns the outcome, or err while p is pending.
func (p *Promise[T]) waited(err error) (T, error) {
	if r, ok := p.Result(); ok {
		return r.Value, r.Err
	}
	var zero T
	return zero, err
}

// A waiter is the reaction that wakes a goroutine.
type waiter struct {
	node
	wake *inside.Waiter
	gone sched.Bool // the goroutine has stopped waiting
}

func (w *waiter) Run() {
	w.job = nil
	w.wake.Wake()
}

func (w *waiter) abandoned() bool { return w.gone.Load() }
