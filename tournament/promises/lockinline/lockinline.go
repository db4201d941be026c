// Package lockinline enters PromiseAltOne: promises under a lock each, with room for one reaction inside.
//
// Nearly every promise in a chain has exactly one reaction. It is stored in the promise itself, and the promise is the
// microtask that runs it, so a Then costs one allocation: the promise it returns. Further reactions go into a slice,
// each a microtask of its own.
//
// The lock makes order plain: the settling goroutine queues the reactions before others can see that the promise is
// settled. The design pays for that in three ways. It locks at every step, even without contention. A promise is as
// large as its reaction. Fan-out allocates for the promise, the reaction and the slice.
package lockinline

import (
	"sync"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// Design is PromiseAltOne.
var Design = design.Design{
	Name:  "PromiseAltOne",
	About: "a lock in each promise and its first reaction inlined: one allocation for a Then in a chain, but a lock at every step and more memory for fan-out",
	New:   func(loop *eventloop.Loop) design.Engine { return engine{adapter.Of(loop)} },
}

// The states of a promise.
const (
	pending   uint8 = iota
	committed       // pending, and it is decided which promise or thenable it follows
	fulfilled       // outcome is the value
	rejected        // outcome is the reason, an error
)

// A Promise is pending, then settled for good.
//
// The lock guards all fields but loop, which never changes, and the outcome of a settled promise. That outcome is
// constant. Reactions read it without the lock, because they were queued after it was written.
type Promise struct {
	mu      sync.Mutex
	state   uint8
	busy    bool // first holds a reaction that has not run
	loop    adapter.Hooks
	outcome any
	first   reaction
	rest    *[]*extra // reactions after the first, while the promise is pending
}

// A reaction is two handlers, one of which will run, and the promise of its outcome.
//
// Without handlers, the outcome passes through to the child: to one that follows this promise, or to the winner of a
// race. A winner has a reaction in many promises, and the first to run decides.
type reaction struct {
	child     *Promise
	fulfilled design.Handler
	rejected  design.ErrorHandler
}

// An extra is a reaction for which there was no room in the promise.
type extra struct {
	reaction
	parent *Promise
}

// Run runs the reaction that is stored in the promise: it is the microtask for that. The room is free again before
// the handler is called, which may attach to the same promise.
func (p *Promise) Run() {
	p.mu.Lock()
	r := p.first
	p.first, p.busy = reaction{}, false
	p.mu.Unlock()
	r.run(p)
}

// Run runs the reaction.
func (x *extra) Run() { x.run(x.parent) }

// attach adds a reaction. home says that the caller is on the promise's loop.
func (p *Promise) attach(r reaction, home bool) {
	p.mu.Lock()
	settled := p.state >= fulfilled
	var job adapter.Job = p
	switch {
	case !p.busy:
		p.first, p.busy = r, true
	default:
		x := &extra{r, p}
		job = x
		if !settled {
			if p.rest == nil {
				p.rest = new([]*extra)
			}
			*p.rest = append(*p.rest, x)
		}
	}
	p.mu.Unlock()
	if settled {
		p.enqueue(job, home)
	}
}

func (p *Promise) enqueue(job adapter.Job, home bool) {
	if home {
		p.loop.Enqueue(job)
	} else {
		_ = p.loop.EnqueueJob(job) // refused when the loop has ended: then no reaction runs
	}
}

// settle gives the promise its outcome, and queues the reactions before it releases the lock. So later reactions
// queue behind them. entitled says that the caller may settle a promise that is committed. Without it, or if the
// promise is settled, nothing happens.
func (p *Promise) settle(state uint8, outcome any, entitled, home bool) bool {
	p.mu.Lock()
	if p.state >= fulfilled || p.state == committed && !entitled {
		p.mu.Unlock()
		return false
	}
	p.state, p.outcome = state, outcome
	if p.busy {
		p.enqueue(p, home)
	}
	if p.rest != nil {
		for _, x := range *p.rest {
			p.enqueue(x, home)
		}
		p.rest = nil
	}
	p.mu.Unlock()
	return true
}

// commit decides that the promise follows something, and queues the job that makes it do so.
func (p *Promise) commit(job adapter.Job, entitled, home bool) bool {
	p.mu.Lock()
	if p.state >= fulfilled || p.state == committed && !entitled {
		p.mu.Unlock()
		return false
	}
	p.state = committed
	p.mu.Unlock()
	p.enqueue(job, home)
	return true
}
