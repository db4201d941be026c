package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Promise is a value of type T, or an error, that will be known later. It belongs to a loop, and reactions attached
// to it run on that loop.
//
// A promise is pending until it is settled: fulfilled with a value or rejected with an error, once and for good. All
// methods and functions of this package may be called from any goroutine, unless they say otherwise. Callbacks run on
// the loop.
//
// Make promises with the functions of this package. Using a nil or zero Promise is a programming error and panics.
type Promise[T any] struct {
	word  sched.Pointer[node]
	value T // written before the word says fulfilled
	loop  *core
}

// A core is a loop, as promises use it.
type core = inside.Core

// coreOf and public convert between a loop and its core.
func coreOf(loop *eventloop.Loop) *core { return inside.CoreOf(loop) }
func public(loop *core) *eventloop.Loop { return loop.Public.(*eventloop.Loop) }

// A Result is how a promise was settled: with Value if Err is nil, otherwise with the error.
type Result[T any] struct {
	Value T
	Err   error
}

// Loop returns the loop that the promise belongs to.
func (p *Promise[T]) Loop() *eventloop.Loop { return public(p.home()) }

// home returns the loop of a promise that is about to be used.
func (p *Promise[T]) home() *core {
	if p.zero() {
		panic("promise: use of a nil Promise, or of one without a loop: make promises with Promisify, WithResolvers, Resolve or another function of this package")
	}
	return p.loop
}

func (p *Promise[T]) zero() bool { return p == nil || p.loop == nil }

// Result returns the outcome; ok is false while the promise is pending. Calling it does not count as handling a
// rejection.
func (p *Promise[T]) Result() (r Result[T], ok bool) {
	p.home()
	rejected, ok := p.look()
	return p.result(rejected, ok), ok
}

// settledResult is Result for a caller that handles the rejection.
func (p *Promise[T]) settledResult() (r Result[T], ok bool) {
	p.home()
	rejected, ok := p.look()
	if rejected != nil {
		rejected.handle()
	}
	return p.result(rejected, ok), ok
}

func (p *Promise[T]) result(rejected *rejection, settled bool) (r Result[T]) {
	switch {
	case rejected != nil:
		r.Err = rejected.err
	case settled:
		r.Value = p.value
	}
	return r
}

// fulfil and fulfilOnLoop settle a pending promise with a value. The caller must be the only settler. The first is
// for any goroutine, the second for the loop's.
func (p *Promise[T]) fulfil(v T) {
	p.value = v
	p.settle(&fulfilled)
}

func (p *Promise[T]) fulfilOnLoop(v T) {
	p.value = v
	p.settleOnLoop(&fulfilled)
}

// copyOnLoop settles p, on its loop, as q was settled.
func (p *Promise[T]) copyOnLoop(q *Promise[T]) {
	if r := q.outcome(); r != nil {
		p.passOnLoop(r)
		return
	}
	p.fulfilOnLoop(q.value)
}
