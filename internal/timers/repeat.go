package timers

import "math"

// Never is the time that does not come.
const Never = math.MaxInt64

// MissedTicks is the policy of a repeating timer for ticks that it missed.
type MissedTicks uint8

const (
	SkipMissed    MissedTicks = iota // leave them out
	CatchUpMissed                    // run each of them
	DelayMissed                      // begin a new rhythm

	Once MissedTicks = 255 // not a repeating timer
)

// CatchUpAtEnd is the largest number of missed ticks that a catching-up timer still runs once the end has begun.
const CatchUpAtEnd = 1000

// Next returns the deadline after the one at when, of a timer that has just run.
func (m MissedTicks) Next(when, period, now int64) int64 {
	period = max(period, 1)
	var next int64
	switch m {
	case CatchUpMissed:
		next = when + period
	case DelayMissed:
		next = now + period
	default:
		next = when + period
		if next <= now {
			next += (now - next) / period * period
			if next <= now {
				next += period
			}
		}
	}
	if next < 0 {
		return Never // the clock overflows in some 292 years
	}
	return next
}

// NextAtEnd is Next for a loop that will run only timers due until the time end. If a timer has to catch up until
// then, only the last of its ticks are left.
func (m MissedTicks) NextAtEnd(when, period, now, end int64) int64 {
	next := m.Next(when, period, now)
	if m == CatchUpMissed && next <= end {
		if missed := (end-next)/max(period, 1) + 1; missed > CatchUpAtEnd {
			next += (missed - CatchUpAtEnd) * max(period, 1)
		}
	}
	return next
}
