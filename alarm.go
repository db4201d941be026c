package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// alarmFor sees to it that a sleeping loop wakes for a timer that falls due at when. It sets the alarm itself where
// it can, so that the loop sleeps on, and reports true if the caller must wake the loop, which is so when the timer is
// due, or when many timers wait to be put into the heap. The lock is held.
func (l *Loop) alarmFor(when int64, delay time.Duration) bool {
	if !l.in.sleeping {
		return false
	}
	if len(l.in.timers) >= timersWaiting {
		return l.in.rouse()
	}
	if when >= l.in.armed {
		return false
	}
	if delay <= 0 {
		return l.in.rouse()
	}
	l.setAlarm(when, delay)
	return false
}

// arm is alarmFor for the owner, before it sleeps. The lock is held.
func (l *Loop) arm(when, now int64) {
	if when < l.in.armed {
		l.setAlarm(when, time.Duration(when-now))
	}
}

func (l *Loop) setAlarm(when int64, delay time.Duration) {
	in := &l.in
	in.armed = when
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
	asleep := in.rouse()
	in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
}
