// Package js is JavaScript's standard scheduling API for Go programs, without a JavaScript engine. It has timers,
// immediates and microtasks with Node's rules, events, abort signals and performance measurement, on an
// [github.com/eventloop-go/eventloop.Loop].
//
// An [Env] may be used from any goroutine; callbacks run on the loop. Arguments have Go types where JavaScript would
// coerce them. Otherwise names, defaults and order follow the standard named at each function.
package js
