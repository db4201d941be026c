package design

import "errors"

var (
	// ErrSelfResolution is why a promise rejects that was resolved with itself: it would wait for ever.
	ErrSelfResolution = errors.New("promise resolved with itself")

	// ErrNilReason stands in for a nil error, which would read as success.
	ErrNilReason = errors.New("promise rejected with a nil error")
)

// Reason returns the reason, or [ErrNilReason] if it is nil.
func Reason(reason error) error {
	if reason == nil {
		return ErrNilReason
	}
	return reason
}
