package eventloop

import "github.com/eventloop-go/eventloop/internal/inside"

// takeTimers takes new timers over from the ingress. The lock is held; the caller calls settleTimers next, without it.
func (l *Loop) takeTimers() {
	if l.timers.Take() {
		l.core.Attention.And(^inside.AttendTimers)
	}
}

// takeNewTimers takes over new timers, and nothing else: in the middle of a phase, tasks would join the batch in progress,
// which must end, and repeating timers are set anew when their phase is over.
func (l *Loop) takeNewTimers() {
	l.in.mu.lock()
	l.takeTimers()
	l.in.mu.unlock()
	l.timers.AdoptMore()
}

// settleTimers puts in order what takeTimers took, and after a timers phase sets the repeating timers anew.
func (l *Loop) settleTimers() {
	if !l.timers.WantsAdopt() {
		return
	}
	l.pass()
	l.timers.Adopt()
	if l.timers.Ran() {
		end := int64(-1)
		if l.core.Attention.Load()&inside.AttendStop != 0 {
			end = l.stopTime()
		}
		l.timers.Repeat(l.now(), end)
	}
}

// stopTime is when the graceful shutdown began, which has.
func (l *Loop) stopTime() int64 {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	return l.in.stopAt
}

// mayBeDue reports whether the loop has to look at its timers once more before it sleeps, and for those that are due at
// which time: it has taken new ones, or one is due, or the first was cancelled. Otherwise it sets the alarm. The
// lock is held, and this takes no longer if there are many timers.
func (l *Loop) mayBeDue() (due bool, by int64) {
	when := l.timers.Next()
	if l.timers.Settled() && when == never {
		return false, 0
	}
	now := l.now()
	if l.timers.Settled() && l.timers.NextLive() && when > now {
		l.arm(when, now)
		return false, 0
	}
	if l.in.state == stateStopping && l.holds == 0 {
		return true, l.in.stopAt
	}
	return true, now
}

// timersDue reads the clock, if there are timers, and reports whether one is due. It fixes the time that the timers
// phase works to: what falls due while it runs waits for the next turn, so the phase ends. Whatever was accepted before
// the clock was read is in the phase.
func (l *Loop) timersDue() bool {
	if l.timers.Empty() && l.core.Attention.Load()&inside.AttendTimers == 0 {
		return false
	}
	now := l.now()
	if l.meter != nil {
		l.meter.Read(now)
	}
	if l.core.Attention.Load()&inside.AttendTimers != 0 {
		l.takeNewTimers()
	}
	return l.timers.Begin(now)
}

// runTimers runs the timers that are due, in order.
func (l *Loop) runTimers() {
	m := l.meter
	for {
		fn, when := l.timers.Fire()
		if fn == nil {
			return
		}
		if m != nil {
			m.Due(when)
		}
		fn()
		open := !l.jobsWaiting() || l.checkpoint()
		if m != nil && m.RanTimer() {
			m.RanAt(l.now())
		}
		if !open {
			return
		}
	}
}
