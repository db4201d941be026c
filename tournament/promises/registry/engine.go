package registry

import "github.com/eventloop-go/eventloop/tournament/promises/design"

// Resolve resolves the promise, and reports whether it was still open to that: see [design.Resolver].
func (p *Promise) Resolve(value any) bool { return p.resolve(value, false) }

// Reject rejects the promise, and reports whether it was still open to that.
func (p *Promise) Reject(reason error) bool {
	return p.settle(rejected, design.Reason(reason), false)
}

// Then attaches two handlers, either of which may be nil, and returns the promise of the outcome.
func (p *Promise) Then(fulfilled design.Handler, rejected design.ErrorHandler) *Promise {
	child := p.registry.promise()
	p.attach(reaction{child, fulfilled, rejected})
	return child
}

// Pending implements [design.Engine].
func (r *Registry) Pending() (design.Promise, design.Resolver) {
	p := r.promise()
	return p, p
}

// Resolved implements [design.Engine]. A promise that is settled from the start is not registered.
func (r *Registry) Resolved(value any) design.Promise {
	return &Promise{registry: r, state: fulfilled, outcome: value}
}

// Then implements [design.Engine].
func (r *Registry) Then(p design.Promise, onValue design.Handler, onReason design.ErrorHandler) design.Promise {
	return p.(*Promise).Then(onValue, onReason)
}

// Race implements [design.Racer]: it attaches a reaction without handlers to each promise. A promise that stays pending
// keeps the reaction of a race that is over, and with it the winner.
func (r *Registry) Race(promises []design.Promise) design.Promise {
	winner := r.promise()
	for _, p := range promises {
		p.(*Promise).attach(reaction{child: winner})
	}
	return winner
}
