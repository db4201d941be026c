// Package detach runs functions that cannot be interrupted.
package detach

import "context"

// Run calls fn on a goroutine of its own, and returns its results. When ctx ends first, it returns the cause of that.
// The goroutine then ends by itself, when fn returns. A context that cannot end costs no goroutine.
func Run[T any](ctx context.Context, fn func() (T, error)) (T, error) {
	if ctx.Done() == nil {
		return fn()
	}
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1) // so that fn's goroutine ends without a receiver
	go func() {
		v, err := fn()
		done <- outcome{v, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
