package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// Then attaches fn to p and returns the promise of its outcome. When p is fulfilled, fn runs on the loop, as a
// microtask, with the value. The promise returned is fulfilled with the result of fn, or rejected with its error. If
// p is rejected, so is the promise returned, and fn does not run.
//
// Reactions to one promise run in the order in which they were attached, also those attached after it settled. If fn
// panics, the promise returned rejects with a [*eventloop.PanicError] that keeps the value and the stack; if it calls
// [runtime.Goexit], with one whose value is [eventloop.ErrGoexit]. If the loop ends first, fn does not run.
//
// Costs one allocation, which holds both the reaction and the promise returned. ECMA-262: Promise.prototype.then.
func Then[T, U any](p *Promise[T], fn func(T) (U, error)) *Promise[U] {
	t := &then[T, U]{fn: fn}
	t.job = t
	t.start(p.home())
	p.attach(&t.node)
	return &t.Promise
}

// A reaction is a promise that is settled by a callback.
type reaction[T any] struct {
	Promise[T]
	node
}

// JobFailed is called when the callback has panicked or called Goexit: see [inside.Failer].
func (r *reaction[T]) JobFailed(err error) { r.rejectOnLoop(err) }

type then[T, U any] struct {
	reaction[U]
	fn func(T) (U, error)
}

func (t *then[T, U]) Run() {
	p, fn := from[T](&t.node), t.fn
	t.job, t.fn = nil, nil // keeping the promise does not keep its history
	if r := p.outcome(); r != nil {
		t.passOnLoop(r)
		return
	}
	v, err := fn(p.value)
	t.endOnLoop(v, err)
}

// endOnLoop settles p, on its loop, with the result of a callback.
func (p *Promise[T]) endOnLoop(v T, err error) {
	if err != nil {
		p.rejectOnLoop(err)
		return
	}
	p.fulfilOnLoop(v)
}

// failure is the error of a callback that has not returned: it has panicked with v, or called Goexit.
func failure(v any) error {
	if v == nil {
		v = eventloop.ErrGoexit
	}
	return &eventloop.PanicError{Value: v, Stack: stacktrace.Capture()}
}

// Catch attaches fn to p for the case that it is rejected: fn runs with the error, and the promise returned takes
// fn's outcome. If p is fulfilled, the promise returned takes its value, and fn does not run.
//
// Otherwise it is as [Then]. ECMA-262: Promise.prototype.catch.
func (p *Promise[T]) Catch(fn func(error) (T, error)) *Promise[T] {
	t := &catch[T]{fn: fn}
	t.job = t
	t.start(p.home())
	p.attach(&t.node)
	return &t.Promise
}

type catch[T any] struct {
	reaction[T]
	fn func(error) (T, error)
}

func (t *catch[T]) Run() {
	p, fn := from[T](&t.node), t.fn
	t.job, t.fn = nil, nil
	r := p.outcome()
	if r == nil {
		t.fulfilOnLoop(p.value)
		return
	}
	v, err := fn(r.err)
	t.endOnLoop(v, err)
}

// Finally attaches fn to p for either case. The promise returned takes p's outcome after fn has returned; if fn
// panics, it rejects as with [Then]. Inside fn, [Promise.Result] of p has the outcome, to log or count it.
//
// ECMA-262's Promise.prototype.finally spends two more microtasks, because its callback may return a promise to wait
// for. This one cannot: the promise returned settles in the microtask that runs fn. [Dynamic.Finally] is ECMA-262's.
func (p *Promise[T]) Finally(fn func()) *Promise[T] {
	t := &finally[T]{fn: fn}
	t.job = t
	t.start(p.home())
	p.attach(&t.node)
	return &t.Promise
}

type finally[T any] struct {
	reaction[T]
	fn func()
}

func (t *finally[T]) Run() {
	p, fn := from[T](&t.node), t.fn
	t.job, t.fn = nil, nil
	p.outcome()
	fn()
	t.copyOnLoop(p)
}
