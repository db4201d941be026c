package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/meter"
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// never is the time on the loop's clock that does not come.
const never = timers.Never

// A Timer is a handle to a callback that [Loop.ScheduleTimer] or [Loop.ScheduleRepeating] will run. Handles are small
// values to be copied; all copies mean the same timer. The methods may be called from any goroutine. The zero Timer
// is valid and means no timer.
//
// A callback that uses its own handle needs it before it runs: get it from [Loop.NewTimer] or [Loop.NewTicker], and
// arm it with Reset. Do not assign ScheduleTimer's result to a variable that the callback reads, except on the loop's
// own goroutine. It is a data race, because the callback may run before the assignment.
type Timer struct{ h timers.Handle }

func (l *Loop) initTimers() {
	o := timers.Options{Owner: l, Count: l.meter != nil, Look: l.wake}
	if l.autoExit {
		o.Refs = &l.live
	}
	l.timers.Init(o)
}

// ScheduleTimer arranges for fn to run on the loop when delay has passed: never earlier, and later only if the loop
// or the machine is busy. Timers run in the order of their deadlines; equal deadlines keep the order of scheduling. A
// delay ≤ 0 means as soon as possible; one that overflows the clock means never.
//
// The handle stays valid when the timer has fired: Reset arms it again. Timers that have not fired when the loop ends
// are dropped. Costs one allocation, or none when a cancelled timer can be used again.
//
// Errors: [ErrLoopTerminated], [ErrInvalid].
func (l *Loop) ScheduleTimer(delay time.Duration, fn func()) (Timer, error) {
	if fn == nil {
		return Timer{}, inside.ErrNilCallback
	}
	return l.schedule(delay, fn, timers.Once)
}

// NewTimer returns a timer that is not armed: [Timer.Reset] arms it, and fn runs once for each time that it has. So fn can
// use the handle:
//
//	var retry eventloop.Timer
//	retry = loop.NewTimer(func() {
//		if !try() {
//			_ = retry.Reset(time.Second) // an error says that the loop is ending
//		}
//	})
//	err := retry.Reset(0)
//
// It may be called at any time, from any goroutine. Costs one allocation. If fn is nil, or the loop a zero Loop, it returns
// the zero Timer, whose Reset returns [ErrTimerCancelled].
func (l *Loop) NewTimer(fn func()) Timer { return l.unarmed(fn, timers.Once) }

func (l *Loop) unarmed(fn func(), missed timers.MissedTicks) Timer {
	if fn == nil || l.done == nil {
		return Timer{}
	}
	if l.creations == nil {
		return Timer{l.timers.Unarmed(fn, missed)}
	}
	h := l.timers.Unarmed(l.creations.wrap(fn), missed)
	h.Timer.Site = l.creations.number()
	return Timer{h}
}

func (l *Loop) schedule(delay time.Duration, fn func(), missed timers.MissedTicks) (Timer, error) {
	var at uint32
	if l.creations != nil {
		fn, at = l.creations.wrap(fn), l.creations.number()
	}
	when := timers.After(l.now(), int64(delay))
	var supply timers.Supply
	supply.Expect(&l.timers)
	in := &l.in
	in.mu.lock()
	for in.accepting() {
		if h, ok := l.timers.Schedule(&supply, when, int64(delay), fn, missed); ok {
			if at != 0 {
				h.Timer.Site = at
			}
			l.accepted(when, delay <= 0)
			return Timer{h}, nil
		}
		// Allocating may take long.
		in.mu.unlock()
		supply.Make(&l.timers)
		in.mu.lock()
	}
	err := in.refusal()
	in.mu.unlock()
	l.meter.Count(meter.Refused)
	return Timer{}, err
}

// accepted sees to it that the loop notices a timer that it has just accepted, and unlocks.
func (l *Loop) accepted(when int64, due bool) {
	if l.timers.Waiting() == 1 {
		l.core.Attention.Or(inside.AttendTimers)
	}
	l.in.pending |= pendingTimers
	asleep := l.alarmFor(when, due)
	l.in.mu.unlock()
	if asleep {
		l.unpark()
	}
}

// Stop keeps the timer from firing, and reports whether it was pending: true means that the callback will not run,
// exactly, whichever goroutine asks. For a repeating timer it means that no further run begins; one that the loop has
// just begun goes on. Reset arms a stopped timer again.
func (t Timer) Stop() bool { return t.h.Timer != nil && t.h.Stop() }

// Reset arms the timer to fire once delay has passed from now. The timer may be pending, stopped or fired. A
// repeating timer takes delay as its new period. Reset may be called from the timer's own callback.
//
// Errors: [ErrTimerCancelled], [ErrLoopTerminated], and for a repeating timer one that matches [ErrInvalid] if delay
// ≤ 0.
func (t Timer) Reset(delay time.Duration) error {
	if t.h.Timer == nil {
		return ErrTimerCancelled
	}
	l := t.h.Store().Owner().(*Loop)
	now := l.now()
	var supply timers.Supply
	in := &l.in
	in.mu.lock()
	err := ErrTimerCancelled
	for in.accepting() {
		when, outcome := l.timers.Rearm(&supply, t.h, now, int64(delay))
		switch outcome {
		case timers.Rearmed:
			l.accepted(when, delay <= 0)
			return nil
		case timers.Refused:
			err = inside.ErrInvalidPeriod
			fallthrough
		case timers.Inert:
			in.mu.unlock()
			return err
		}
		in.mu.unlock()
		supply.Make(&l.timers)
		in.mu.lock()
	}
	err = in.refusal()
	in.mu.unlock()
	return err
}

// Unref lets a loop with [WithAutoExit] end although the timer is pending. Ref undoes it. Both do nothing on a loop
// without that option.
func (t Timer) Unref() {
	if t.h.Timer != nil {
		t.h.SetRef(false)
	}
}

// Ref makes a pending timer keep a loop with [WithAutoExit] open, as it does when it is new.
func (t Timer) Ref() {
	if t.h.Timer != nil {
		t.h.SetRef(true)
	}
}

// CancelTimer stops the timer for good, forgets its callback, and gives its memory back to the loop, to be used for the
// next one. It reports whether the timer was pending, as [Timer.Stop] does. The handle and its copies are inert from
// then on.
func (l *Loop) CancelTimer(t Timer) bool {
	if !l.releaseTimer(t) {
		return false
	}
	l.timers.Disarmed(1)
	return true
}

func (l *Loop) releaseTimer(t Timer) bool {
	return t.h.Timer != nil && t.h.Store() == &l.timers && t.h.Release()
}

// CancelTimers is [Loop.CancelTimer] for many timers. It returns how many were pending.
func (l *Loop) CancelTimers(handles ...Timer) int {
	pending := 0
	for len(handles) > 0 {
		// The processor waits for the states of several timers at the same time, if they are not in the cache.
		group := handles[:min(cancelGroup, len(handles))]
		handles = handles[len(group):]
		for _, t := range group {
			t.h.Touch()
		}
		n := 0
		for _, t := range group {
			if l.releaseTimer(t) {
				n++
			}
		}
		l.timers.Disarmed(n)
		pending += n
	}
	return pending
}

const cancelGroup = 16
