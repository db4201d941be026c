package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/coroutine"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// An Owner is a loop as seen by code that runs on it: promise reactions, adapters for script engines, state machines.
// Its methods skip the lock that the methods of [Loop] need to be safe for any goroutine.
//
// They must be called from inside a callback of the loop, or before Run by the goroutine that will call it. Nothing
// checks that: from elsewhere they are data races, which the race detector reports.
type Owner struct{ l *Loop }

// Owner returns the owner's view of the loop.
func (l *Loop) Owner() Owner { return Owner{l} }

// Enqueue is [Loop.EnqueueJob] without the lock. The order of microtasks is one: those scheduled earlier by either
// way run earlier.
func (o Owner) Enqueue(job Job) {
	if o.l.attention.Load()&attendJobs != 0 {
		o.l.fetchJobs()
	}
	o.l.micros.Push(job)
}

// Closing reports whether [Loop.Close] was called. A job that runs several callbacks in turn asks between them, and
// queues the rest again instead of running it, so that the callback in progress is the last.
func (o Owner) Closing() bool { return o.l.attention.Load()&attendClose != 0 }

// Afterward queues a job that runs at the end of the checkpoint, when the nextTick and microtask queues have become
// empty; what it schedules there still belongs to the same checkpoint. HTML and Node look for unhandled rejections at
// this point.
func (o Owner) Afterward(job Job) { o.l.afterward.Push(job) }

// Coroutines returns the coroutines that run on the loop, for package promise. They can be started while the loop runs.
// When it has run its last callback, they are unwound.
func (o Owner) Coroutines() *coroutine.Group { return &o.l.coroutines }

// Fail begins a graceful shutdown, after which [Loop.Run] returns err. The first reason stays: if there is one already, as
// the end of Run's context is, or after [Loop.Close], err is dropped.
func (o Owner) Fail(err error) {
	_ = o.l.beginShutdown(err)
	in := &o.l.in
	in.mu.lock()
	if in.state == stateStopping && in.cause == nil { // Shutdown, which has no reason, came first
		in.cause = err
	}
	in.mu.unlock()
}

// ScheduleTimer is [Loop.ScheduleTimer] without the lock, unless other goroutines have scheduled timers that come first.
func (o Owner) ScheduleTimer(delay time.Duration, fn func()) (Timer, error) {
	l := o.l
	if fn == nil {
		return Timer{}, ErrNilCallback
	}
	if l.done == nil {
		return Timer{}, ErrZeroLoop
	}
	if a := l.attention.Load(); a&(attendStop|attendClose|attendTimers) != 0 {
		if a&(attendStop|attendClose) != 0 {
			return Timer{}, ErrLoopTerminated
		}
		l.takeNewTimers() // timers scheduled earlier come first where deadlines are equal
	}
	when := timers.After(l.now(), int64(delay))
	if l.timers.WantsRefill() {
		l.in.mu.lock()
		l.timers.Refill()
		l.in.mu.unlock()
	}
	if l.creations != nil {
		return l.creations.scheduleOwn(when, int64(delay), fn), nil
	}
	return Timer{l.timers.ScheduleOwn(when, int64(delay), fn)}, nil
}
