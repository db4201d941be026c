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
// AbortSignal.timeout. The timer does not keep a loop open, and both it and the signal go when nobody refers to the
// signal and nothing waits for it. Fractions are cut off. Any goroutine may call it.
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

// An expiration is what the timer of a timeout refers to: the signal weakly, unless something waits for that.
type expiration struct {
	loop   *eventloop.Loop
	timer  eventloop.Timer
	weak   weakSignal
	signal *AbortSignal // the same signal while it is kept; guarded by its lock. Nobody reads it but the collector
}

func (x *expiration) expire() {
	if s := x.weak.Value(); s != nil {
		_ = s.abort(ErrTimeout) // on the loop, which cannot have ended
	}
}

// cancelExpiration runs when a signal has gone. Its argument is weak because a cleanup's would else be kept, and with
// it a signal that waits for a timer of a loop that is no more.
func cancelExpiration(w weak.Pointer[expiration]) {
	if x := w.Value(); x != nil {
		x.loop.CancelTimer(x.timer)
	}
}
