package reactionslice

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// New returns a pending promise of the loop.
func New(loop *eventloop.Loop) *Promise { return &Promise{loop: adapter.Of(loop)} }

// Resolve resolves the promise, and reports whether it was still open to that: see [design.Resolver].
func (p *Promise) Resolve(value any) bool {
	if !p.claim() {
		return false
	}
	p.resolve(value, false)
	return true
}

// Reject rejects the promise, and reports whether it was still open to that.
func (p *Promise) Reject(reason error) bool {
	if !p.claim() {
		return false
	}
	p.settle(settled|rejected, design.Reason(reason), false)
	return true
}

// Then attaches two handlers, either of which may be nil, and returns the promise of the outcome.
func (p *Promise) Then(fulfilled design.Handler, rejected design.ErrorHandler) *Promise {
	child := &Promise{loop: p.loop}
	p.attach(&reaction{parent: p, child: child, fulfilled: fulfilled, rejected: rejected}, false)
	return child
}

type engine struct{ loop adapter.Hooks }

func (e engine) Pending() (design.Promise, design.Resolver) {
	p := &Promise{loop: e.loop}
	return p, p
}

func (e engine) Resolved(value any) design.Promise {
	p := &Promise{loop: e.loop, outcome: value}
	p.word.Store(claimed | settled)
	return p
}

func (e engine) Then(p design.Promise, onValue design.Handler, onReason design.ErrorHandler) design.Promise {
	return p.(*Promise).Then(onValue, onReason)
}

// Race attaches a reaction to each promise; all of them are one allocation. A promise that stays pending keeps the
// reaction of a race that is over, and with it those to the others.
func (e engine) Race(promises []design.Promise) design.Promise {
	winner := &Promise{loop: e.loop}
	reactions := make([]reaction, len(promises))
	for i, p := range promises {
		p := p.(*Promise)
		r := &reactions[i]
		r.parent, r.child, r.race = p, winner, true
		p.attach(r, false)
	}
	return winner
}
