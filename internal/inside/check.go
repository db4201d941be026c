package inside

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
)

const (
	firstCheck   = time.Millisecond // most waits are over by then
	longestCheck = time.Second
)

// WithCheck returns a context that also ends, with err as its error, when check has returned true. Check is called on another
// goroutine, from time to time, until release is called.
func WithCheck(ctx context.Context, err error, check func() bool) (_ context.Context, release func()) {
	ctx, end := context.WithCancelCause(ctx)
	var again func(time.Duration)
	again = func(pause time.Duration) {
		sched.AfterFunc(pause, func() {
			switch {
			case ctx.Err() != nil: // it was released
			case check():
				end(err)
			default:
				again(min(2*pause, longestCheck))
			}
		})
	}
	again(firstCheck)
	return checkedContext{ctx, err}, func() { end(nil) }
}

// A checkedContext has the error of a check that has ended it.
type checkedContext struct {
	context.Context
	err error
}

func (c checkedContext) Err() error {
	if err := context.Cause(c.Context); err == c.err {
		return err
	}
	return c.Context.Err()
}
