// Package design defines a promise design: a way to make, settle and attach to promises on a loop of package
// eventloop. The designs that take part in a tournament are in the folders beside this one.
//
// Promises hold values of any type and follow the Promises/A+ resolution procedure, so all designs do the same work.
// A design uses its own type of promise; the harness hands it back as it got it, and no design pays for another's.
package design

import "github.com/eventloop-go/eventloop"

// A Design is a way to build promises that takes part in a tournament.
type Design struct {
	// Name is the name in tables and benchmark names, such as "PromiseAltOne". It has no space and no slash.
	Name string

	// About describes mechanism and trade-off in one line.
	About string

	// New makes an engine whose promises belong to the loop.
	New func(loop *eventloop.Loop) Engine
}

// A Promise is a promise of one engine, in the type that the design has for it. It is comparable, and equal only to
// itself. A handler that returns one makes its own promise follow it.
type Promise any

// A Handler reacts to a value. Its result resolves the promise that Then made for it; its error rejects that.
type Handler func(value any) (any, error)

// An ErrorHandler reacts to a rejection. Its results are treated as those of a [Handler].
type ErrorHandler func(reason error) (any, error)

// An Engine makes promises and attaches to them, from any goroutine.
//
// Handlers run on the loop, as microtasks, in the order in which they were attached. A handler that panics rejects its
// promise with a [*eventloop.PanicError], and so does one that calls [runtime.Goexit]. When the loop has ended,
// promises still settle, and no handler runs.
type Engine interface {
	// Pending returns a new promise and its resolver.
	Pending() (Promise, Resolver)

	// Resolved returns a promise that is fulfilled with the value. The value must not be a promise or a [Thenable].
	Resolved(value any) Promise

	// Then attaches two handlers, one of which will run, and returns the promise of its outcome. A nil handler passes
	// the outcome of p through.
	Then(p Promise, fulfilled Handler, rejected ErrorHandler) Promise
}

// A Resolver settles one promise, once, from any goroutine. Both methods report whether this call was the one that
// decided; later calls are ignored.
type Resolver interface {
	// Resolve fulfils the promise with the value or, if that is a promise of the engine or a [Thenable], makes it
	// follow that.
	Resolve(value any) bool

	// Reject rejects the promise.
	Reject(reason error) bool
}

// A Racer is an engine that can race promises.
type Racer interface {
	// Race returns a promise that settles as the first of the promises to settle does.
	Race(promises []Promise) Promise
}

// A Capability is a feature that only some designs have. A workload that needs one is not applicable to a design
// without it. That is different from being slow at it.
type Capability struct {
	// Name is the name in messages, such as "race".
	Name string

	// In reports whether the engine has it.
	In func(Engine) bool
}

// HasRace is the capability of a [Racer].
var HasRace = Capability{"race", func(e Engine) bool { _, ok := e.(Racer); return ok }}

// Capabilities returns every known capability.
func Capabilities() []Capability { return []Capability{HasRace} }
