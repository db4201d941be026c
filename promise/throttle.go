package promise

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Reservation is a limiter's answer to a request: whether and when the events may happen. *rate.Reservation of
// golang.org/x/time/rate is one.
type Reservation interface {
	OK() bool
	DelayFrom(now time.Time) time.Duration
	CancelAt(now time.Time)
}

// Throttle returns a promise that is fulfilled when limiter allows n events. *rate.Limiter of golang.org/x/time/rate is such
// a limiter; R need not be written out:
//
//	limiter := rate.NewLimiter(rate.Every(100*time.Millisecond), 5) // 10 a second, up to 5 at once
//	_, err := promise.Await(c, promise.Throttle(ctx, loop, limiter, 1))
//
// Events are allowed in the order of the calls. The delay is a [Sleep], on the loop's clock, which looptest can
// simulate. If ctx ends first, the promise rejects as Sleep does, and the events are given back as far as the limiter
// can. If the limiter never allows n events, the error matches [eventloop.ErrInvalid].
//
// Any goroutine may call Throttle, if it may call the limiter. Throttle adds one allocation to the limiter's cost if
// the events may happen now, and otherwise a Sleep and a reaction.
func Throttle[R Reservation](ctx context.Context, loop *eventloop.Loop, limiter interface {
	ReserveN(now time.Time, n int) R
}, n int) *Promise[struct{}] {
	if ctx.Err() != nil {
		return Reject[struct{}](loop, inside.ContextError(ctx))
	}
	now := clockOf(loop)
	r := limiter.ReserveN(now, n)
	delay := time.Duration(math.MaxInt64)
	if r.OK() {
		delay = r.DelayFrom(now)
	}
	switch {
	case delay == math.MaxInt64:
		r.CancelAt(now)
		return Reject[struct{}](loop, fmt.Errorf("promise: the limiter never allows %d events: %w", n, eventloop.ErrInvalid))
	case delay <= 0:
		return Resolve(loop, struct{}{})
	}
	return Sleep(ctx, loop, delay).Catch(func(err error) (struct{}, error) {
		r.CancelAt(clockOf(loop))
		return struct{}{}, err
	})
}

// clockOf returns the date and time by the clock of loop.
func clockOf(loop *eventloop.Loop) time.Time {
	if clock := inside.Of(loop).Clock(); clock != nil {
		return clock()
	}
	return sched.Now()
}
