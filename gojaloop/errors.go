package gojaloop

import (
	"errors"
	"fmt"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/loopsource"
)

// ErrStopped says that the runtime takes no more work: its program has exited, failed or was interrupted.
var ErrStopped = errors.New("gojaloop: the runtime has stopped")

// ErrRunning says that Run was called while a program of the runtime is still running.
var ErrRunning = errors.New("gojaloop: a program is running already")

// ErrSourceClosed says that a [Source] takes no more events: it was closed, or its program has ended.
var ErrSourceClosed = loopsource.ErrClosed

// An ExitError is the error of [Runtime.Run] for a program that ended with a code other than 0, by process.exit or
// process.exitCode.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("gojaloop: exit code %d", e.Code) }

// An UncaughtError is the error of [Runtime.Run] for a program ended by an exception or an unhandled rejection.
// Unwrap it to find the cause, as with a [ScriptError]; for a stack overflow that is a [*goja.StackOverflowError].
type UncaughtError struct {
	// Code is Node's exit code: 1, or 7 if a handler of uncaughtException threw in its turn.
	Code int

	// Message is the exception as a string: "TypeError: x is not a function".
	Message string

	// Stack has the frames of the script, one in each line, from the place of the throw. It may be empty if the
	// exception is not an Error.
	Stack string

	// Detail is the exception as console.error would show it: an error's stack, properties and causes.
	Detail string

	cause
}

func (e *UncaughtError) Error() string { return "gojaloop: uncaught " + e.Message + e.behind }

// An InterruptError says that a context interrupted the script. It unwraps to the cause of the context, such as
// [context.DeadlineExceeded].
type InterruptError struct {
	Cause error

	// Stack has the frames of the script that was interrupted, one in each line. It is empty if none was running.
	Stack string
}

func (e *InterruptError) Error() string { return "gojaloop: interrupted: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *InterruptError) Unwrap() error { return e.Cause }

// An EngineError says that the engine itself panicked, or that Go code called by a script did. The runtime is then
// stopped, because its state is unknown.
type EngineError struct {
	Value any
	Stack []byte // Go's
}

func (e *EngineError) Error() string {
	return fmt.Sprintf("gojaloop: the engine panicked: %v", e.Value)
}

// Unwrap returns the value of the panic if it is an error.
func (e *EngineError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ExitCode returns the exit code of Node's process for an error of [Runtime.Run]: 0 for nil.
func ExitCode(err error) int {
	var exit *ExitError
	var uncaught *UncaughtError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &uncaught):
		return uncaught.Code
	default:
		return 1
	}
}

// ErrTooDeep says that a value of a script nests too deep for Go to get it.
var ErrTooDeep = gojavm.ErrTooDeep

// ErrTooLarge says that a value of a script has too many elements for Go to get it.
var ErrTooLarge = gojavm.ErrTooLarge
