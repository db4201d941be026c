// Package reactionslice enters PromiseAltThree: promises with a lock-free state, and reactions in slices of slots.
//
// One word holds the state and the number of reactions. Attaching adds one to it: the sum says whether the promise
// was still pending, and if so which slot is the caller's. No step retries, so attaching costs each of many
// goroutines the same. The slots stand in attachment order and are run in that order, without reversal. The first is
// in the promise; the others are in slices of growing size, so no slot ever moves.
//
// The price is a second protocol, between goroutines with a slot that is not yet filled and the goroutine that runs
// the slots. A promise is larger, and fan-out needs the slots on top of the reactions.
package reactionslice

import (
	"runtime"
	"sync/atomic"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// Design is PromiseAltThree.
var Design = design.Design{
	Name:  "PromiseAltThree",
	About: "one word for state and count, reactions in slices of slots given out by addition: attaching never retries, but a slot and its reaction are two steps and more memory",
	New:   func(loop *eventloop.Loop) design.Engine { return engine{adapter.Of(loop)} },
}

// The word has these bits, and above them the number of slots given out.
const (
	claimed  = 1 << iota // the fate of the promise is decided, though it may have to wait for another
	settled              // outcome holds the value, or the reason
	rejected             // it is the reason, an error
	settling             // no slot counts any more; about to be settled, when the slots are queued

	oneSlot = 1 << iota
)

// A Promise is pending until its word says settled.
//
// Who writes. Any goroutine adds to the word, also when it is settled; then the number means nothing any more. One
// goroutine settles: the one that has set claimed through the resolver, or the loop, in the only reaction that leads
// to the promise. It writes the outcome first and the word afterwards. So a goroutine that has seen settled, and a
// microtask queued after that, may read the outcome.
type Promise struct {
	loop    adapter.Hooks
	word    atomic.Uint64
	outcome any
	first   [1]slot
	more    atomic.Pointer[chunk]

	// For the microtask that runs the slots: how many were given out before the promise settled, and how many of those
	// it has run.
	count, ran uint32
}

// A slot passes through these states:
//
//	nil       given out or not, and empty
//	reaction  filled by its owner
//	&taken    the loop has been here
//
// A goroutine that finds &taken in its slot has come too late, and queues the reaction itself. No order is broken:
// the call to attach was in progress all the while, so no other reaction was attached after it.
type slot struct{ atomic.Pointer[reaction] }

var taken reaction

// A chunk is a slice of slots, twice as long as the one before it.
type chunk struct {
	next  atomic.Pointer[chunk]
	slots []slot
}

const firstChunk = 4

// A reaction is two handlers, of which one will run, and the promise of its outcome. It is a microtask of its own where
// it was attached to a settled promise.
type reaction struct {
	parent, child *Promise
	fulfilled     design.Handler
	rejected      design.ErrorHandler
	race          bool // other reactions lead to the child as well: the first to run wins
}

// from returns the slots from number i to the end of the slice that has it.
func (p *Promise) from(i int) []slot {
	if i == 0 {
		return p.first[:]
	}
	i--
	link, size := &p.more, firstChunk
	for {
		c := link.Load()
		if c == nil {
			c = &chunk{slots: make([]slot, size)}
			if !link.CompareAndSwap(nil, c) {
				c = link.Load()
			}
		}
		if i < size {
			return c.slots[i:]
		}
		i -= size
		link, size = &c.next, 2*size
	}
}

// attach adds a reaction, or queues it if the promise is settled. home says that the caller is on the promise's loop.
func (p *Promise) attach(r *reaction, home bool) {
	if word := p.word.Load(); word&settled == 0 {
		word = p.word.Add(oneSlot)
		if word&(settled|settling) == 0 && p.from(int(word/oneSlot) - 1)[0].CompareAndSwap(nil, r) {
			return
		}
		for word&(settled|settling) == settling {
			runtime.Gosched()
			word = p.word.Load()
		}
	}
	p.enqueue(r, home)
}

func (p *Promise) enqueue(job adapter.Job, home bool) {
	if home {
		p.loop.Enqueue(job)
	} else {
		_ = p.loop.EnqueueJob(job) // refused when the loop has ended: then no reaction runs
	}
}

// settle gives a promise its outcome; bits is settled, with or without rejected. The caller is the only one to settle
// it.
//
// The slots are queued between two steps. The first ends the giving out of slots, and the second publishes the
// outcome. If the outcome were visible in between, a reaction could be queued ahead of those attached earlier.
func (p *Promise) settle(bits uint64, outcome any, home bool) {
	p.outcome = outcome
	if word := p.word.Load(); word < oneSlot && p.word.CompareAndSwap(word, word|bits) {
		return
	}
	p.count = uint32(p.word.Or(settling) / oneSlot)
	p.enqueue((*slots)(p), home)
	p.word.Or(bits)
}

// A slots is a promise as the microtask that runs its slots.
type slots Promise

// Run runs the slots in their order. After a handler's Goexit it runs the rest while the goroutine ends. In a loop
// that is being closed it queues the rest, so that the loop counts them as dropped.
func (s *slots) Run() {
	p := (*Promise)(s)
	defer func() {
		if p.ran < p.count {
			s.Run()
		}
	}()
	for p.ran < p.count {
		part := p.from(int(p.ran))
		for i := 0; i < len(part) && p.ran < p.count; i++ {
			r := part[i].Swap(&taken)
			p.ran++
			switch {
			case r == nil: // whom it was given to will find it taken
			case p.ran > 1 && p.loop.Closing():
				p.loop.Enqueue(r)
			default:
				r.Run()
			}
		}
	}
}
