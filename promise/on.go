package promise

import (
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// On returns a promise on loop that takes the outcome of p. If p already belongs to loop, On returns p. Reactions
// attached to the result run on loop. If the loop of p ends while p is pending, the promise rejects with
// [eventloop.ErrLoopTerminated].
//
// While p is pending, calls for the same loop may return the same promise, so the memory they use on p does not grow.
//
// [ThenPromise], [Resolver.Follow] and the combinators use it for promises of another loop.
func On[T any](loop *eventloop.Loop, p *Promise[T]) *Promise[T] { return on(coreOf(loop), p) }

func on[T any](loop *core, p *Promise[T]) *Promise[T] {
	if p.home() == loop {
		return p
	}
	var q *root[T] // on loop, of an earlier call
	same := func(job inside.Job) bool {
		c, ok := job.(*crossing[T])
		if ok && c.loop == loop {
			q = c.child.get()
		}
		return q != nil
	}
	var fresh *root[T]
	create := func() *node {
		c := &crossing[T]{loop: loop}
		fresh = newTied(loop, &c.child)
		c.job = c
		return &c.node
	}
	for {
		switch {
		case !p.attachOnce(same, create):
			if r, ok := p.settledResult(); ok {
				q, resolver := WithResolvers[T](public(loop))
				resolver.settle(r)
				return q
			}
		case q != nil:
			return &q.Promise
		default:
			onEnd(p.loop, &crossingEnd[T]{weak.Make(p), weak.Make(fresh)})
			return &fresh.Promise
		}
	}
}

// A crossing is the reaction that brings an outcome to another loop.
type crossing[T any] struct {
	node
	loop  *core // where it goes to
	child tie[T]
}

func (c *crossing[T]) Run() {
	p := from[T](&c.node)
	c.job = nil
	p.outcome()
	if q := c.child.get(); q != nil {
		r, _ := p.Result()
		Resolver[T]{q}.settle(r)
	}
}

func (c *crossing[T]) abandoned() bool {
	select {
	case <-public(c.loop).Done():
		c.child.strong.Store(nil) // its reactions do not run any more
	default:
	}
	return c.child.get() == nil
}

func (*crossing[T]) bridge() {}

// A crossingEnd rejects the promise of a crossing when the loop that it comes from ends.
type crossingEnd[T any] struct {
	from weak.Pointer[Promise[T]]
	to   weak.Pointer[root[T]]
}

func (e *crossingEnd[T]) end() {
	q := e.to.Value()
	if q == nil {
		return
	}
	r := Result[T]{Err: eventloop.ErrLoopTerminated}
	if p := e.from.Value(); p != nil {
		if settled, ok := p.Result(); ok {
			r = settled
		}
	}
	Resolver[T]{q}.settle(r)
}

func (e *crossingEnd[T]) over() bool {
	q := e.to.Value()
	return q == nil || q.claimed.Load()
}

// A tie refers to a promise from an object that will settle it and may live longer: weakly, until a reaction is
// attached.
type tie[T any] struct {
	weak   weak.Pointer[root[T]]
	strong sched.Pointer[root[T]]
}

// newTied returns a pending promise that t holds.
func newTied[T any](loop *core, t *tie[T]) *root[T] {
	r := &root[T]{}
	r.loop = loop
	b := &initial{held: func() { t.strong.Store(r) }}
	if tracing.Load() {
		b.trace = newTrace()
	}
	r.setInitial(b)
	t.weak = weak.Make(r)
	return r
}

// get returns the promise, or nil if it has been collected.
func (t *tie[T]) get() *root[T] {
	if r := t.strong.Load(); r != nil {
		return r
	}
	return t.weak.Value()
}
