package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/sched"
)

// take moves everything from the ingress to the owner's side.
func (l *Loop) take() {
	l.in.mu.lock()
	l.takeLocked()
	l.in.mu.unlock()
	l.settleTimers()
}

// takeLocked is take for a caller that holds the lock and calls settleTimers after it.
func (l *Loop) takeLocked() {
	in := &l.in
	p := in.pending
	in.pending, l.batch = 0, 0
	if p&pendingExternal != 0 {
		l.batch = in.external.Newest()
		l.external.Take(&in.external)
	}
	if p&^pendingExternal != 0 {
		if p&pendingInternal != 0 {
			l.internal.Take(&in.internal)
		}
		if p&pendingImmediates != 0 {
			l.immediates.Take(&in.immediates)
		}
		if p&pendingClosing != 0 {
			l.closing.Take(&in.closing)
		}
		if p&pendingIO != 0 {
			l.ioReady = true
		}
		if p&pendingJobs != 0 {
			l.takeJobs()
		}
		if l.batch == 0 && p&(pendingInternal|pendingJobs) != 0 {
			l.batch = 1
		}
		if p&pendingNotice != 0 {
			l.observed = in.observed
		}
	}
	in.taken = l.external.Size()
	if p&pendingTimers != 0 || l.timers.WantsTake() {
		l.takeTimers()
	}
	if l.meter != nil {
		l.meter.Take()
	}
}

// hasTasks reports whether anything but timers is ready to run.
func (l *Loop) hasTasks() bool {
	return l.ticks.Len()|l.core.Micros.Len()|l.core.Afterward.Len() != 0 || !l.internal.Empty() || !l.external.Empty() || !l.immediates.Empty() || !l.closing.Empty()
}

// poll takes new work, parks while there is none, and reports false when the loop is to end.
//
// Protocol. The owner sets sleeping under the ingress lock after it has seen the ingress empty in the same critical
// section. Whoever adds work afterwards, or has another reason to wake the loop, finds sleeping set under that lock,
// clears it, and then owes exactly one send on wake; nobody else sends. So a wake-up is never lost, the channel of
// capacity 1 never blocks a sender, and no token is ever left over.
func (l *Loop) poll() bool {
	l.giveWay()
	l.slept = false
	in := &l.in
	for polled, woken := false, false; ; {
		in.mu.lock()
		if woken {
			woken = false
			if l.meter != nil {
				l.meter.Wake(l.now())
			}
			l.gather()
		}
		l.takeLocked()
		if l.hasTasks() && in.state != stateClosing {
			in.mu.unlock()
			l.settleTimers()
			return true
		}
		if l.ends() {
			in.state = stateTerminated
			in.mu.unlock()
			return false
		}
		if l.ioReady { // it does not put off the end: readiness is no work that was accepted
			in.mu.unlock()
			l.settleTimers()
			return true
		}
		if due, by := l.mayBeDue(); due {
			// What takes time is done without the lock.
			in.mu.unlock()
			l.settleTimers()
			if l.timers.Due(by) {
				return true
			}
			continue
		}
		if !polled && l.busy.limit > 0 {
			in.mu.unlock()
			l.busyPoll(l.timers.Next())
			polled = true
			continue
		}
		if l.clock != nil && l.clock.Idle(l.timers.Next()) {
			in.mu.unlock()
			continue
		}
		in.sleeping = true
		if l.meter != nil {
			l.meter.Sleep(l.now())
		}
		in.mu.unlock()
		l.trim()
		if l.observed != nil {
			l.observed.slept(LoopSleeps)
		}
		if l.driven { // whoever drives the loop waits
			l.slept = true
			return true
		}
		sched.Receive(l.wake)
		if l.observed != nil {
			l.observed.slept(LoopWakes)
		}
		woken, l.slept = true, true
	}
}

// ends reports whether the loop has reached its end. There are no tasks, or Close was called. The lock is held.
func (l *Loop) ends() bool {
	switch l.in.state {
	case stateStopping:
		// Timers that were due are work accepted before the shutdown. Those that fall due later are not, or a
		// repeating one could hold it up for ever.
		return l.holds == 0 && l.timers.Settled() && l.timers.Next() > l.in.stopAt
	case stateClosing:
		return true
	default:
		return l.autoExit && !l.driven && l.live.Load() == 0
	}
}

// trim gives back the memory that a burst has left in the owner's queues.
func (l *Loop) trim() {
	l.ticks.Trim()
	l.core.Micros.Trim()
	l.core.Afterward.Trim()
	l.timers.Trim()
	if l.meter != nil {
		l.meter.Trim()
	}
}

// nudge wakes the loop, if it sleeps, to look again at whether it has something to do or an end to come to.
func (l *Loop) nudge() {
	l.in.mu.lock()
	asleep := l.in.rouse(pendingNotice)
	l.in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
}
