// Package js is JavaScript's standard scheduling API for Go programs, without a JavaScript engine: timers, immediates
// and microtasks with Node's rules, events, abort signals and performance measurement, on an
// [github.com/eventloop-go/eventloop.Loop].
//
// An [Env] may be used from any goroutine, callbacks run on the loop. Where JavaScript would coerce an argument, Go
// has its type; otherwise names, defaults and order are those of the standard named at each function.
package js
