package eventloop

import (
	"errors"
	"fmt"

	"github.com/eventloop-go/eventloop/internal/inside"
)

// The errors that methods of a [Loop] return. Match them with [errors.Is].
var (
	// ErrLoopTerminated says that the loop no longer accepts this work: it is shutting down, was closed, or has
	// ended. The callback was not accepted and never runs.
	ErrLoopTerminated = errors.New("eventloop: loop terminated")

	// ErrLoopRunning says that Run was called while the loop is already running.
	ErrLoopRunning = errors.New("eventloop: loop is already running")

	// ErrLoopNotRunning says that the caller waited for a loop on which Run was not called. A request to shut down
	// stays in effect: see [Loop.Shutdown].
	ErrLoopNotRunning = errors.New("eventloop: loop is not running: nobody has called Run")

	// ErrLoopClosed says that Close ended the loop. Run's error matches it, and its text has the sums of [Loop.Dropped].
	ErrLoopClosed = errors.New("eventloop: loop closed")

	// ErrDrainTimeout says that a loop was closed because it had not drained within [WithDrainTimeout].
	ErrDrainTimeout = errors.New("eventloop: the loop has not drained in time, and was closed")

	// ErrOnLoop says that the call would wait for the loop while it holds the loop's own goroutine: a deadlock. A
	// generator of [iter.Pull] that the loop pulls holds it too. There the call returns after a millisecond or some more.
	ErrOnLoop = errors.New("eventloop: called from the loop's own goroutine, waiting there would deadlock")

	// ErrQueueFull says that a queue with a limit is full. The callback, or the event, was not accepted.
	ErrQueueFull = errors.New("eventloop: queue is full")

	// ErrInvalid reports a mistake of the program: a nil callback, a period ≤ 0, unknown events, or a zero Loop. The
	// text of the returned error names it.
	ErrInvalid = inside.ErrInvalid

	// ErrTimerCancelled says that the timer was given back with CancelTimer, or is a zero Timer. Schedule a new one.
	ErrTimerCancelled = errors.New("eventloop: timer was cancelled for good")

	// ErrFDRegistered says that the descriptor is registered with the loop already.
	ErrFDRegistered = errors.New("eventloop: descriptor is already registered")

	// ErrGoexit is the value of a [PanicError] whose callback called [runtime.Goexit] instead of panicking.
	ErrGoexit = errors.New("eventloop: callback called runtime.Goexit")
)

// A PanicError describes a callback that panicked, or that called [runtime.Goexit].
type PanicError struct {
	// Value is the callback's argument to panic; [*runtime.PanicNilError] for panic(nil), [ErrGoexit] for Goexit.
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

// A closedError is the result of Run when Close or the limit of the drain ended the loop.
type closedError struct {
	dropped Dropped
	reason  error // ErrDrainTimeout, or nil after Close
}

func (e *closedError) Unwrap() error        { return e.reason }
func (e *closedError) Is(target error) bool { return target == ErrLoopClosed }

func (e *closedError) Error() string {
	why := ErrLoopClosed
	if e.reason != nil {
		why = e.reason
	}
	return fmt.Sprintf("%v, dropping %d accepted callbacks and %d pending timers", why, e.dropped.Callbacks(), e.dropped.Timers)
}
