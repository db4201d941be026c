package promise

import "github.com/eventloop-go/eventloop"

// All returns a promise that is fulfilled with the values of all promises, in their order, when all are fulfilled. If
// one rejects, it rejects with the same error at once. With no promises it is fulfilled from the start.
//
// The promises may belong to other loops. Costs three allocations, however many promises there are. ECMA-262:
// Promise.all.
func All[T any](loop *eventloop.Loop, promises ...*Promise[T]) *Promise[[]T] {
	if len(promises) == 0 {
		return Resolve(loop, []T{})
	}
	a := &all[T]{left: len(promises), values: make([]T, len(promises))}
	home := coreOf(loop)
	a.start(home)
	a.gather(home, a, promises)
	return &a.Promise
}

type all[T any] struct {
	Promise[[]T]
	gathering[T]
	left   int
	values []T
}

func (a *all[T]) settled(i int, p *Promise[T]) bool {
	if r := p.outcome(); r != nil {
		a.values = nil
		a.passOnLoop(r)
		return true
	}
	a.values[i] = p.value
	if a.left--; a.left > 0 {
		return false
	}
	values := a.values
	a.values = nil
	a.fulfilOnLoop(values)
	return true
}

// AllSettled returns a promise that is fulfilled with the results of all promises, in their order, when all are
// settled. It never rejects. Otherwise it is as [All]. ECMA-262: Promise.allSettled.
func AllSettled[T any](loop *eventloop.Loop, promises ...*Promise[T]) *Promise[[]Result[T]] {
	if len(promises) == 0 {
		return Resolve(loop, []Result[T]{})
	}
	a := &allSettled[T]{left: len(promises), results: make([]Result[T], len(promises))}
	home := coreOf(loop)
	a.start(home)
	a.gather(home, a, promises)
	return &a.Promise
}

type allSettled[T any] struct {
	Promise[[]Result[T]]
	gathering[T]
	left    int
	results []Result[T]
}

func (a *allSettled[T]) settled(i int, p *Promise[T]) bool {
	p.outcome()
	a.results[i], _ = p.Result()
	if a.left--; a.left > 0 {
		return false
	}
	results := a.results
	a.results = nil
	a.fulfilOnLoop(results)
	return true
}
