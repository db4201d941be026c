package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Race returns a promise that is settled as the first of the promises to settle is. With no promises it stays pending
// for ever.
//
// When the race is over, it releases the losers: a promise that lives long may be raced against any number of times.
// They count as handled, so a loser that rejects later is not reported.
//
// The promises may belong to other loops. Costs two allocations, however many promises there are.
// ECMA-262: Promise.race.
func Race[T any](loop *eventloop.Loop, promises ...*Promise[T]) *Promise[T] {
	winner := &Promise[T]{}
	winner.start(coreOf(loop))
	r := &race[T]{winner: winner}
	r.job, r.shared.race = &r.shared, r
	for _, p := range promises {
		on(winner.loop, p).attachAbandonable(&r.node)
	}
	return winner
}

// A race has one node, which all its promises point to. When it is over it does not go through the losers: each drops
// it when the next reaction is attached.
type race[T any] struct {
	shared
	winner *Promise[T] // nil when the race is over; the loop's
}

// A shared is a reaction to many promises.
type shared struct {
	node // its job is the shared itself, for good
	over sched.Bool
	race interface {
		// enter is called on the loop when a promise has settled.
		enter(origin inside.Job)
	}
}

func (*shared) Run() {}

func (s *shared) abandoned() bool { return s.over.Load() }

func (r *race[T]) enter(job inside.Job) {
	if winner := r.winner; winner != nil {
		r.winner = nil
		r.over.Store(true)
		winner.copyOnLoop((*Promise[T])(job.(*origin[T])))
	}
}

// An entrant is the job of a shared reaction for one of its promises.
type entrant struct {
	s      *shared
	origin inside.Job
}

func (e *entrant) Run() { e.s.race.enter(e.origin) }

// Any returns a promise that is fulfilled with the first of the promises to be fulfilled. If all reject, or if there
// are no promises, it rejects with an [*AggregateError] of their errors.
//
// When it is fulfilled, it releases the other promises as [Race] does. The promises may belong to other loops. Costs
// three allocations, however many promises there are. ECMA-262: Promise.any.
func Any[T any](loop *eventloop.Loop, promises ...*Promise[T]) *Promise[T] {
	if len(promises) == 0 {
		return Reject[T](loop, &AggregateError{})
	}
	a := &anyOf[T]{left: len(promises), errs: make([]error, len(promises))}
	home := coreOf(loop)
	a.start(home)
	a.gather(home, a, promises)
	return &a.Promise
}

type anyOf[T any] struct {
	Promise[T]
	gathering[T]
	left int
	errs []error
}

func (a *anyOf[T]) settled(i int, p *Promise[T]) bool {
	r := p.outcome()
	if r == nil {
		a.errs = nil
		a.fulfilOnLoop(p.value)
		return true
	}
	a.errs[i] = r.err
	if a.left--; a.left > 0 {
		return false
	}
	errs := a.errs
	a.errs = nil
	a.rejectOnLoop(&AggregateError{Errors: errs})
	return true
}
