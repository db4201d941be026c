// Package engine is what stands between the engine that runs scripts and what scripts are given: packages web and node
// know these operations, and no engine. Package gojavm has them for goja; a second engine is a second folder.
//
// What scripts do a million times is not called through this interface where that would cost: timers' objects and the
// functions that set them are in package gojavm, and ask package node for Node's rules.
package engine

import (
	"context"
	"reflect"
)

// An Engine is a runtime of an engine with the loop that it lives on. All of it must be used on the loop, but for what
// Operation says.
type Engine interface {
	// Define gives the library's scripts a function, or a value, as native.name. It is defined and not set: nothing that a
	// script has put on a prototype hears of it.
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

	// Enter calls what a turn runs in a frame of the engine, whose promise jobs run when it returns. The error is what ended
	// it as a whole: an interrupt, or a failure of the engine.
	Enter() error
	// JobsWaiting reports whether promise jobs wait.
	JobsWaiting() bool
	// Interrupting reports whether a context has ended what is running.
	Interrupting() bool
}

// An Operation is something asynchronous under way for a script.
type Operation interface {
	// Promise is what the script awaits.
	Promise() Value
	// Program ends with the program.
	Program() context.Context
	// Finish settles the promise with what get returns; get is called on the loop. Finish may be called from any goroutine.
	Finish(get func() (any, error))
}

// A Value is a value of a script as its engine has it, with the conversions of ECMA-262, which may run the script.
//
// Make takes one as it is. Of Go's values it makes those of the script: nil is undefined; strings, booleans and numbers are
// what they are; Null, Bytes, Object, Namespace, Array, Held, Native and Function say themselves what they become.
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
	// Bytes are those of an ArrayBuffer, not copied: none if it is detached. ok is false for what is no ArrayBuffer.
	Bytes(i int) (b []byte, ok bool)
	Detached(i int) bool // of an ArrayBuffer
	Detach(i int) bool   // reports whether it was one that was not detached
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
