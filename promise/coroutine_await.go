package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Await suspends the coroutine until p is settled, and returns the outcome. It takes one microtask, also if p is settled
// already, and allocates nothing; docs/results/linux-amd64/README.md has its time beside Node's await, from
// docs/results/linux-amd64/await.txt. Other callbacks of the loop run meanwhile. It handles a rejection. The promise may
// belong to another loop: see [On].
//
// Await returns p's error or one of these: [ErrNilPromise]; [eventloop.ErrLoopTerminated] once the loop has ended;
// once the coroutine's context has ended, one that matches that context's error and its cause. A p that is pending
// then stays pending.
//
// Await panics if anything but the running function of c calls it: another callback, another coroutine, or code after
// that function has returned. Another goroutine that calls it while c runs is a data race; with the race detector on,
// it panics too. A generator of [iter.Pull] may call Await for the coroutine that pulls it.
func Await[T any](c *Coroutine, p *Promise[T]) (T, error) {
	if !c.co.Running() {
		panic("promise: Await called from outside its coroutine")
	}
	var zero T
	if p == nil {
		return zero, ErrNilPromise
	}
	if p.loop != c.loop {
		p = on(c.loop, p)
	}
	if err := c.ended(); err != nil {
		p.attachAbandonable(&newSuspension(c, true).node)
		return zero, err
	}
	w := c.wait
	w.job = w
	if p.push(&w.node, true) {
		p.loop.Enqueue(p.bind(&w.node))
	}
	c.waiting = true
	c.co.Suspend()
	if w.gone.Load() { // it may stay attached to p
		c.wait = newSuspension(c, false)
		if r, ok := p.settledResult(); ok {
			return r.Value, r.Err
		}
		return zero, c.ended()
	}
	if r := p.outcome(); r != nil {
		return zero, r.err
	}
	return p.value, nil
}

// ended returns why the coroutine must not wait any more, or nil.
func (c *Coroutine) ended() error {
	if !c.loop.Coroutines.IsOpen() {
		return eventloop.ErrLoopTerminated
	}
	if c.forget != nil && c.ctx.Err() != nil {
		return inside.ContextError(c.ctx)
	}
	return nil
}

// A suspension is the reaction that resumes a coroutine. When it has run, it serves the next Await. Interrupted, it is
// left behind.
type suspension struct {
	node
	c    *Coroutine
	gone sched.Bool // the coroutine does not wait for it any more; the loop sets it
}

func newSuspension(c *Coroutine, gone bool) *suspension {
	w := &suspension{c: c}
	w.job = w
	w.gone.Store(gone)
	return w
}

func (w *suspension) Run() {
	w.job = nil
	if !w.gone.Load() {
		w.c.resume()
	}
}

func (w *suspension) abandoned() bool { return w.gone.Load() }

func (c *Coroutine) resume() {
	c.waiting = false
	c.co.Resume()
	c.switched()
}

// interrupt resumes a coroutine that waits for a pending promise.
func (c *Coroutine) interrupt() {
	w := c.wait
	w.gone.Store(true)
	w.c = nil // keeping the promise does not keep the coroutine
	c.resume()
}

// cancel is called on another goroutine when the context has ended.
func (c *Coroutine) cancel() {
	_ = c.loop.EnqueueJob((*cancellation)(c)) // refused when the loop has ended: then it is unwound
}

// A cancellation is the microtask that interrupts a coroutine whose context has ended.
type cancellation Coroutine

func (x *cancellation) Run() {
	if c := (*Coroutine)(x); c.waiting {
		c.interrupt()
	}
}
