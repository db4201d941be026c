package eventloop

import "time"

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
		o.l.attend()
	}
	o.l.micros.Push(job)
}

// Slept reports whether the loop was asleep when the work of this turn came up: a timer that is late after that was not
// held up by callbacks.
func (o Owner) Slept() bool { return o.l.slept }

// Closing reports whether [Loop.Close] was called. A job that runs several callbacks in turn asks between them, and
// queues the rest again instead of running it, so that the callback in progress is the last.
func (o Owner) Closing() bool { return o.l.attention.Load()&attendClose != 0 }

// Afterward queues a job that runs at the end of the checkpoint, when the nextTick and microtask queues have become
// empty; what it schedules there still belongs to the same checkpoint. HTML and Node look for unhandled rejections at
// this point.
func (o Owner) Afterward(job Job) { o.l.afterward.Push(job) }

// ScheduleTimer is [Loop.ScheduleTimer] without the lock.
func (o Owner) ScheduleTimer(delay time.Duration, fn func()) (Timer, error) {
	l := o.l
	if fn == nil {
		return Timer{}, ErrNilCallback
	}
	if a := l.attention.Load(); a&(attendStop|attendClose|attendTimers) != 0 {
		if a&(attendStop|attendClose) != 0 {
			return Timer{}, ErrLoopTerminated
		}
		l.takeNewTimers() // timers scheduled earlier come first where deadlines are equal
	}
	when := l.deadline(delay)
	t := l.ownTimers
	if t == nil {
		if t = l.fetchTimers(); t == nil {
			return Timer{}, ErrZeroLoop
		}
	}
	l.ownTimers, t.next = t.next, nil
	h, version := t.set(delay, fn, once)
	if l.autoExit {
		l.live.Add(1)
	}
	l.countArmed(1)
	l.pushHeap(timerEntry{When: when, Version: version | entryFirst, Timer: t})
	return h, nil
}

// fetchTimers returns a list of timers for the owner's use. Timers that were given back pass through the ingress
// lock on their way: another goroutine may hold a stale handle and, under that lock, be looking at one. A zero loop
// has none to give.
func (l *Loop) fetchTimers() *timer {
	in := &l.in
	in.mu.lock()
	defer in.mu.unlock()
	if in.state == stateZero {
		return nil
	}
	l.recycleFreed()
	for range ownTimersWant {
		t := in.free
		if t == nil {
			break
		}
		in.free = t.next
		in.freeCount--
		t.next, l.ownTimers = l.ownTimers, t
	}
	if l.ownTimers == nil {
		return &timer{loop: l}
	}
	return l.ownTimers
}
