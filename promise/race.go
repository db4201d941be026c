package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Race returns a promise that is settled as the first of the promises to settle is. With no promises it stays pending
// for ever.
//
// When the race is over, it lets go of the losers: a promise that lives long may be raced against any number of times.
// They count as handled, so a loser that rejects later is not reported.
//
// The promises may belong to other loops. Costs two allocations, and one for each promise that has reactions already.
// ECMA-262: Promise.race.
func Race[T any](loop *eventloop.Loop, promises ...*Promise[T]) *Promise[T] {
	winner := &Promise[T]{}
	winner.start(loop)
	h := &heat[T]{winner: winner}
	h.everywhere.job, h.everywhere.next, h.everywhere.race = &h.everywhere, &touched, h
	for _, p := range promises {
		if p.loop != loop {
			p = On(loop, p)
		}
		if !p.word.CompareAndSwap(nil, &h.everywhere.node) {
			h.enter(p)
		}
	}
	return winner
}

// A heat is a race. Most promises that take part in one have no other reaction, so the heat is a node itself, which
// stands in the words of all of them: a race costs no memory for each. The node does not know which promise it is
// reached from, so whoever settles such a promise, or attaches to it, puts a contender in its place first.
//
// A race that is over does not go through its losers. What they keep of it is this small object, until the next race
// takes its place, or at most a constant number of contenders: see detach.go.
type heat[T any] struct {
	everywhere raceNode
	winner     *Promise[T] // nil when the race is over; the loop's
}

// A raceNode stands for a heat where the type of its promises does not matter. It is alone in a list.
type raceNode struct {
	marker
	over sched.Bool
	race any // the heat
}

// enter attaches the race to a promise that is not just pending and untouched.
func (h *heat[T]) enter(p *Promise[T]) {
	for head := p.word.Load(); shared(head) && head.job.(*raceNode).over.Load(); head = p.word.Load() {
		if p.word.CompareAndSwap(head, &h.everywhere.node) {
			return
		}
	}
	p.attachDetachable(newContender(h, p))
}

// A contender is the reaction of a heat to one promise.
type contender[T any] struct {
	node
	heat  *heat[T]
	from  *Promise[T]
	above room
}

func newContender[T any](h *heat[T], p *Promise[T]) *node {
	c := &contender[T]{heat: h, from: p}
	c.job = c
	c.next = &touched
	c.above.Store(leastRoom)
	return &c.node
}

// unshare puts a contender in the place of a shared node, and returns the word as it is then.
func (p *Promise[T]) unshare(head *node) *node {
	n := newContender(head.job.(*raceNode).race.(*heat[T]), p)
	if p.word.CompareAndSwap(head, n) {
		return n
	}
	return p.word.Load()
}

func (c *contender[T]) react() {
	h, p := c.heat, c.from
	c.from = nil
	if winner := h.winner; winner != nil {
		h.winner = nil
		h.everywhere.over.Store(true)
		winner.copyHome(p)
	}
}

func (c *contender[T]) room() *room     { return &c.above }
func (c *contender[T]) abandoned() bool { return c.heat.winner == nil }

func (c *contender[T]) home() *eventloop.Loop {
	if p := c.from; p != nil {
		return p.loop
	}
	return nil
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
