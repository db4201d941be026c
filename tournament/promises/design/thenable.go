package design

import (
	"runtime/debug"
	"sync/atomic"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

// A Thenable is a value that is no promise of the engine, and that a promise follows instead of being fulfilled with
// it. Then is called in a microtask of its own; it settles through the resolver, then or later, from any goroutine.
// An error that it returns, or its panic, rejects, unless the resolver has been used before.
type Thenable interface {
	Then(Resolver) error
}

// A Fate is a promise that only the caller can settle any more. Each design's promise is a Fate to this package, so
// that thenables need not be written once for each.
type Fate interface {
	// Become resolves the promise with the value, from any goroutine.
	Become(value any)

	// Fail rejects the promise, from any goroutine.
	Fail(reason error)
}

// Follow returns the microtask that makes a promise follow a thenable: ECMA-262's NewPromiseResolveThenableJob.
func Follow(fate Fate, thenable Thenable) adapter.Job {
	return &following{fate: fate, thenable: thenable}
}

// A following is the job, and ECMA-262's pair of resolving functions for it: the thenable may call them again and
// again, and the first call wins.
type following struct {
	fate     Fate
	thenable Thenable
	used     atomic.Bool
}

// Run calls the thenable.
func (f *following) Run() {
	returned := false
	defer func() {
		if !returned {
			f.Reject(PanicError(recover()))
		}
	}()
	err := f.thenable.Then(f)
	returned = true
	if err != nil {
		f.Reject(err)
	}
}

// Resolve passes the value on, the first time.
func (f *following) Resolve(value any) bool {
	if f.used.Swap(true) {
		return false
	}
	f.fate.Become(value)
	return true
}

// Reject passes the reason on, if the resolver was not used before.
func (f *following) Reject(reason error) bool {
	if f.used.Swap(true) {
		return false
	}
	f.fate.Fail(reason)
	return true
}

// PanicError makes a reason of the result of recover, in a deferred call of a handler that did not return. That
// result is nil if the handler called [runtime.Goexit], which no recover can stop.
func PanicError(recovered any) error {
	if recovered == nil {
		recovered = eventloop.ErrGoexit
	}
	return &eventloop.PanicError{Value: recovered, Stack: debug.Stack()}
}
