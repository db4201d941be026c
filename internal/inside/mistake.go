package inside

import "errors"

// ErrInvalid is eventloop.ErrInvalid, which every [Mistake] wraps.
var ErrInvalid = errors.New("eventloop: invalid use")

// A Mistake is an error that a program makes, and must correct.
type Mistake string

func (m Mistake) Error() string { return "eventloop: " + string(m) }
func (m Mistake) Unwrap() error { return ErrInvalid }

// The mistakes that the packages of this module find.
const (
	ErrNilCallback   = Mistake("nil callback")
	ErrZeroLoop      = Mistake("zero Loop: make it with New")
	ErrInvalidPeriod = Mistake("the period of a repeating timer must be positive")
	ErrInvalidEvents = Mistake("invalid I/O events")
)
