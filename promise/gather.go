package promise

import (
	"slices"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// A gathering is one call of All, AllSettled or Any: a reaction to each of its promises, all in one allocation.
type gathering[T any] struct {
	gatherer gatherer[T]
	over     sched.Bool // the outcome is decided; the loop sets it
}

// A gatherer is notified on the loop of each promise that settles, until it is done.
type gatherer[T any] interface {
	// settled takes the promise with index i, and reports whether the outcome of all is decided.
	settled(i int, p *Promise[T]) (done bool)
}

// An entry is the reaction to one of the promises.
type entry[T any] struct {
	node
	all   *gathering[T]
	index int32
}

// gather attaches to the promises. All data of the reactions is set before the first is attached, because the loop
// may run it before the second is.
func (g *gathering[T]) gather(loop *core, to gatherer[T], promises []*Promise[T]) {
	promises = allOn(loop, promises)
	g.gatherer = to
	entries := make([]entry[T], len(promises))
	for i := range entries {
		e := &entries[i]
		e.job, e.all, e.index = e, g, int32(i)
	}
	for i, p := range promises {
		p.attachAbandonable(&entries[i].node)
	}
}

// allOn returns the promises, with promises of other loops replaced by promises on loop.
func allOn[T any](loop *core, promises []*Promise[T]) []*Promise[T] {
	for i, p := range promises {
		if p.home() != loop {
			promises = slices.Clone(promises)
			for j := range promises[i:] {
				promises[i+j] = on(loop, promises[i+j])
			}
			break
		}
	}
	return promises
}

func (e *entry[T]) Run() {
	p, g := from[T](&e.node), e.all
	e.job, e.all = nil, nil
	if !g.over.Load() && g.gatherer.settled(int(e.index), p) {
		g.over.Store(true)
		g.gatherer = nil
	}
}

func (e *entry[T]) abandoned() bool { return e.all.over.Load() }
