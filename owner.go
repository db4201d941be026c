package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// An Owner is a loop as seen by code that runs on it, such as state machines with many timers. Its method skips the lock
// that [Loop.ScheduleTimer] needs to be safe for any goroutine.
//
// It must be called from inside a callback of the loop, or before Run by the goroutine that will call it. Nothing
// checks that: from elsewhere it is a data race, which the race detector reports.
type Owner struct{ l *Loop }

// Owner returns the owner's view of the loop.
func (l *Loop) Owner() Owner { return Owner{l} }

// ScheduleTimer is [Loop.ScheduleTimer] without the lock, unless other goroutines have scheduled timers that come first.
func (o Owner) ScheduleTimer(delay time.Duration, fn func()) (Timer, error) {
	l := o.l
	if fn == nil {
		return Timer{}, ErrNilCallback
	}
	if l.done == nil {
		return Timer{}, ErrZeroLoop
	}
	if a := l.core.Attention.Load(); a&(inside.AttendStop|inside.AttendClose|inside.AttendTimers) != 0 {
		if a&(inside.AttendStop|inside.AttendClose) != 0 {
			return Timer{}, ErrLoopTerminated
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
