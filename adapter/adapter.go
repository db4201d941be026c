// Package adapter is for those who build on the loop: adapters for script engines, packages with timers or promises of
// their own. Programs that only run callbacks do not need it.
package adapter

import (
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// Hooks are what a loop offers to adapters. Unless they say otherwise, methods must be called from inside a callback of the
// loop. The zero Hooks must not be used. Keep them: to get them costs a little more than a method.
type Hooks struct{ c *inside.Core }

// Of returns the hooks of a loop.
func Of(loop *eventloop.Loop) Hooks { return Hooks{inside.CoreOf(loop)} }

// A Job is a microtask that needs no closure of its own: a pointer to what it works on, with a Run method. A caller that
// has an object for the microtask anyway, such as a promise reaction, allocates nothing more.
type Job interface{ Run() }

// Enqueue queues a job as a microtask, without the lock that [Hooks.EnqueueJob] needs. It may be called before Run, too, by
// the goroutine that will call it. The order of microtasks is one: those scheduled earlier by any way run earlier.
func (h Hooks) Enqueue(job Job) { h.c.Enqueue(job) }

// EnqueueJob is [eventloop.Loop.ScheduleMicrotask] for a [Job]. Any goroutine may call it. The errors are the same.
func (h Hooks) EnqueueJob(job Job) error { return h.c.EnqueueJob(job) }

// Afterward queues a job that runs at the end of the checkpoint, when the nextTick and microtask queues have become
// empty; what it schedules there still belongs to the same checkpoint. HTML and Node look for unhandled rejections at
// this point.
func (h Hooks) Afterward(job Job) { h.c.Afterward.Push(job) }

// Closing reports whether [eventloop.Loop.Close] was called. A job that runs several callbacks in turn asks between them,
// and queues the rest again instead of running it, so that the callback in progress is the last.
func (h Hooks) Closing() bool { return h.c.Closing() }

// Fail begins a graceful shutdown, after which [eventloop.Loop.Run] returns err. The first reason stays: if there is one
// already, as the end of Run's context is, or after [eventloop.Loop.Close], err is dropped. Any goroutine may call it.
func (h Hooks) Fail(err error) { h.c.Loop.Fail(err) }

// Accepting reports whether the loop takes new tasks and timers: no shutdown has begun, and it has not ended. Any goroutine
// may call it. Unless asked on the loop, the answer may be out of date when it arrives.
func (h Hooks) Accepting() bool { return h.c.Loop.Accepting() }

// Callback runs fn as the loop runs a callback, though inside the one in progress: a panic is reported and goes no
// further, and then the nextTick queue and the microtasks drain. It is for code that serves several callbacks from
// one, as JavaScript's timers do, which share one timer of the loop. It reports false if the loop was closed: the
// caller then runs no more callbacks.
//
// It must not be called from a microtask, whose queue it would drain out of order.
func (h Hooks) Callback(fn func()) bool { return h.c.Loop.Callback(fn) }

// Isolate calls fn, and reports its panic, if it has one, to the handler of panics: the part of [Hooks.Callback] that
// does not drain any queue. It is for callbacks that are called synchronously by another, such as event listeners,
// which must not fail one another. Goexit passes through. Any goroutine may call it.
func (h Hooks) Isolate(fn func()) { h.c.Loop.Isolate(fn) }

// Slept reports whether the loop was asleep when the work of this turn came up: a timer that is late after that was not
// held up by callbacks.
func (h Hooks) Slept() bool { return h.c.Loop.Slept() }

// TakeImmediate is for an adapter whose callback runs in the check phase, and has scheduled an immediate to run in the next: it
// goes on to that without returning to the loop. If that immediate is the only one, and the loop would run nothing before it, the
// loop drops it and TakeImmediate reports true: the caller then does its work at once. Otherwise it does nothing.
func (h Hooks) TakeImmediate() bool { return h.c.Loop.TakeImmediate() }

// Clock returns the clock that the loop goes by under test, see package looptest, or nil if that is the machine's. Any
// goroutine may call either.
func (h Hooks) Clock() func() time.Time { return h.c.Loop.Clock() }

// Hold adds n to a count; a graceful shutdown does not end the loop while that is above zero. It is for an adapter
// whose work was due before the shutdown, and waits for a timer of the loop. What it adds it takes away again, with a
// negative n. It does not hold up [eventloop.Loop.Close].
func (h Hooks) Hold(n int) { h.c.Loop.Hold(n) }

// WithValue keeps a value with the loop, for packages that build on it: their settings, found again with [Value]. As with
// [context.WithValue], key should be of a type that the package does not export.
func WithValue(key, value any) eventloop.Option {
	return inside.WithValue(key, value).(eventloop.Option)
}

// Value returns what [WithValue] keeps under key, or nil. The set of values never changes once [eventloop.New] has
// returned, so any goroutine may ask.
func Value(loop *eventloop.Loop, key any) any { return inside.Of(loop).Value(key) }

// Failure makes the error of a function that has not returned, for packages that call functions on goroutines of their own. It
// is called in a deferred function; recovered is what recover has returned there: nil if the function called [runtime.Goexit].
func Failure(recovered any) *eventloop.PanicError {
	if recovered == nil {
		recovered = eventloop.ErrGoexit
	}
	return &eventloop.PanicError{Value: recovered, Stack: stacktrace.Capture()}
}
