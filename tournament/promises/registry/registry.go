// Package registry enters PromiseAltFour: promises that a registry keeps track of, the original design.
//
// Every pending promise of a loop is listed in a registry, which can list the unsettled ones at any time. One lock,
// the registry's, guards the list and all the promises in it, so each step is simple and easily seen to be right. The
// list refers to promises weakly, so a promise that is dropped while pending is still collected. Each registration
// checks two entries and removes those of collected promises.
//
// It is the heaviest design. Every promise pays for a weak reference, which is most of the price: the runtime files
// it beside the object in a sorted list. It also pays for a place in the map, and for a lock that all promises of a
// loop compete for. Each reaction costs a closure and a microtask.
package registry

import (
	"sync"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// Design is PromiseAltFour.
var Design = design.Design{
	Name:  "PromiseAltFour",
	About: "every pending promise is listed in a registry, under one lock for all: what is unsettled can be listed at any time, and each promise pays for that",
	New:   func(loop *eventloop.Loop) design.Engine { return New(loop) },
}

// A Registry keeps the promises of a loop.
type Registry struct {
	loop *eventloop.Loop

	mu      sync.Mutex // guards the fields below, and all but the constant fields of the promises
	last    uint64     // the identity given out last
	pending map[uint64]weak.Pointer[Promise]
	ids     []uint64 // keys of pending, and some that have left it: the scavenger's list
	hand    int      // where in ids it goes on
}

// New returns an empty registry of promises on the loop.
func New(loop *eventloop.Loop) *Registry {
	return &Registry{loop: loop, pending: make(map[uint64]weak.Pointer[Promise])}
}

// Unsettled returns the promises that are pending and still in use somewhere, in no order.
func (r *Registry) Unsettled() []*Promise {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []*Promise
	for _, w := range r.pending {
		if p := w.Value(); p != nil {
			list = append(list, p)
		}
	}
	return list
}

// promise makes and registers a pending promise.
func (r *Registry) promise() *Promise {
	p := &Promise{registry: r}
	w := weak.Make(p)
	r.mu.Lock()
	r.last++
	p.id = r.last
	r.pending[p.id] = w
	r.ids = append(r.ids, p.id)
	r.scavenge()
	r.mu.Unlock()
	return p
}

// scavenge checks two entries and forgets those whose promise is settled or was collected. A registration adds one
// entry for two checked ones. So after as many registrations as there are entries, all have been checked. The dead
// entries are at most as many as the promises that were alive, or were made, shortly before. The caller holds the
// lock.
func (r *Registry) scavenge() {
	for range 2 {
		if len(r.ids) == 0 {
			return
		}
		if r.hand >= len(r.ids) {
			r.hand = 0
		}
		id := r.ids[r.hand]
		if w, ok := r.pending[id]; ok {
			if w.Value() != nil {
				r.hand++
				continue
			}
			delete(r.pending, id)
		}
		end := len(r.ids) - 1
		r.ids[r.hand] = r.ids[end]
		r.ids = r.ids[:end]
	}
}
