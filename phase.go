package eventloop

import (
	"runtime/trace"

	"github.com/eventloop-go/eventloop/internal/meter"
)

// A phase is a part of the turn that runs callbacks.
type phase uint8

const (
	phaseTimers phase = iota
	phaseInternal
	phaseExternal
	phaseIO
	phaseImmediates
	phaseClosing
)

// phaseLanes maps a phase to its lane.
var phaseLanes = [...]meter.Lane{
	phaseTimers:     meter.Timers,
	phaseInternal:   meter.Internal,
	phaseExternal:   meter.External,
	phaseIO:         meter.IO,
	phaseImmediates: meter.Immediates,
	phaseClosing:    meter.Closing,
}

// runPhase runs a phase to its end, however many of its callbacks panic.
//
// One deferred recover covers the whole phase, not each callback. Phases keep their progress in the loop's fields,
// so after a panic the phase is simply continued: the callback that panicked is gone, nothing else is.
func (l *Loop) runPhase(p phase) {
	if (l.observed != nil || trace.IsEnabled()) && !l.telling {
		l.runPhaseObserved(p)
		return
	}
	lane := phaseLanes[p]
	if int(lane) < len(lanes) {
		l.budget = lanes[lane].budget
	}
	m := l.meter
	if m != nil && m.Begin(lane) {
		m.BeginAt(lane, l.now())
	}
	for !l.continuePhase(p) {
	}
	if m != nil && m.End(l.jobs) {
		m.EndAt(l.now())
	}
}

// continuePhase runs the rest of a phase. It reports true at its end and false after a panic.
func (l *Loop) continuePhase(p phase) (finished bool) {
	defer l.catch()
	var open bool
	if l.observed == nil {
		open = l.checkpoint()
	} else {
		open = l.observed.checkpoint()
	}
	if m := l.meter; m != nil && m.Checked(l.jobs) {
		m.CheckedAt(l.jobs, l.now())
	}
	switch {
	case !open:
	case l.plain(p):
		l.runLane(p)
	default:
		l.runCallbacks(p)
	}
	return true
}

// plain reports whether the phase runs a queue without measurement, observers and bound.
func (l *Loop) plain(p phase) bool {
	return p != phaseTimers && p != phaseIO && l.meter == nil && !l.observed.callbacks() && (l.bound == nil || p != phaseExternal)
}

// runCallbacks runs the callbacks of a phase, each with its checkpoint, until none is left, the lane's budget is used up, or
// the loop is closed.
func (l *Loop) runCallbacks(p phase) {
	o, m := l.observed, l.meter
	observed := o.callbacks()
	for {
		c := l.next(p)
		if c.none() {
			return
		}
		if observed {
			o.runCallback(c)
		} else {
			c.run()
		}
		open := !l.jobsWaiting() || l.checkpoint()
		if m != nil && l.measured(p) {
			m.RanAt(l.now())
		}
		if observed {
			o.callbackEnded()
		}
		if !open {
			return
		}
	}
}

// runLane is runCallbacks for a plain phase: the inner loop of most programs. It is a copy, so that a short task does
// not pay for building a callback and for unused features.
func (l *Loop) runLane(p phase) {
	b := &l.backlogs[phaseLanes[p]]
	for l.budget > 0 && b.Next() {
		l.budget--
		b.Pop()()
		if l.jobsWaiting() && !l.checkpoint() {
			return
		}
	}
}

// A callback is the next function of a phase. The zero callback means none.
type callback struct {
	fn     func()
	io     func(IOEvents) // instead of fn, for a descriptor
	events IOEvents
}

func (c *callback) none() bool { return c.fn == nil && c.io == nil }

func (c *callback) run() {
	if c.fn != nil {
		c.fn()
	} else {
		c.io(c.events)
	}
}

// function is the func value that was submitted.
func (c *callback) function() any {
	if c.fn != nil {
		return c.fn
	}
	return c.io
}

// next takes the next callback of a phase out.
func (l *Loop) next(p phase) callback {
	switch p {
	case phaseTimers:
		fn, when := l.timers.Fire()
		if fn != nil && l.meter != nil {
			l.meter.Due(when)
		}
		return callback{fn: fn}
	case phaseIO:
		io, events, released := l.poller.Next()
		if events == 0 {
			return callback{}
		}
		if released {
			l.release()
		}
		return callback{io: io, events: IOEvents(events)}
	}
	b := &l.backlogs[phaseLanes[p]]
	if l.budget <= 0 || !b.Next() {
		return callback{}
	}
	l.budget--
	if p == phaseExternal && l.bound != nil {
		l.bound.waiting.Add(-1)
	}
	return callback{fn: b.Pop()}
}

func (l *Loop) measured(p phase) bool {
	if p == phaseTimers {
		return l.meter.RanTimer()
	}
	return l.meter.Ran()
}

// takeImmediate goes on to the check phase of the next turn, if that has one immediate to run and the turn nothing before it,
// and takes the immediate away: see adapter.Hooks.TakeImmediate. A loop that is measured, observed or driven keeps its turns.
//
// Work of other goroutines shows in pending, and their requests to the owner in Attention, so neither waits behind a chain
// of immediates. The owner alone takes things out of the ingress, so the state under the lock is the one that it takes.
func (l *Loop) takeImmediate() bool {
	if l.ioReady || l.hasTasks() || l.core.Attention.Load() != 0 || l.meter != nil || l.observed != nil || l.driven {
		return false
	}
	if !l.timers.Settled() || l.timers.Next() != never && l.timers.Next() <= l.now() {
		return false
	}
	in := &l.in
	immediates := &in.inboxes[meter.Immediates]
	in.mu.lock()
	defer in.mu.unlock()
	if in.pending != pendingImmediates || immediates.Size() != 1 {
		return false
	}
	in.pending = 0
	b := &l.backlogs[meter.Immediates]
	b.Take(immediates)
	b.Next()
	b.Pop()
	l.slept = false
	return true
}
