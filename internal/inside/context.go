package inside

import (
	"context"
	"errors"
	"fmt"
)

// An endedError is the error of an ended context whose cause does not match the context's own error.
type endedError struct{ err, cause error }

func (e *endedError) Error() string   { return fmt.Sprintf("%v: %v", e.err, e.cause) }
func (e *endedError) Unwrap() []error { return []error{e.err, e.cause} }

// ContextError returns an error that matches both the error of ctx, which has ended, and its cause.
func ContextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return cause
	}
	return &endedError{err, cause}
}
