package eventloop

import (
	"context"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// Do runs fn on the loop and waits until it has returned. Inside a callback it calls fn at once, inline.
//
// If ctx has ended, or ends first, Do returns an error that matches the error of ctx and its cause. fn does not start any
// more; if it is already running, it goes on while Do returns. If fn panics, Do returns the [*PanicError], and the
// panic handler is not called.
//
// In a generator of [iter.Pull] that the loop pulls, Do returns [ErrOnLoop]; see there.
//
// Before Run, Do waits for Run or for ctx; if ctx ends first, the error matches [ErrLoopNotRunning] too. Other errors:
// [ErrLoopTerminated] if the loop does not run fn any more, [ErrQueueFull] under [WithQueueLimit], [ErrInvalid].
//
// While the loop sleeps, Do costs a little more than a call through a channel. While the loop runs, it also walks the
// caller's stack to find out whether it is called on the loop. That takes some microseconds (BenchmarkOnLoop).
// docs/results/linux-amd64/busy.txt has its time beside goroutines that compute.
func (l *Loop) Do(ctx context.Context, fn func()) error {
	if fn == nil {
		return inside.ErrNilCallback
	}
	if ctx.Err() != nil {
		return inside.ContextError(ctx)
	}
	ctx, release, err := view{l}.MayWait(ctx)
	if err != nil {
		return capturePanic(fn)
	}
	if release != nil {
		defer release()
	}
	w := l.core.Waiters.Begin()
	if w == nil {
		return ErrLoopTerminated
	}
	c := l.newCall(fn, w)
	if err := l.submit(meter.External, stateRunning, l.bound, c.task); err != nil {
		l.core.Waiters.End(w, true)
		return l.finishCall(c, err)
	}
	woken := w.Wait(ctx.Done())
	returned := c.state.Load() == callReturned
	l.core.Waiters.End(w, woken && returned)
	switch {
	case returned:
		return l.finishCall(c, c.err)
	case woken: // by the end of the loop
		c.abandon()
		return ErrLoopTerminated
	default:
		c.abandon()
		return l.waitError(ctx)
	}
}

// A call is a function that a goroutine waits for. Its state decides, by compare-and-swap, between the loop that starts it and the
// goroutine that gives it up. The loop does not touch a call that has returned. So that is used again, as one that was refused is.
type call struct {
	fn    func() // the winner's: the loop calls it, or the waiter forgets it
	state sched.Uint32
	wake  *inside.Waiter
	task  func() // run, made once
	err   error  // set before the state is callReturned
}

// newCall takes the loop's spare call, or makes one.
func (l *Loop) newCall(fn func(), w *inside.Waiter) *call {
	c := l.spareCall.Swap(nil)
	if c == nil {
		c = new(call)
		c.task = c.run
	}
	c.fn, c.wake = fn, w
	return c
}

const (
	callWaiting uint32 = iota
	callStarted
	callReturned
	callAbandoned
)

// abandon gives the call up, unless it has started. The queue keeps the call until the loop comes to it, but not its function.
func (c *call) abandon() {
	if c.state.CompareAndSwap(callWaiting, callAbandoned) {
		c.fn = nil
	}
}

// finishCall gives the call back, and returns its outcome.
func (l *Loop) finishCall(c *call, err error) error {
	c.fn, c.wake, c.err = nil, nil, nil
	c.state.Store(callWaiting)
	l.spareCall.Store(c)
	return err
}

// run is the task. It wakes the caller itself, without a frame between: an idle loop's stack has 2 KB.
func (c *call) run() {
	if !c.state.CompareAndSwap(callWaiting, callStarted) {
		return
	}
	returned := false // not in the call, which is the caller's when it has returned
	defer func() {
		if !returned {
			c.err = failure(recover()) // nil after Goexit
			c.finish()
		}
	}()
	c.fn()
	returned = true
	c.finish()
}

func (c *call) finish() {
	wake := c.wake
	c.state.Store(callReturned)
	wake.Wake()
}

// capturePanic calls fn and returns its panic as an error.
func capturePanic(fn func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: stack()}
		}
	}()
	fn()
	return nil
}

// OnLoop is adapter.Hooks.OnLoop.
func (v view) OnLoop() bool { return v.onLoop() }

func (l *Loop) onLoop() bool {
	on, _, _ := l.whereabouts()
	return on
}

// whereabouts reports whether the caller is on the loop, or in a generator, and returns the mark of the loop's goroutine.
func (l *Loop) whereabouts() (on, generator bool, owner onstack.Mark) {
	if owner = onstack.Mark(l.owner.Load()); owner != 0 {
		on, generator = onstack.Find(owner, l.core.Coroutines.Mark())
	}
	return on, generator, owner
}

// MayWait is inside.Loop.MayWait.
func (v view) MayWait(ctx context.Context) (_ context.Context, release func(), err error) {
	on, generator, owner := v.whereabouts()
	switch {
	case on:
		return ctx, nil, ErrOnLoop
	case generator:
		goroutine := stacktrace.Number()
		ctx, release = inside.WithCheck(ctx, ErrOnLoop, func() bool { return stacktrace.Pulls(owner, goroutine) })
	}
	return ctx, release, nil
}
