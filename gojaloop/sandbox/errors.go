package sandbox

import (
	"errors"
	"fmt"
)

// ErrClosed is returned by calls on a sandbox or a pool that was closed.
var ErrClosed = errors.New("sandbox: closed")

// A Limit is what a script can go beyond.
type Limit string

// The limits.
const (
	Memory        Limit = "memory"         // see [WithMemory]
	ProcessorTime Limit = "processor time" // see [WithProcessorTime]
	Output        Limit = "output"         // see [WithOutput]
	Requests      Limit = "requests"       // see [WithRequests]
	MessageSize   Limit = "message size"   // see [WithMessageSize]
	Held          Limit = "held data"      // see [WithHeld]
	Stack         Limit = "stack"          // Go's, in the process: what the engine does to deeply nested values
)

// A LimitError says that the process was ended because it went beyond a limit.
type LimitError struct{ Limit Limit }

func (e *LimitError) Error() string {
	return fmt.Sprintf("sandbox: the script has gone beyond its limit of %s", e.Limit)
}

// An ExitError says that the process has ended by itself, or that something else has ended it.
type ExitError struct {
	Err    error  // how it ended, usually an [*os/exec.ExitError], or why it did not start
	Stderr string // the beginning of its standard error
}

func (e *ExitError) Error() string {
	text := fmt.Sprintf("sandbox: the process has ended: %v", e.Err)
	if e.Stderr != "" {
		text += "\n" + e.Stderr
	}
	return text
}

// Unwrap returns e.Err.
func (e *ExitError) Unwrap() error { return e.Err }

// A ScriptError is an exception of the script's, as text: it holds no value of the script, and reading it runs no code.
type ScriptError struct {
	Name    string `json:"name,omitempty"` // "TypeError", or empty if what was thrown is no error
	Message string `json:"message,omitempty"`
	Stack   string `json:"stack,omitempty"`
}

func (e *ScriptError) Error() string {
	if e.Name == "" {
		return e.Message
	}
	return e.Name + ": " + e.Message
}

// A killedError says that the process was ended because the context of a call had.
type killedError struct{ cause error }

func (e *killedError) Error() string {
	return "sandbox: the process was ended with the context of a call: " + e.cause.Error()
}
func (e *killedError) Unwrap() []error { return []error{ErrClosed, e.cause} }
