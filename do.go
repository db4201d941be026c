package eventloop

import (
	"context"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Do runs fn on the loop and waits until it has returned. From inside a callback it calls fn at once, inline.
//
// If ctx has ended, or ends first, Do returns an error that matches the error of ctx and its cause: fn will not start any
// more; if it is running at that moment, it goes on while Do returns. If fn panics, Do returns the [*PanicError], and the
// panic handler is not called.
//
// Before Run, Do waits for Run or for ctx; if ctx ends first, the error matches [ErrLoopNotRunning] too. Errors besides:
// [ErrLoopTerminated] if the loop does not run fn any more, [ErrQueueFull] under [WithQueueLimit], [ErrNilCallback],
// [ErrZeroLoop].
//
// docs/benchmarks.md sets its time beside that of [Loop.Submit] and a channel, at several depths of the caller's stack, as
// measured in docs/results/linux-amd64/depth.txt. If the loop is busy for longer, the caller also finds out once whether it
// is on the loop itself, which costs what [Loop.OnLoop] costs, while it waits anyway.
func (l *Loop) Do(ctx context.Context, fn func()) error {
	if fn == nil {
		return ErrNilCallback
	}
	if ctx.Err() != nil {
		return inside.ContextError(ctx)
	}
	c := &call{fn: fn, done: make(chan struct{})}
	asleep, err := l.submit(&l.in.external, meter.External, stateRunning, l.bound, func() { l.runCall(c) })
	if err != nil {
		if l.OnLoop() { // a callback of a loop that ends may still call what it could call directly
			return capturePanic(fn)
		}
		return err
	}
	if !asleep && !c.startsSoon() && l.OnLoop() {
		c.state.Store(callAbandoned)
		c.withdrawn = true
		l.withdrawn++
		return capturePanic(fn)
	}
	switch sched.WaitAny(c.done, ctx.Done(), l.done) {
	case 0:
		return c.err
	case 1:
		if c.state.CompareAndSwap(callWaiting, callAbandoned) {
			return l.waitError(ctx)
		}
		select {
		case <-c.done:
			return c.err
		default:
			return l.waitError(ctx)
		}
	default:
		if c.state.CompareAndSwap(callWaiting, callAbandoned) {
			return ErrLoopTerminated
		}
		sched.Receive(c.done) // it ran before the loop ended
		return c.err
	}
}

// A call is a function that a goroutine waits for. Its state decides, by compare-and-swap, between the loop that
// starts it and the waiter who gives it up.
type call struct {
	fn        func()
	state     sched.Uint32
	done      chan struct{}
	err       error // set before done is closed
	withdrawn bool  // its caller turned out to be on the loop and ran it; the loop's
}

const (
	callWaiting uint32 = iota
	callStarted
	callAbandoned
)

// startYields is how often a caller that may be on the loop lets others run before it finds out.
const startYields = 4

// startsSoon waits a little, and reports whether the call has started: then the caller is not on the loop.
func (c *call) startsSoon() bool {
	for range startYields {
		if c.state.Load() == callStarted {
			return true
		}
		sched.Yield()
	}
	return c.state.Load() == callStarted
}

func (l *Loop) runCall(c *call) {
	if !c.state.CompareAndSwap(callWaiting, callStarted) {
		if c.withdrawn {
			l.withdrawn--
		}
		return
	}
	finished := false
	defer func() {
		if !finished { // Goexit
			c.err = &PanicError{Value: ErrGoexit, Stack: stack()}
			sched.Close(c.done)
		}
	}()
	c.err = capturePanic(c.fn)
	finished = true
	sched.Close(c.done)
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

// OnLoop reports whether the caller is on the loop: on its goroutine, inside a callback, or in a coroutine that it runs.
// It costs nearly nothing while the loop sleeps. Otherwise it walks the caller's stack, which takes a few microseconds:
// BenchmarkOnLoop. So it is for calls that are about to block, and not for hot paths.
func (l *Loop) OnLoop() bool {
	owner := onstack.Mark(l.owner.Load())
	if owner == 0 {
		return false
	}
	l.in.mu.lock()
	asleep := l.in.sleeping
	l.in.mu.unlock()
	return !asleep && (owner.Here() || l.core.Coroutines.Inside())
}
