package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Submit queues fn for the loop's external lane, and wakes the loop if it sleeps. If it returns nil, fn runs before
// [Loop.Run] returns, unless [Loop.Close] drops it; otherwise fn never runs.
//
// Tasks of one goroutine run in the order in which they were submitted; so do those of two goroutines when one call
// happened before the other. Submit never blocks for the loop. The queue has no bound unless [WithQueueLimit] gives it one. As a hint, a producer that
// has filled a batch (1,024 tasks) which the loop has not taken yields the processor once. Safe for any goroutine; steady use allocates
// nothing.
//
// Errors: [ErrLoopTerminated] once a shutdown has begun, [ErrQueueFull], [ErrNilCallback], [ErrZeroLoop].
func (l *Loop) Submit(fn func()) error {
	_, err := l.submit(&l.in.external, meter.External, stateRunning, l.bound, fn)
	return err
}

// SubmitInternal queues fn for the priority lane: it runs before the external tasks that wait at that time, though
// not between those of one batch (1,024 at most). Of a longer backlog of its own, one batch runs in each turn, and external tasks
// after it. Use it to deliver completions and other work of the loop itself.
//
// It keeps the guarantees of [Loop.Submit], and is still accepted during a graceful shutdown, until the loop has
// drained everything: what accepted work causes can be delivered.
func (l *Loop) SubmitInternal(fn func()) error {
	_, err := l.submit(&l.in.internal, meter.Internal, stateStopping, nil, fn)
	return err
}

// ScheduleImmediate queues fn for the check phase, which follows I/O: Node's setImmediate. Immediates that an
// immediate schedules run in the next turn. The guarantees and errors are those of [Loop.Submit], without its limit.
func (l *Loop) ScheduleImmediate(fn func()) error {
	_, err := l.submit(&l.in.immediates, meter.Immediates, stateRunning, nil, fn)
	return err
}

// ScheduleClose queues fn for the close phase, the last of a turn, in which Node calls the listeners of 'close': it tells
// that something has been closed when nothing that was ready before can come from it any more. It is accepted like
// [Loop.SubmitInternal], and keeps the guarantees of [Loop.Submit].
func (l *Loop) ScheduleClose(fn func()) error {
	_, err := l.submit(&l.in.closing, meter.Closing, stateStopping, nil, fn)
	return err
}

// submit appends fn to a lane that is open up to the state last, and reports whether it woke the loop.
func (l *Loop) submit(lane *queue.Inbox, number meter.Lane, last uint8, limit *bound, fn func()) (asleep bool, err error) {
	if fn == nil {
		return false, ErrNilCallback
	}
	if l.creations != nil {
		fn = l.creations.wrap(fn)
	}
	in := &l.in
	in.mu.lock()
	if in.state < stateNew || in.state > last {
		err := in.refusal()
		in.mu.unlock()
		return false, err
	}
	if limit != nil && !limit.enter() {
		in.mu.unlock()
		return false, ErrQueueFull
	}
	lane.Push(fn)
	if m := l.meter; m != nil && m.Accept(number) {
		m.AcceptAt(number, l.now())
	}
	behind := lane.Behind()
	asleep = in.rouse(1 << number)
	in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	} else if behind {
		sched.Yield()
	}
	return asleep, nil
}

// post is submit to the external lane for work that has a limit of its own. It counts as waiting, and is not refused.
func (l *Loop) post(last uint8, fn func()) error {
	if l.bound != nil {
		l.bound.waiting.Add(1)
	}
	_, err := l.submit(&l.in.external, meter.External, last, nil, fn)
	if err != nil && l.bound != nil {
		l.bound.waiting.Add(-1)
	}
	return err
}
