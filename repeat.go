package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/timers"
)

// MissedTicks says what a repeating timer does when the loop was too busy to run it in time.
//
// Say it repeats every 10 ms and the loop is blocked from 25 ms to 48 ms:
//
//	SkipMissed      10 20 48      50 60   misses are left out, the rhythm stays
//	CatchUpMissed   10 20 48 48   50 60   every tick runs, late ones at once, the rhythm stays
//	DelayMissed     10 20 48      58 68   the rhythm starts anew from each run, so the timer drifts
//
// Ticks that are due when [Loop.Shutdown] begins run too, with CatchUpMissed the last 1,000 of those that were missed.
type MissedTicks uint8

// What a repeating timer does with ticks that it missed.
const (
	SkipMissed    MissedTicks = iota // the default
	CatchUpMissed                    // one late tick in each turn, until it has caught up
	DelayMissed                      // Node's setInterval
)

// ScheduleRepeating arranges for fn to run every period, first one period from now, until the timer is stopped. With
// SkipMissed and CatchUpMissed it does not drift: ticks are due at whole multiples of the period from the start.
//
// To stop it from its own callback, make it with [Loop.NewTicker].
//
// Errors: those of [Loop.ScheduleTimer], and [ErrInvalidPeriod] if period is not positive.
func (l *Loop) ScheduleRepeating(period time.Duration, missed MissedTicks, fn func()) (Timer, error) {
	if fn == nil {
		return Timer{}, ErrNilCallback
	}
	if period <= 0 {
		return Timer{}, ErrInvalidPeriod
	}
	if missed > DelayMissed {
		missed = SkipMissed
	}
	return l.schedule(period, fn, timers.MissedTicks(missed))
}

// NewTicker returns a repeating timer that is not armed: [Timer.Reset] gives it its period and arms it. Its callback can
// use the handle, to stop it for example. Otherwise it is as [Loop.NewTimer] and [Loop.ScheduleRepeating].
func (l *Loop) NewTicker(missed MissedTicks, fn func()) Timer {
	if missed > DelayMissed {
		missed = SkipMissed
	}
	return l.unarmed(fn, timers.MissedTicks(missed))
}
