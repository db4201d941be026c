package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Await waits until the promise is settled and returns the outcome. It is for goroutines other than the loop's: there,
// it returns [eventloop.ErrOnLoop] at once if the promise is pending, instead of waiting for itself. A promise that is
// settled is told at once, anywhere.
//
// If ctx ends first, Await returns its cause; if the loop ends first, [eventloop.ErrLoopTerminated]. So it does not
// outlast the loop. It waits for a loop that is not running yet.
//
// Await handles a rejection. The look whether the caller is the loop costs about a microsecond.
func (p *Promise[T]) Await(ctx context.Context) (T, error) {
	if r, ok := p.settledResult(); ok {
		return r.Value, r.Err
	}
	var zero T
	if p.loop.OnLoop() {
		return zero, eventloop.ErrOnLoop
	}
	w := &waiter{done: make(chan struct{})}
	w.job = w
	p.attachAbandonable(&w.node)
	var err error
	switch sched.WaitAny(w.done, ctx.Done(), p.loop.Done()) {
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

func (w *waiter) Run() {
	w.job = nil
	sched.Close(w.done)
}

func (w *waiter) abandoned() bool { return w.gone.Load() }
