package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// timersWaiting is the number of new timers after which a sleeping loop is woken to take them.
const timersWaiting = 4096

// alarmFor sees to it that a sleeping loop wakes for a timer that falls due at when. It sets the alarm itself where
// it can, so that the loop sleeps on, and reports true if the caller must wake the loop, which is so when the timer is
// due, as the caller may know, or when many timers wait to be put in order. The lock is held.
func (l *Loop) alarmFor(when int64, due bool) bool {
	if !l.in.sleeping {
		return false
	}
	if l.timers.Waiting() >= timersWaiting || l.clock != nil {
		return l.in.rouse(pendingNotice)
	}
	if when >= l.in.armed {
		return false
	}
	if !due {
		now := l.now() // again, for the caller has waited for the lock since
		if due = when <= now; !due {
			l.arm(when, now)
			return false
		}
	}
	return l.in.rouse(pendingNotice)
}

// arm sets the alarm to ring at when, unless it rings earlier. The lock is held.
func (l *Loop) arm(when, now int64) {
	in := &l.in
	if when >= in.armed || l.clock != nil {
		return
	}
	in.armed = when
	delay := time.Duration(when - now)
	if in.alarm == nil {
		in.alarm = sched.AfterFunc(delay, l.ring)
	} else {
		in.alarm.Reset(delay)
	}
}

// ring is what the alarm runs. An alarm that was meant for a timer cancelled since wakes the loop for nothing, once.
func (l *Loop) ring() {
	in := &l.in
	in.mu.lock()
	in.armed = never
	asleep := in.rouse(pendingNotice)
	in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
}
