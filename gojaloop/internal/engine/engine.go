// Package engine stands between the engine that runs scripts and the scripts' environment. Packages web and node use
// these operations and depend on no engine. Package gojavm implements them for goja; a second engine is a second
// folder.
//
// Very frequent operations bypass this interface if it would slow them down. So timer objects, and the functions that
// set timers, are in package gojavm, and ask package node for Node's rules.
package engine

import (
	"context"
	"reflect"
)

// An Engine is a runtime of an engine with its loop. It must be used only on the loop, except for Operation.Finish.
type Engine interface {
	// Define gives the library's scripts a function, or a value, as native.name. It defines the property without
	// setting it, so a setter that a script has put on a prototype does not run.
	Define(name string, value any)
	// Make makes the script's form of a value: see Value.
	Make(value any) Value
	// Throw throws an Error of a class. It does not return.
	Throw(class, message string)
	// Failure makes an Error of one of Go's, which shows its message only; if the script lets that through, Go code finds
	// the error behind it.
	Failure(err error) Value
	// Coded makes an Error of a class with one of Node's codes.
	Coded(class, code, message string) Value
	// Raise throws a value.
	Raise(value Value)
	// Report throws a value where nobody catches it, when the callback in progress has returned.
	Report(value Value)
	// Later calls a function of the script after some milliseconds, and keeps nothing alive for that.
	Later(milliseconds float64, function Value)
	// Soon calls a function of the script in the next check phase.
	Soon(function Value)
	// Call calls a function; this may be nil, for undefined, and Make takes the arguments. The error is what the function
	// throws: a native may panic with it.
	Call(function, this Value, args ...any) (Value, error)
	// Library gives what a script of the library exports.
	Library(script, export string) Value
	// Begin begins something asynchronous, which keeps the program alive until it is finished.
	Begin() Operation
	// Work runs a function that may block, on another goroutine.
	Work(fn func())

	// Enter calls what a turn runs in a frame of the engine, whose promise jobs run when it returns. The error is what ended
	// it as a whole: an interrupt, or a failure of the engine.
	Enter() error
	// JobsWaiting reports whether promise jobs wait.
	JobsWaiting() bool
	// Interrupting reports whether a context has interrupted the running script.
	Interrupting() bool
}

// An Operation is something asynchronous under way for a script.
type Operation interface {
	// Promise is what the script awaits.
	Promise() Value
	// Life returns a context for what outlives the operation. It ends with the program, with the call of Go code that the
	// script runs for, and when cancel is called. That must be called.
	Life() (ctx context.Context, cancel context.CancelFunc)
	// Finish settles the promise with the results of get, which is called on the loop. Finish may be called from any
	// goroutine.
	Finish(get func() (any, error))
}

// A Value is a value of a script as its engine has it, with the conversions of ECMA-262, which may run the script.
//
// Make takes a Value unchanged. It converts Go's values: nil becomes undefined, and strings, booleans and numbers
// become the same in the script. Null, Bytes, Object, Namespace, Array, Held, Native and Function document their own
// conversion.
type Value interface {
	String() string
	ToInteger() int64
	ToBoolean() bool
	// Export gives Go's form of the value: nil for undefined and null.
	Export() any
}

// Null is null.
type Null struct{}

// Bytes become an ArrayBuffer that has them, and no copy.
type Bytes []byte

// UTF16 becomes a string of these units, which need not be whole characters.
type UTF16 []uint16

// Array becomes an array.
type Array []any

// Object becomes an object with these properties: names and values in turn.
type Object []any

// A Namespace becomes an object as Web IDL has it for a namespace: with a prototype of its own, and its name as its tag.
type Namespace struct {
	Name      string
	Functions []Function
}

// Held becomes an object that holds a value of Go's, which a script can only pass on.
type Held struct{ Value any }

// A Native becomes a function. Its result is converted by Make. It must not keep its arguments.
type Native func(Args) any

// A Function becomes one with a name and a length.
type Function struct {
	Name   string
	Length int
	Native
}

// Args are the arguments of a call by the library's scripts. Those that are missing are undefined.
type Args interface {
	Value(i int) Value
	Rest(i int) []any // from i on, copied
	// AppendPlain appends the arguments to a line if none of them needs formatting, as console.log prints them.
	AppendPlain(line []byte) (longer []byte, plain bool)
	Defined(i int) bool
	Text(i int) string // as String(value)
	Integer(i int) int64
	Number(i int) float64
	True(i int) bool
	// Bytes are the bytes of an ArrayBuffer, not copied; a detached one has no bytes. ok is false for other values.
	Bytes(i int) (b []byte, ok bool)
	// View has the bytes of a Uint8Array, not copied.
	View(i int) (b []byte, ok bool)
	UTF16(i int) []uint16 // the units of String(value)
	Detached(i int) bool  // of an ArrayBuffer
	Detach(i int) bool    // reports whether it was one that was not detached
	// Export puts Go's form of the value where to points.
	Export(i int, to any) error
	// Holds returns the value that a Held had, if it is of type t, or nil.
	Holds(i int, t reflect.Type) any
}

// HeldBy returns the value of type T that an argument holds.
func HeldBy[T any](a Args, i int) (T, bool) {
	v, ok := a.Holds(i, reflect.TypeFor[T]()).(T)
	return v, ok
}
