package eventloop

import "context"

// Call is [Loop.Do] for a function with a result: it runs fn on the loop, waits until it has returned, and returns what
// it returned. From inside a callback it calls fn at once, inline.
//
// The errors of Do come with the zero value: the cause of ctx, the [*PanicError] of fn, [ErrLoopTerminated],
// [ErrNilCallback], [ErrZeroLoop]. It costs what Do costs, and one allocation for the result:
// BenchmarkCall.
func Call[T any](ctx context.Context, loop *Loop, fn func() (T, error)) (T, error) {
	if fn == nil {
		var none T
		return none, ErrNilCallback
	}
	r := new(struct {
		value T
		err   error
	})
	if err := loop.Do(ctx, func() { r.value, r.err = fn() }); err != nil {
		var none T // fn may be running: what it returns belongs to nobody
		return none, err
	}
	return r.value, r.err
}
