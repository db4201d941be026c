package promise

import (
	"context"
	"errors"
	"fmt"
)

var (
	// ErrNilReason is what a promise rejects with when it is asked to reject with a nil error, which would read as
	// success.
	ErrNilReason = errors.New("promise: rejected with a nil error")

	// ErrNilPromise is what a promise rejects with when it is to follow a nil promise, or a zero one.
	ErrNilPromise = errors.New("promise: nil or zero promise to follow")

	// ErrSelfResolution is what a promise rejects with when it is to follow itself: it would wait for ever. ECMA-262
	// has a TypeError here.
	ErrSelfResolution = errors.New("promise: promise cannot follow itself")

	// ErrTimeout is what the promises of [Timeout] and [WithTimeout] reject with when the time is up. It also matches
	// [context.DeadlineExceeded], and its method Timeout reports true.
	ErrTimeout error = timeoutError{}

	// ErrChannelClosed is what the promise of [FromChannel] rejects with when the channel closes without a value.
	ErrChannelClosed = errors.New("promise: channel closed")

	// ErrAbandoned is what a channel made by [Promise.Channel] may deliver when nobody can settle the promise any more.
	ErrAbandoned = errors.New("promise: abandoned")

	// ErrFulfilled is the cause of a context made by [Context] whose promise was fulfilled.
	ErrFulfilled = errors.New("promise: fulfilled")
)

type timeoutError struct{}

func (timeoutError) Error() string        { return "promise: timeout" }
func (timeoutError) Timeout() bool        { return true }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// An AggregateError is what the promise of [Any] rejects with when all its promises have rejected: ECMA-262's
// AggregateError. [errors.Is] and [errors.As] look into each of the errors.
type AggregateError struct {
	// Errors are the reasons, in the order in which the promises were given.
	Errors []error
}

// Error tells how many promises rejected, and why the first did.
func (e *AggregateError) Error() string {
	if len(e.Errors) == 0 {
		return "promise: all promises were rejected: there was none"
	}
	return fmt.Sprintf("promise: all %d promises were rejected, the first with: %v", len(e.Errors), e.Errors[0])
}

// Unwrap returns the reasons.
func (e *AggregateError) Unwrap() []error { return e.Errors }
