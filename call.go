package eventloop

import (
	"context"

	"github.com/eventloop-go/eventloop/internal/inside"
)

// Call is [Loop.Do] for a function with a result: it runs fn on the loop, waits until fn has returned, and returns
// its results. Inside a callback it calls fn at once, inline.
//
// The errors of Do come with the zero value: one that matches the error of ctx and its cause, the [*PanicError] of
// fn, [ErrLoopTerminated], [ErrInvalid]. It costs one allocation more than Do, for the result: BenchmarkCall.
func Call[T any](ctx context.Context, loop *Loop, fn func() (T, error)) (T, error) {
	if fn == nil {
		var none T
		return none, inside.ErrNilCallback
	}
	r := new(struct {
		value T
		err   error
	})
	if err := loop.Do(ctx, func() { r.value, r.err = fn() }); err != nil {
		var none T // fn may be running: its result is dropped
		return none, err
	}
	return r.value, r.err
}
