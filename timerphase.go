package eventloop

import "github.com/eventloop-go/eventloop/internal/inside"

// takeTimers takes new timers over from the ingress. The lock is held; the caller calls settleTimers next, without it.
func (l *Loop) takeTimers() {
	if l.timers.Take() {
		l.core.Attention.And(^inside.AttendTimers)
	}
}

// takeNewTimers takes over new timers only, in the middle of a phase. Tasks would join the batch in progress, which
// must end. Repeating timers are set again when their phase is over.
func (l *Loop) takeNewTimers() {
	l.in.mu.lock()
	l.takeTimers()
	l.in.mu.unlock()
	l.timers.AdoptMore()
}

// settleTimers sorts the timers that takeTimers took, and after a timers phase sets the repeating timers again.
func (l *Loop) settleTimers() {
	if !l.timers.WantsAdopt() {
		return
	}
	l.meterPause()
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

// mayBeDue reports whether the loop has to check its timers once more before it sleeps, and up to which time. That is
// so if it has taken new timers, if one is due, or if the first was cancelled. Otherwise mayBeDue sets the alarm. The
// caller holds the lock, and the call takes no longer with many timers.
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
// phase works to. Timers that fall due during the phase wait for the next turn, so the phase ends. Every timer
// accepted before the clock was read is in the phase.
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
