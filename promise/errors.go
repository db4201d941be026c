package promise

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrNilReason is the reason of a promise that was to reject with a nil error, which would read as success.
	ErrNilReason = errors.New("promise: rejected with a nil error")

	// ErrNilPromise is the reason of a promise that was to follow a nil or zero promise.
	ErrNilPromise = errors.New("promise: nil or zero promise to follow")

	// ErrSelfResolution is the reason of a promise that was to follow itself: it would wait for ever. ECMA-262 has a
	// TypeError for that.
	ErrSelfResolution = errors.New("promise: promise cannot follow itself")

	// ErrTimeout is the reason of the promise of [WithTimeout] when the time is up. It also matches
	// [context.DeadlineExceeded], and its method Timeout reports true.
	ErrTimeout error = timeoutError{}

	// ErrAbandoned may come from a channel made by [Promise.Channel] when the promise can no longer be settled.
	ErrAbandoned = errors.New("promise: abandoned")
)

type timeoutError struct{}

func (timeoutError) Error() string        { return "promise: timeout" }
func (timeoutError) Timeout() bool        { return true }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// An AggregateError is the reason of the promise of [Any] when all its promises have rejected: ECMA-262's
// AggregateError. [errors.Is] and [errors.As] look into each of the errors.
type AggregateError struct {
	// Errors are the reasons, in the order in which the promises were given.
	Errors []error
}

// Error returns the number of rejected promises, and the first reason.
func (e *AggregateError) Error() string {
	if len(e.Errors) == 0 {
		return "promise: all promises were rejected: there was none"
	}
	return fmt.Sprintf("promise: all %d promises were rejected, the first with: %v", len(e.Errors), e.Errors[0])
}

// Unwrap returns the reasons.
func (e *AggregateError) Unwrap() []error { return e.Errors }
