package js

import (
	"fmt"
	"math"
	"runtime"
	"time"
	"weak"

	"github.com/eventloop-go/eventloop"
)

// AbortSignalTimeout makes a signal that aborts when ms milliseconds have passed, with an [ErrTimeout]:
// AbortSignal.timeout. The timer does not keep a loop open. Both it and the signal are collected when the signal is
// unreachable and nothing waits for it. Fractions are cut off. Any goroutine may call it.
//
// Errors: [ErrRange] unless ms is between 0 and 2⁵³−1, and those of [eventloop.Loop.ScheduleTimer].
func (e *Env) AbortSignalTimeout(ms float64) (*AbortSignal, error) {
	const most = 1<<53 - 1
	if !(ms >= 0 && ms <= most) {
		return nil, &Exception{ErrRange.Name, fmt.Sprintf("AbortSignalTimeout needs 0 to %d milliseconds, not %v", int64(most), ms)}
	}
	delay := time.Duration(math.MaxInt64) // some 292 years
	if ms < float64(delay/time.Millisecond) {
		delay = time.Duration(ms) * time.Millisecond
	}
	s := e.newSignal()
	x := &expiration{loop: e.loop, weak: weak.Make(s)}
	s.timer = x
	var err error
	if x.timer, err = e.loop.ScheduleTimer(delay, x.expire); err != nil {
		return nil, err
	}
	x.timer.Unref()
	runtime.AddCleanup(s, cancelExpiration, weak.Make(x))
	return s, nil
}

// An expiration refers to the signal of a timeout: weakly, unless something waits for that. The timer refers to it.
type expiration struct {
	loop   *eventloop.Loop
	timer  eventloop.Timer
	weak   weakSignal
	signal *AbortSignal // the same signal while it is kept; guarded by its lock. Only the collector reads it
}

func (x *expiration) expire() {
	if s := x.weak.Value(); s != nil {
		_ = s.abort(ErrTimeout) // on the loop, which cannot have ended
	}
}

// cancelExpiration runs when a signal was collected. Its argument is weak, because a cleanup keeps its argument. A
// strong one would keep the signal while a timer of an ended loop is pending.
func cancelExpiration(w weak.Pointer[expiration]) {
	if x := w.Value(); x != nil {
		x.loop.CancelTimer(x.timer)
	}
}
