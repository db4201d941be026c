package inside

import (
	"context"
	"time"
)

// A Clock takes the place of the machine's, for a loop under test.
type Clock interface {
	// Epoch is the date and time at which the loop is made.
	Epoch() time.Time

	// Now is the time in nanoseconds since the epoch. Any goroutine may call it.
	Now() int64

	// Idle tells that the loop has nothing to do at present, and that no timer is due before next. It reports whether the
	// time has moved on, so that the loop looks at its timers again; otherwise the loop goes to sleep. The loop's owner calls
	// it, with the lock held that others need to give the loop work.
	Idle(next int64) (moved bool)

	// AfterFunc has fn called when the time has moved on by d in a callback, in the midst of that.
	AfterFunc(d time.Duration, fn func())
}

// A Simulation is a Clock that also runs what else happens to a loop: see package loopsim. The loop is driven, see adapter.Drive.
type Simulation interface {
	Clock

	// Woken is called by the goroutine that has woken the loop.
	Woken()

	// AfterContext is [context.AfterFunc] without a goroutine: fn is called when the simulation comes to it.
	AfterContext(ctx context.Context, fn func()) (stop func() bool)
}

// WithClock returns the eventloop.Option that has a loop go by a clock. Package eventloop sets it.
var WithClock func(Clock) any

// WithTimeout is [context.WithTimeoutCause] on the clock of a loop, by a timer of the loop. The loop calls then when
// the context has ended because of the time. A context that ends by a simulated clock reports no deadline, because
// deadlines are of the machine's clock.
func WithTimeout(ctx context.Context, schedule func(time.Duration, func()) (cancel func()), d time.Duration, cause error, then func()) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	limited := timeoutContext{ctx, cause}
	stop := schedule(d, func() {
		end(cause)
		then()
	})
	return limited, func() {
		stop()
		end(nil)
	}
}

// A timeoutContext has the error of a deadline where its cause says so.
type timeoutContext struct {
	context.Context
	cause error
}

func (c timeoutContext) Err() error {
	err := c.Context.Err()
	if err != nil && context.Cause(c.Context) == c.cause {
		return context.DeadlineExceeded
	}
	return err
}
