package lockinline

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// New returns a pending promise of the loop.
func New(loop *eventloop.Loop) *Promise { return &Promise{loop: adapter.Of(loop)} }

// Resolve resolves the promise, and reports whether it was still open to that: see [design.Resolver].
func (p *Promise) Resolve(value any) bool { return p.resolve(value, false, false) }

// Reject rejects the promise, and reports whether it was still open to that.
func (p *Promise) Reject(reason error) bool {
	return p.settle(rejected, design.Reason(reason), false, false)
}

// Then attaches two handlers, either of which may be nil, and returns the promise of the outcome.
func (p *Promise) Then(fulfilled design.Handler, rejected design.ErrorHandler) *Promise {
	child := &Promise{loop: p.loop}
	p.attach(reaction{child, fulfilled, rejected}, false)
	return child
}

type engine struct{ loop adapter.Hooks }

func (e engine) Pending() (design.Promise, design.Resolver) {
	p := &Promise{loop: e.loop}
	return p, p
}

func (e engine) Resolved(value any) design.Promise {
	return &Promise{loop: e.loop, state: fulfilled, outcome: value}
}

func (e engine) Then(p design.Promise, onValue design.Handler, onReason design.ErrorHandler) design.Promise {
	return p.(*Promise).Then(onValue, onReason)
}

// Race attaches a reaction without handlers to each promise: where it is the first there, that allocates nothing. A
// promise that stays pending keeps the reaction of a race that is over, and with it the winner.
func (e engine) Race(promises []design.Promise) design.Promise {
	winner := &Promise{loop: e.loop}
	for _, p := range promises {
		p.(*Promise).attach(reaction{child: winner}, false)
	}
	return winner
}
