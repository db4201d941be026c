package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// MissedTicks is the policy of a repeating timer for ticks that the loop was too busy to run in time.
//
// Say it repeats every 10 ms and the loop is blocked from 25 ms to 48 ms:
//
//	SkipMissed      10 20 48      50 60   misses are left out, the rhythm stays
//	CatchUpMissed   10 20 48 48   50 60   every tick runs, late ones at once, the rhythm stays
//	DelayMissed     10 20 48      58 68   the rhythm starts anew from each run, so the timer drifts
//
// Ticks that are due when [Loop.Shutdown] begins run too, with CatchUpMissed the last 1,000 of those that were missed.
type MissedTicks uint8

// The policies of a repeating timer for ticks that it missed.
const (
	SkipMissed    MissedTicks = iota // the default
	CatchUpMissed                    // one late tick in each turn, until it has caught up
	DelayMissed                      // Node's setInterval
)

// ScheduleRepeating arranges for fn to run every period, first one period from now, until the timer is stopped. It
// does not drift: ticks are due at whole multiples of the period from the start. Ticks that the loop missed are left out,
// see [SkipMissed].
//
// [Loop.NewTicker] makes a timer with another rule, or one that its own callback stops.
//
// Errors are those of [Loop.ScheduleTimer], and one that matches [ErrInvalid] if period ≤ 0.
func (l *Loop) ScheduleRepeating(period time.Duration, fn func()) (Timer, error) {
	if fn == nil {
		return Timer{}, inside.ErrNilCallback
	}
	if period <= 0 {
		return Timer{}, inside.ErrInvalidPeriod
	}
	return l.schedule(period, fn, timers.MissedTicks(SkipMissed))
}

// NewTicker returns a repeating timer that is not armed: [Timer.Reset] gives it its period and arms it. Its callback can
// use the handle, to stop it for example. Otherwise it is as [Loop.NewTimer] and [Loop.ScheduleRepeating].
func (l *Loop) NewTicker(missed MissedTicks, fn func()) Timer {
	if missed > DelayMissed {
		missed = SkipMissed
	}
	return l.unarmed(fn, timers.MissedTicks(missed))
}
