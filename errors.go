package eventloop

import (
	"errors"
	"fmt"
)

// The errors that methods of a [Loop] return. Match them with [errors.Is].
var (
	// ErrLoopTerminated says that the loop no longer accepts this work: it is shutting down, was closed, or has
	// ended. The callback was not accepted and never runs.
	ErrLoopTerminated = errors.New("eventloop: loop terminated")

	// ErrLoopRunning says that Run was called while the loop is already running.
	ErrLoopRunning = errors.New("eventloop: loop is already running")

	// ErrLoopNotRunning says that the caller waited for a loop that nobody runs: Run was not called. A request to shut
	// down is kept: see [Loop.Shutdown].
	ErrLoopNotRunning = errors.New("eventloop: loop is not running: nobody has called Run")

	// ErrLoopClosed is what Run returns after Close. The error in hand is a [*ClosedError] that counts what was dropped.
	ErrLoopClosed = errors.New("eventloop: loop closed")

	// ErrDrainTimeout says that a loop was closed because it had not drained within [WithDrainTimeout].
	ErrDrainTimeout = errors.New("eventloop: the loop has not drained in time, and was closed")

	// ErrOnLoop says that the call would wait for the loop while it holds the loop's own goroutine: a deadlock.
	ErrOnLoop = errors.New("eventloop: called from the loop's own goroutine, waiting there would deadlock")

	// ErrNilCallback says that the callback is nil.
	ErrNilCallback = errors.New("eventloop: nil callback")

	// ErrInvalidPeriod says that a repeating timer was asked for with a period that is not positive.
	ErrInvalidPeriod = errors.New("eventloop: the period of a repeating timer must be positive")

	// ErrZeroLoop says that the Loop is a zero value. Make loops with New.
	ErrZeroLoop = errors.New("eventloop: zero Loop: make it with New")

	// ErrReleased says that a keep-alive token was released a second time.
	ErrReleased = errors.New("eventloop: keep-alive token was already released")

	// ErrGoexit is the value of a [PanicError] whose callback called [runtime.Goexit] instead of panicking.
	ErrGoexit = errors.New("eventloop: callback called runtime.Goexit")
)

// A PanicError describes a callback that panicked, or that called [runtime.Goexit].
type PanicError struct {
	// Value is what the callback passed to panic; [*runtime.PanicNilError] for panic(nil), [ErrGoexit] for Goexit.
	Value any

	// Stack is the innermost part of the stack of the loop's goroutine at the panic, in the manner of
	// [runtime/debug.Stack].
	Stack []byte
}

// Error gives the panic's value, without the stack.
func (e *PanicError) Error() string {
	if e.Value == ErrGoexit {
		return ErrGoexit.Error()
	}
	return fmt.Sprintf("eventloop: callback panicked: %v", e.Value)
}

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// A ClosedError is what [Loop.Run] returns when [Loop.Close] ended it. It matches [ErrLoopClosed].
type ClosedError struct {
	// Dropped counts what was accepted and did not run.
	Dropped Dropped

	reason error
}

// Unwrap returns [ErrDrainTimeout] if that is why the loop was closed, and nil after Close.
func (e *ClosedError) Unwrap() error { return e.reason }

// Error states how much was dropped.
func (e *ClosedError) Error() string {
	why := ErrLoopClosed
	if e.reason != nil {
		why = e.reason
	}
	return fmt.Sprintf("%v, dropping %d accepted callbacks and %d pending timers", why, e.Dropped.Callbacks(), e.Dropped.Timers)
}

// Is reports whether target is [ErrLoopClosed].
func (e *ClosedError) Is(target error) bool { return target == ErrLoopClosed }
