package eventloop

import (
	"runtime/trace"

	"github.com/eventloop-go/eventloop/internal/queue"
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

// guard runs a phase to its end, however many of its callbacks panic.
//
// One deferred recover covers the whole phase, not each callback. Phases keep their progress in the loop's fields,
// so after a panic the phase is simply resumed: the callback that panicked is gone, nothing else is.
func (l *Loop) guard(p phase) {
	if (l.observed != nil || trace.IsEnabled()) && !l.telling {
		l.guardObserved(p)
		return
	}
	m := l.meter
	if m != nil && m.Begin(lanes[p]) {
		m.BeginAt(lanes[p], l.now())
	}
	for !l.resume(p) {
	}
	if m != nil && m.End(l.jobs) {
		m.EndAt(l.now())
	}
}

// resume runs the rest of a phase. It reports true at its end and false after a panic.
func (l *Loop) resume(p phase) (finished bool) {
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
	if open && l.observed.callbacks() {
		l.runObserved(p)
	} else if open {
		switch p {
		case phaseTimers:
			l.runTimers()
		case phaseInternal:
			l.runBatch(&l.internal)
		case phaseExternal:
			if l.bound == nil {
				l.runBatch(&l.external)
			} else {
				l.runBounded()
			}
		case phaseIO:
			l.runIO()
		case phaseImmediates:
			l.runImmediates()
		case phaseClosing:
			l.runBatch(&l.closing)
		}
	}
	return true
}

// runBatch runs the batches that waited when the phase began: all of them if they are small, as when they were taken
// over at several points of the turn, and else no more than fill one batch, so that timers and the priority lane are
// never far from a long backlog. Nothing joins the backlog while it runs.
func (l *Loop) runBatch(b *queue.Backlog) {
	m := l.meter
	for n := 0; n < queue.BatchSize && b.Next(); {
		n += b.Ready()
		for b.Ready() > 0 {
			b.Pop()()
			open := !l.jobsWaiting() || l.checkpoint()
			if m != nil && m.Ran() {
				m.RanAt(l.now())
			}
			if !open {
				return
			}
		}
	}
}

// runImmediates runs the immediates that waited when the phase began, however many batches they fill.
func (l *Loop) runImmediates() {
	m := l.meter
	for l.checks > 0 && l.immediates.Next() {
		l.checks--
		l.immediates.Pop()()
		open := !l.jobsWaiting() || l.checkpoint()
		if m != nil && m.Ran() {
			m.RanAt(l.now())
		}
		if !open {
			return
		}
	}
}

// takeImmediate goes on to the check phase of the next turn, if that has one immediate to run and the turn nothing before it,
// and takes the immediate away: see adapter.Hooks.TakeImmediate. A loop that is measured, observed or driven keeps its turns.
//
// What other goroutines hand in shows in pending, and what they want of the owner in Attention, so neither waits behind a chain
// of immediates. The owner alone takes things out of the ingress: what was there under the lock is what it takes.
func (l *Loop) takeImmediate() bool {
	if l.checks > 0 || l.ioReady || l.hasTasks() || l.core.Attention.Load() != 0 || l.meter != nil || l.observed != nil || l.driven {
		return false
	}
	if !l.timers.Settled() || l.timers.Next() != never && l.timers.Next() <= l.now() {
		return false
	}
	in := &l.in
	in.mu.lock()
	defer in.mu.unlock()
	if in.pending != pendingImmediates || in.immediates.Size() != 1 {
		return false
	}
	in.pending = 0
	l.immediates.Take(&in.immediates)
	l.immediates.Pop()
	l.slept = false
	return true
}
