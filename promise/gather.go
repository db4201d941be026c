package promise

import (
	"slices"

	"github.com/eventloop-go/eventloop"
)

// A gathering is one call of All, AllSettled, Any or Race: a reaction to each of its promises, all in one allocation.
type gathering[T any] struct {
	entries []entry[T]
	owner   gatherer[T]
}

// A gatherer is told, on the loop, of each promise that settles, until it is done.
type gatherer[T any] interface {
	// arrived takes the promise with index i, and reports whether the outcome of all is decided.
	arrived(i int, p *Promise[T]) (done bool)
}

// An entry is the reaction to one of the promises. Once it has been published by attaching it, its fields belong to
// the loop.
type entry[T any] struct {
	node
	all   *gathering[T] // nil when it is abandoned
	from  *Promise[T]
	above room
	index int32
}

// watch attaches the gathering to its promises. Everything that a reaction looks at is set before the first is
// attached, for the loop may run it before the second is.
func (g *gathering[T]) watch(loop *eventloop.Loop, owner gatherer[T], promises []*Promise[T]) {
	for i, p := range promises {
		if p.loop != loop {
			promises = slices.Clone(promises)
			for j := range promises[i:] {
				promises[i+j] = On(loop, promises[i+j])
			}
			break
		}
	}
	entries := make([]entry[T], len(promises))
	g.owner, g.entries = owner, entries
	for i, p := range promises {
		e := &entries[i]
		e.job, e.all, e.from, e.index = e, g, p, int32(i)
	}
	for i, p := range promises {
		p.attachDetachable(&entries[i].node)
	}
}

func (e *entry[T]) react() {
	g, p := e.all, e.from
	if g == nil {
		return
	}
	e.all, e.from = nil, nil
	if g.owner.arrived(int(e.index), p) {
		g.leave()
	}
}

// leave abandons the reactions that have not run.
func (g *gathering[T]) leave() {
	for i := range g.entries {
		e := &g.entries[i]
		if p := e.from; p != nil {
			e.all, e.from = nil, nil
			p.pop(&e.node)
		}
	}
	g.entries, g.owner = nil, nil
}

func (e *entry[T]) room() *room     { return &e.above }
func (e *entry[T]) abandoned() bool { return e.all == nil }

func (e *entry[T]) home() *eventloop.Loop {
	if p := e.from; p != nil {
		return p.loop
	}
	return nil
}
