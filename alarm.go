package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// timersWaiting is the number of new timers after which a sleeping loop is woken to take them.
const timersWaiting = 4096

// alarmFor makes a sleeping loop wake for a timer that is due at when. If possible it sets the alarm, and the loop
// sleeps on. It reports true if the caller must wake the loop: because the timer is already due, which the caller may
// know, or because many timers wait to be sorted. The caller holds the lock.
func (l *Loop) alarmFor(when int64, due bool) bool {
	if !l.in.sleeping {
		return false
	}
	if l.timers.Waiting() >= timersWaiting || l.clock != nil {
		return l.in.arrive(pendingNotice)
	}
	if when >= l.in.armed {
		return false
	}
	if !due {
		now := l.now() // read again: the caller has waited for the lock since
		if due = when <= now; !due {
			l.arm(when, now)
			return false
		}
	}
	return l.in.arrive(pendingNotice)
}

// arm sets the alarm to fire at when, unless it fires earlier. The lock is held.
func (l *Loop) arm(when, now int64) {
	in := &l.in
	if when >= in.armed || l.clock != nil {
		return
	}
	in.armed = when
	delay := time.Duration(when - now)
	if in.alarm == nil {
		in.alarm = sched.AfterFunc(delay, l.alarmFired)
	} else {
		in.alarm.Reset(delay)
	}
}

// alarmFired runs when the alarm fires. An alarm that was meant for a timer cancelled since wakes the loop for nothing, once.
func (l *Loop) alarmFired() {
	in := &l.in
	in.mu.lock()
	in.armed = never
	asleep := in.arrive(pendingNotice)
	in.mu.unlock()
	if asleep {
		l.unpark()
	}
}
