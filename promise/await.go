package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// settleYields is how often a goroutine lets others run before it finds out whether it is the loop itself.
const settleYields = 8

// Await waits until the promise is settled and returns the outcome. It is for goroutines other than the loop's: there,
// it returns [eventloop.ErrOnLoop] if the promise is pending, instead of waiting for itself. A promise that is
// settled is told at once, anywhere.
//
// If ctx ends first, Await returns its cause; if the loop ends first, [eventloop.ErrLoopTerminated]. So it does not
// outlast the loop. It waits for a loop that is not running yet.
//
// Await handles a rejection. docs/benchmarks.md sets its time beside that of [eventloop.Loop.Submit] and a channel, at
// several depths of the caller's stack, as measured in docs/results/linux-amd64/depth.txt: it allocates nothing if the loop
// settles the promise soon. Otherwise the caller also finds out once whether it is on the loop, which costs what
// [eventloop.Loop.OnLoop] costs, while it waits anyway.
//
// Inside a coroutine, which is on the loop, use the function [Await].
func (p *Promise[T]) Await(ctx context.Context) (T, error) {
	if r, ok := p.settledResult(); ok {
		return r.Value, r.Err
	}
	var zero T
	var w *waiter
	if !p.touch() { // before anything else, or a rejection might be reported meanwhile
		w = newWaiter()
		p.attachAbandonable(&w.node)
	}
	for range settleYields {
		sched.Yield()
		if r, ok := p.Result(); ok {
			return r.Value, r.Err
		}
	}
	if public(p.loop).OnLoop() {
		if w != nil {
			w.gone.Store(true)
		}
		return zero, eventloop.ErrOnLoop
	}
	if w == nil {
		w = newWaiter()
		p.attachAbandonable(&w.node)
	}
	var err error
	switch sched.WaitAny(w.done, ctx.Done(), public(p.loop).Done()) {
	case 1:
		w.gone.Store(true)
		err = context.Cause(ctx)
	case 2:
		// The reaction does not run any more, but somebody may have settled the promise.
		w.gone.Store(true)
		err = eventloop.ErrLoopTerminated
	}
	if r, ok := p.Result(); ok {
		return r.Value, r.Err
	}
	return zero, err
}

// A waiter wakes a goroutine.
type waiter struct {
	node
	done chan struct{}
	gone sched.Bool // nobody waits any more
}

func newWaiter() *waiter {
	w := &waiter{done: make(chan struct{})}
	w.job = w
	return w
}

func (w *waiter) Run() {
	w.job = nil
	sched.Close(w.done)
}

func (w *waiter) abandoned() bool { return w.gone.Load() }
