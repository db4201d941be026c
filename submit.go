package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Submit queues fn for the loop's external lane, and wakes the loop if it sleeps. If it returns nil, fn runs before
// [Loop.Run] returns, unless [Loop.Close] drops it; otherwise fn never runs.
//
// Tasks of one goroutine run in the order in which they were submitted. Two goroutines keep their order when one call
// happened before the other. Submit never blocks for the loop. The queue has no bound unless [WithQueueLimit] gives
// it one. On a machine with idle processors, a producer that has filled a batch (1,024 tasks) yields once, as a hint,
// if the loop has not taken it. Safe for any goroutine; steady use allocates nothing.
//
// Errors: [ErrLoopTerminated] once a shutdown has begun, [ErrQueueFull], [ErrInvalid].
func (l *Loop) Submit(fn func()) error {
	return l.submit(meter.External, lanes[meter.External].last, l.bound, fn)
}

// SubmitInternal queues fn for the priority lane: it runs before the external tasks that wait at that time, though
// not between those of one batch (1,024 at most). A longer backlog of this lane runs one batch in each turn, followed
// by external tasks. Use it to deliver completions and other work of the loop itself.
//
// It keeps the guarantees of [Loop.Submit]. A graceful shutdown still accepts it until the loop has drained
// everything, so that accepted work can deliver its results.
func (l *Loop) SubmitInternal(fn func()) error {
	return l.submit(meter.Internal, lanes[meter.Internal].last, nil, fn)
}

// ScheduleImmediate queues fn for the check phase, which follows I/O: Node's setImmediate. Immediates that an
// immediate schedules run in the next turn. The guarantees and errors are those of [Loop.Submit], without its limit.
func (l *Loop) ScheduleImmediate(fn func()) error {
	return l.submit(meter.Immediates, lanes[meter.Immediates].last, nil, fn)
}

// ScheduleClose is adapter.Hooks.ScheduleClose.
func (v view) ScheduleClose(fn func()) error { return v.scheduleClose(fn) }

func (l *Loop) scheduleClose(fn func()) error {
	return l.submit(meter.Closing, lanes[meter.Closing].last, nil, fn)
}

// submit appends fn to a lane that is open up to the state last, or hands it to a loop that sleeps.
func (l *Loop) submit(n meter.Lane, last uint8, limit *bound, fn func()) error {
	if fn == nil {
		return inside.ErrNilCallback
	}
	if l.creations != nil {
		fn = l.creations.wrap(fn)
	}
	in := &l.in
	in.mu.lock()
	if in.state < stateNew || in.state > last {
		err := in.refusal()
		in.mu.unlock()
		l.meter.Count(meter.Refused)
		return err
	}
	if limit != nil && !limit.enter() {
		in.mu.unlock()
		l.meter.Count(meter.Refused)
		return ErrQueueFull
	}
	if m := l.meter; m != nil && m.Accept(n) {
		m.AcceptAt(n, l.now())
	}
	asleep, behind := in.sleeping, false
	if asleep && n == meter.External && !l.driven {
		in.sleeping = false
		in.handed = fn
	} else {
		in.inboxes[n].Push(fn)
		asleep = in.arrive(1 << n)
		behind = in.inboxes[n].Behind()
	}
	in.mu.unlock()
	if asleep {
		l.unpark()
	} else if behind {
		// A loop that runs in turn with its producers finds the batch in the cache, and does not fight them for the lock.
		sched.YieldIfQuick()
	}
	return nil
}

// Post is submit to the external lane for work that has a limit of its own. It counts as waiting, and is not refused
// for the queue limit. A graceful shutdown refuses it unless rest says that it continues accepted work.
func (v view) Post(fn func(), rest bool) error {
	l, last := v.Loop, stateRunning
	if rest {
		last = stateStopping
	}
	if l.bound != nil {
		l.bound.waiting.Add(1)
	}
	err := l.submit(meter.External, last, nil, fn)
	if err != nil && l.bound != nil {
		l.bound.waiting.Add(-1)
	}
	return err
}
