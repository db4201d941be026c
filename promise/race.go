package promise

import "github.com/eventloop-go/eventloop"

// Race returns a promise that is settled as the first of the promises to settle is. With no promises it stays pending
// for ever.
//
// When the race is over, it lets go of the losers: a promise that lives long may be raced against any number of times.
// They count as handled, so a loser that rejects later is not reported.
//
// The promises may belong to other loops. Costs two allocations, however many promises there are. ECMA-262:
// Promise.race.
func Race[T any](loop *eventloop.Loop, promises ...*Promise[T]) *Promise[T] {
	r := &race[T]{}
	r.start(loop)
	r.watch(loop, r, promises)
	return &r.Promise
}

type race[T any] struct {
	Promise[T]
	gathering[T]
}

func (r *race[T]) arrived(_ int, p *Promise[T]) bool {
	r.copyHome(p)
	return true
}

// Any returns a promise that is fulfilled as the first of the promises to be fulfilled is. If all reject, it rejects
// with an [*AggregateError] of their errors; so it does from the start if there are none.
//
// When it is fulfilled, it lets go of the other promises as [Race] does. The promises may belong to other loops. Costs
// three allocations, however many promises there are. ECMA-262: Promise.any.
func Any[T any](loop *eventloop.Loop, promises ...*Promise[T]) *Promise[T] {
	if len(promises) == 0 {
		return Reject[T](loop, &AggregateError{})
	}
	a := &anyOf[T]{left: len(promises), errs: make([]error, len(promises))}
	a.start(loop)
	a.watch(loop, a, promises)
	return &a.Promise
}

type anyOf[T any] struct {
	Promise[T]
	gathering[T]
	left int
	errs []error
}

func (a *anyOf[T]) arrived(i int, p *Promise[T]) bool {
	r := p.reason()
	if r == nil {
		a.errs = nil
		a.fulfilHome(p.value)
		return true
	}
	a.errs[i] = r.err
	if a.left--; a.left > 0 {
		return false
	}
	errs := a.errs
	a.errs = nil
	a.rejectHome(&AggregateError{Errors: errs})
	return true
}
