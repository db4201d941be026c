// Package looptest tests code that runs on an event loop, without waiting: the loop's clock jumps from timer to timer
// when the loop is idle.
//
// [Run] runs a loop to its end. A test of a timer of an hour takes a millisecond:
//
//	looptest.Run(t, func(loop *looptest.Loop) {
//		_, _ = loop.ScheduleTimer(time.Hour, func() { loop.Mark("ding") })
//	}).Expect(t, "1h0m0s timers ding")
//
// [New] starts a loop on a goroutine of its own, for tests that drive it from outside. The time stands still except
// during [Loop.Advance] and [Loop.AutoJump].
//
// The loop's own work uses this clock: timers, promise.Sleep, Timeout, WithTimeout and Retry, [inspect.ReadMetrics],
// and the timers, clock and dates of scripts (package gojaloop). Other goroutines, networks and contexts do not: a
// context that ends by the machine's clock still does. While a function of promise.Promisify runs, the clock stands
// still and the loop waits for it.
//
// It works in a bubble of testing/synctest too, where the machine's clock is virtual as well. There its records and
// assertions remain useful; time passes by either clock.
package looptest

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// patience is how long a loop may be busy before the test fails, on the machine's clock. It is waited out only then.
const patience = time.Minute

// A Loop is an [eventloop.Loop] under test. Its methods may be called from any goroutine unless they say otherwise.
type Loop struct {
	*eventloop.Loop
	t     testing.TB
	clock *clock
	view  inside.Loop
	trace recorder
}

// construct makes a loop that is not running. A callback that panics fails the test, unless opts has a handler of its own.
func construct(t testing.TB, opts []eventloop.Option) *Loop {
	l := &Loop{t: t, clock: newClock()}
	all := []eventloop.Option{
		inside.WithClock(l.clock).(eventloop.Option),
		inspect.WithTraceCreation(),
		eventloop.WithPanicHandler(func(e *eventloop.PanicError) { t.Errorf("looptest: %v\n%s", e, e.Stack) }),
	}
	l.clock.blocking = func() int { return 0 }
	l.Loop = eventloop.New(append(all, opts...)...)
	l.view = inside.Of(l.Loop)
	l.clock.blocking = func() int {
		running, queued := l.view.Blocking().Depth()
		return running + queued
	}
	l.trace.loop = l
	inspect.Observe(l.Loop, inspect.Callbacks, l.trace.record)
	return l
}

// Run runs main on a loop on the calling goroutine, with everything that it causes, until nothing referenced is left.
// Unreferenced timers do not run after that. Whenever the loop is idle the clock jumps to the next timer. Run never
// returns while a repeating one is set.
//
// The test fails if a callback panics, unless opts has an [eventloop.WithPanicHandler], or if the loop ends with an
// error. The Trace lists the callbacks that ran.
func Run(t testing.TB, main func(*Loop), opts ...eventloop.Option) Trace {
	t.Helper()
	l := construct(t, append([]eventloop.Option{eventloop.WithAutoExit()}, opts...))
	l.clock.release(1)
	if err := l.Submit(func() { main(l) }); err != nil {
		t.Fatalf("looptest: %v", err)
	}
	if err := l.Loop.Run(context.Background()); err != nil {
		t.Errorf("looptest: Run: %v", err)
	}
	return l.Trace()
}

// New starts a loop on a goroutine of its own. When the test ends the loop is shut down, and must have ended by then or
// drain. The time stands still; see [Loop.Advance] and [Loop.AutoJump]. Options are as for [Run].
func New(t testing.TB, opts ...eventloop.Option) *Loop {
	t.Helper()
	l := construct(t, opts)
	go func() { _ = l.Loop.Run(context.Background()) }()
	t.Cleanup(l.end)
	return l
}

func (l *Loop) end() {
	l.clock.release(1) // a shutdown may wait for a timer
	l.view.Wake()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := l.Shutdown(ctx); err != nil {
		l.t.Errorf("looptest: the loop does not end: %v", err)
	}
}

// Elapsed is the time since the loop was made, on its clock.
func (l *Loop) Elapsed() time.Duration { return time.Duration(l.clock.Now()) }

// Now is the date and time on the loop's clock, which begins at midnight UTC, 2000-01-01.
func (l *Loop) Now() time.Time { return l.clock.Epoch().Add(l.Elapsed()) }

// WaitIdle waits until the loop has nothing to do: no callback runs or is queued, no timer is due, and no function of
// promise.Promisify runs. Timers that are due later do not count. It fails the test if that takes a minute of the
// machine's time, and must not be called on the loop. A loop that has ended is idle.
func (l *Loop) WaitIdle() {
	l.t.Helper()
	var late <-chan time.Time
	for {
		changed, held := l.clock.state()
		if !held && l.view.Asleep() {
			return
		}
		if late == nil {
			if l.view.OnLoop() {
				l.t.Errorf("looptest: WaitIdle was called on the loop")
				runtime.Goexit()
			}
			timer := time.NewTimer(patience)
			defer timer.Stop()
			late = timer.C
		}
		select {
		case <-changed:
		case <-l.Done():
			return
		case <-late:
			l.t.Fatalf("looptest: the loop is not idle after %v", patience)
		}
	}
}

// Advance lets d pass on the loop's clock and waits until the loop is idle. Everything that falls due within d runs
// at its time, and so does the work that it causes. It must not be called on the loop: see [Loop.Spend].
func (l *Loop) Advance(d time.Duration) {
	l.t.Helper()
	l.WaitIdle()
	l.clock.advance(d)
	l.view.Wake()
	l.WaitIdle()
}

// AutoJump calls fn on the calling goroutine. While fn runs, the clock jumps to the next timer whenever the loop is
// idle. Use it when fn waits for the loop, for example for a script's end or in the Await of a promise. When fn
// returns, the clock may be later than the event that fn waited for. AutoJump must not be called on the loop.
func (l *Loop) AutoJump(fn func()) {
	l.clock.release(1)
	l.view.Wake()
	defer l.clock.release(-1)
	fn()
}

// Spend lets d pass on the loop's clock without anything running: inside a callback, as if that took so long.
func (l *Loop) Spend(d time.Duration) {
	l.clock.spend(d)
}

// Hold keeps the clock from jumping during work outside of the loop, such as a request to a server. The work ends
// with a call of the returned function. The loop is not idle meanwhile.
func (l *Loop) Hold() (release func()) {
	l.clock.hold(1)
	return func() {
		l.clock.hold(-1)
		l.view.Wake()
	}
}

// ExpectNothingLeft waits until the loop is idle, and fails the test if anything keeps it alive. That may be a
// referenced timer, a keep-alive token, a descriptor, or a function of promise.Promisify. The failure names the
// resource, and the place where it was made. It must not be called on the loop.
func (l *Loop) ExpectNothingLeft() {
	l.t.Helper()
	l.WaitIdle()
	left, err := inspect.ActiveResources(context.Background(), l.Loop)
	if err != nil { // the loop has ended and dropped the rest
		if d := l.Dropped(); d.Callbacks()+d.Timers > 0 {
			l.t.Errorf("looptest: the loop has dropped %+v", d)
		}
		return
	}
	for _, r := range left {
		l.t.Errorf("looptest: left behind: %d %s, %v old, made at %s", r.Count, r.Kind, r.Age, r.Made)
	}
}
