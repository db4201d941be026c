// Package reactionstack enters PromiseAltTwo: promises whose reactions are a lock-free stack.
//
// Attaching pushes a node by compare-and-swap, regardless of the nodes below. It needs no lock and no growing slice,
// so fan-out to many reactions costs the same for each. Settling swaps a mark for the stack, which later attachers
// see at once. The stack has the newest reaction on top. It is reversed when it runs, so that reactions run in the
// order in which they were attached, all in one microtask.
//
// The node is apart from the promise that Then returns. That keeps the promise small, and it keeps nothing of the
// reaction once that has run, but a Then costs two allocations.
package reactionstack

import (
	"runtime"
	"sync/atomic"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// Design is PromiseAltTwo.
var Design = design.Design{
	Name:  "PromiseAltTwo",
	About: "a lock-free stack of reactions, turned round and run in one microtask: the same price for every attachment to one promise, but two allocations for each",
	New:   func(loop *eventloop.Loop) design.Engine { return engine{adapter.Of(loop)} },
}

// A Promise is pending as long as top is nil or a reaction. It is settled when top is one of the two marks.
//
// Who writes. Any goroutine pushes onto top while it is not a mark. One goroutine settles: the one that has claimed
// the promise through its resolver, or the loop, in the only reaction that leads to it. It writes the outcome first
// and swaps the mark in afterwards. So a goroutine that has seen the mark, and a microtask queued after that, may
// read the outcome.
type Promise struct {
	loop    adapter.Hooks
	top     atomic.Pointer[reaction]
	claimed atomic.Bool // the fate of the promise is decided, though it may have to wait for another
	outcome any         // the value, or the reason, an error
}

// The marks of a settled promise.
var fulfilledMark, rejectedMark reaction

// settling marks a stack that is being queued: readers retry.
var settling reaction

// A reaction is a node of a stack, or alone; as a microtask it runs itself and those below it. Next is written before
// the node is pushed, and afterwards by the microtask.
type reaction struct {
	next          *reaction
	parent, child *Promise
	fulfilled     design.Handler
	rejected      design.ErrorHandler
	race          bool // other reactions lead to the child as well: the first to run wins
}

func settled(top *reaction) bool { return top == &fulfilledMark || top == &rejectedMark }

// attach pushes a reaction, or queues it if the promise is settled. home says that the caller is on the promise's loop.
func (p *Promise) attach(r *reaction, home bool) {
	for {
		top := p.top.Load()
		if settled(top) {
			r.next = nil
			p.enqueue(r, home)
			return
		}
		if top == &settling {
			runtime.Gosched()
			continue
		}
		r.next = top
		if p.top.CompareAndSwap(top, r) {
			return
		}
	}
}

func (p *Promise) enqueue(job adapter.Job, home bool) {
	if home {
		p.loop.Enqueue(job)
	} else {
		_ = p.loop.EnqueueJob(job) // refused when the loop has ended: then no reaction runs
	}
}

// settle gives a promise its outcome. The caller is the only one to settle it.
//
// The stack is taken, queued, and then the mark is set. If the mark were visible in between, a reaction could be
// queued ahead of those attached earlier.
func (p *Promise) settle(mark *reaction, outcome any, home bool) {
	p.outcome = outcome
	if p.top.Load() == nil && p.top.CompareAndSwap(nil, mark) {
		return
	}
	p.enqueue(p.top.Swap(&settling), home) // not nil: reactions do not go before the promise is settled
	p.top.Store(mark)
}

// Run runs a stack, the lowest first.
func (r *reaction) Run() {
	var list *reaction
	for r != nil {
		r.next, list, r = list, r, r.next
	}
	list.runAll()
}

// runAll runs a list in which the oldest is first. After a handler's Goexit it runs the rest while the goroutine
// ends. In a loop that is being closed it queues the rest, so that the loop counts them as dropped.
func (r *reaction) runAll() {
	defer func() {
		if r != nil {
			r.runAll()
		}
	}()
	for r != nil {
		cur := r
		r, cur.next = cur.next, nil
		cur.react()
		if r == nil {
			return
		}
		if owner := cur.parent.loop; owner.Closing() {
			for r != nil {
				cur = r
				r, cur.next = cur.next, nil
				owner.Enqueue(cur)
			}
		}
	}
}
