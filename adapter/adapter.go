// Package adapter is for code that builds on the loop: adapters for script engines, and packages with their own
// timers or promises. Programs that only run callbacks do not need it.
package adapter

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// Hooks are a loop's methods for adapters. Unless they say otherwise, methods must be called from inside a callback
// of the loop. The zero Hooks must not be used. Keep the Hooks: getting them costs a little more than a method.
type Hooks struct{ c *inside.Core }

// Of returns the hooks of a loop.
func Of(loop *eventloop.Loop) Hooks { return Hooks{inside.CoreOf(loop)} }

// A Job is a microtask without a closure: a pointer to its data, with a Run method. A caller that has an object for
// the microtask anyway, such as a promise reaction, allocates nothing more.
type Job interface{ Run() }

// Enqueue queues a job as a microtask, without the lock that [Hooks.EnqueueJob] needs. It may be called before Run, too, by
// the goroutine that will call it. The order of microtasks is one: those scheduled earlier by any way run earlier.
func (h Hooks) Enqueue(job Job) { h.c.Enqueue(job) }

// EnqueueJob is [eventloop.Loop.ScheduleMicrotask] for a [Job]. Any goroutine may call it. The errors are the same.
func (h Hooks) EnqueueJob(job Job) error { return h.c.EnqueueJob(job) }

// Afterward queues a job that runs at the end of the checkpoint, when the nextTick and microtask queues are empty.
// Microtasks that the job schedules still belong to the same checkpoint. HTML and Node look for unhandled rejections
// at this point.
func (h Hooks) Afterward(job Job) { h.c.Afterward.Push(job) }

// AtEnd registers two functions for the loop's end, for packages that hold connections or other resources. Stop runs
// as an internal task when a graceful shutdown begins. With [Hooks.Hold] the loop waits for work that stop starts.
// End runs when the last callback has returned, before [eventloop.Loop.Done] is closed. It comes after stop, which
// [eventloop.Loop.Close] skips. For a loop that was never run, end runs on the goroutine that closes the loop. The
// loop refuses all work by then. Any goroutine may call AtEnd. The error is [eventloop.ErrLoopTerminated] once a
// shutdown has begun.
func (h Hooks) AtEnd(stop, end func()) error { return h.c.Loop.AtEnd(stop, end) }

// Closing reports whether [eventloop.Loop.Close] was called. A job that runs several callbacks in turn checks it
// between them. After Close it queues the rest again instead of running it, so that the callback in progress is the
// last.
func (h Hooks) Closing() bool { return h.c.Closing() }

// Fail begins a graceful shutdown, after which [eventloop.Loop.Run] returns err. The first reason stays: if there is one
// already, as the end of Run's context is, or after [eventloop.Loop.Close], err is dropped. Any goroutine may call it.
func (h Hooks) Fail(err error) { h.c.Loop.Fail(err) }

// Accepting reports whether the loop takes new tasks and timers: no shutdown has begun, and it has not ended. Any goroutine
// may call it. Unless asked on the loop, the answer may be out of date when it arrives.
func (h Hooks) Accepting() bool { return h.c.Loop.Accepting() }

// Callback runs fn as the loop runs a callback, though inside the one in progress. A panic is reported and goes no
// further, and then the nextTick queue and the microtasks drain. It is for code that serves several callbacks from
// one. For example, JavaScript's timers share one timer of the loop. It reports false if the loop was closed: the
// caller then runs no more callbacks.
//
// It must not be called from a microtask, whose queue it would drain out of order.
func (h Hooks) Callback(fn func()) bool { return h.c.Loop.Callback(fn) }

// Isolate calls fn, and reports its panic, if it has one, to the handler of panics: the part of [Hooks.Callback] that
// does not drain any queue. It is for callbacks that are called synchronously by another, such as event listeners,
// which must not fail one another. Goexit passes through. Any goroutine may call it.
func (h Hooks) Isolate(fn func()) { h.c.Loop.Isolate(fn) }

// Slept reports whether the loop was asleep when the work of this turn came up. If so, callbacks did not cause the
// lateness of its timers.
func (h Hooks) Slept() bool { return h.c.Loop.Slept() }

// TakeImmediate is for an adapter whose callback runs in the check phase, and has scheduled an immediate for the next
// one. It may skip the return to the loop. If that immediate is the only one, and the loop would run nothing before
// it, the loop drops it and TakeImmediate reports true. The caller then does the immediate's work at once. Otherwise
// nothing changes.
func (h Hooks) TakeImmediate() bool { return h.c.Loop.TakeImmediate() }

// OnLoop reports whether the caller is on the loop: on its goroutine, inside a callback, or in a coroutine that it runs. Any
// goroutine may call it.
//
// It costs nearly nothing while the loop sleeps. Otherwise it walks the caller's stack, which takes a few microseconds:
// BenchmarkOnLoop. So it is for calls that are about to block, and not for hot paths.
func (h Hooks) OnLoop() bool { return h.c.Loop.OnLoop() }

// Context returns a context that ends, with [eventloop.ErrLoopTerminated] as its cause, when the loop has ended,
// right after [eventloop.Loop.Done] is closed. Use it for goroutines that work on behalf of the loop. Many may wait
// for it, with [context.AfterFunc], without a goroutine each. Any goroutine may call it.
func (h Hooks) Context() context.Context { return h.c.Loop.Context() }

// ScheduleClose queues fn for the close phase, the last of a turn. Node calls the listeners of 'close' in it: a
// resource has been closed, and no earlier event of it can follow. Any goroutine may call it. It is accepted like
// [eventloop.Loop.SubmitInternal], with the same errors, and keeps the guarantees of [eventloop.Loop.Submit].
func (h Hooks) ScheduleClose(fn func()) error { return h.c.Loop.ScheduleClose(fn) }

// ScheduleTimer is [eventloop.Loop.ScheduleTimer] without its lock, unless timers of other goroutines come first. It
// may be called before Run, too, by the goroutine that will call it. Nothing checks that: from elsewhere it is a data
// race, and the race detector reports it. The errors are the same.
func (h Hooks) ScheduleTimer(delay time.Duration, fn func()) (eventloop.Timer, error) {
	return h.c.Loop.(ownTimers).ScheduleOwnTimer(delay, fn)
}

// ownTimers is a part of the loop's view that package inside cannot name, since it does not know eventloop.Timer.
type ownTimers interface {
	ScheduleOwnTimer(delay time.Duration, fn func()) (eventloop.Timer, error)
}

// Clock returns the clock that the loop goes by under test, see package looptest, or nil if that is the machine's. Any
// goroutine may call either.
func (h Hooks) Clock() func() time.Time { return h.c.Loop.Clock() }

// Hold adds n to a count. A graceful shutdown does not end the loop while the count is above zero. It is for an
// adapter whose work was due before the shutdown, and waits for a timer of the loop. The adapter must subtract its
// holds again, with a negative n. Hold does not delay [eventloop.Loop.Close].
func (h Hooks) Hold(n int) { h.c.Loop.Hold(n) }

// WithValue keeps a value with the loop, for packages that build on it: their settings, found again with [Value]. As with
// [context.WithValue], key should be of a type that the package does not export.
func WithValue(key, value any) eventloop.Option {
	return inside.WithValue(key, value).(eventloop.Option)
}

// Value returns the value that [WithValue] set for key, or nil. The set of values never changes once [eventloop.New]
// has returned, so any goroutine may call Value.
func Value(loop *eventloop.Loop, key any) any { return inside.Of(loop).Value(key) }

// Failure makes the error of a function that has not returned, for packages that call functions on goroutines of
// their own. Call it in a deferred function, with the result of recover. That is nil if the function called
// [runtime.Goexit].
func Failure(recovered any) *eventloop.PanicError {
	if recovered == nil {
		recovered = eventloop.ErrGoexit
	}
	return &eventloop.PanicError{Value: recovered, Stack: stacktrace.Capture()}
}
