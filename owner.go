package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// ScheduleOwnTimer is adapter.Hooks.ScheduleTimer: [Loop.ScheduleTimer] without the lock, unless other goroutines have
// scheduled timers that come first.
func (v view) ScheduleOwnTimer(delay time.Duration, fn func()) (Timer, error) {
	return v.scheduleOwn(delay, fn)
}

func (l *Loop) scheduleOwn(delay time.Duration, fn func()) (Timer, error) {
	if fn == nil {
		return Timer{}, inside.ErrNilCallback
	}
	if l.done == nil {
		return Timer{}, inside.ErrZeroLoop
	}
	if a := l.core.Attention.Load(); a&(inside.AttendStop|inside.AttendClose|inside.AttendTimers|inside.AttendNew) != 0 {
		switch {
		case a&(inside.AttendStop|inside.AttendClose) != 0:
			return Timer{}, ErrLoopTerminated
		case a&inside.AttendNew != 0:
			return l.ScheduleTimer(delay, fn)
		}
		l.takeNewTimers() // timers scheduled earlier come first where deadlines are equal
	}
	when := timers.After(l.now(), int64(delay))
	if l.timers.WantsRefill() {
		l.in.mu.lock()
		l.timers.Refill()
		l.in.mu.unlock()
	}
	if l.creations != nil {
		return l.creations.scheduleOwn(when, int64(delay), fn), nil
	}
	return Timer{l.timers.ScheduleOwn(when, int64(delay), fn)}, nil
}
