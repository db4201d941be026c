package registry

import (
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// The states of a promise.
const (
	pending   uint8 = iota
	committed       // pending, and it is decided which promise or thenable it follows
	fulfilled       // outcome is the value
	rejected        // outcome is the reason, an error
)

// A Promise is pending, then settled for good. The registry's lock guards all but registry and id. The outcome is
// constant once the promise is settled; microtasks queued after that read it without the lock.
type Promise struct {
	registry  *Registry
	id        uint64
	state     uint8
	outcome   any
	reactions []reaction
	room      [3]reaction // the initial array of reactions
}

// A reaction is two handlers, one of which will run, and the promise of its outcome. Without handlers, the outcome
// passes through.
type reaction struct {
	child     *Promise
	fulfilled design.Handler
	rejected  design.ErrorHandler
}

// attach adds a reaction, or queues it if the promise is settled.
func (p *Promise) attach(r reaction) {
	p.registry.mu.Lock()
	defer p.registry.mu.Unlock()
	if p.state >= fulfilled {
		p.enqueue(r)
	} else {
		if p.reactions == nil {
			p.reactions = p.room[:0]
		}
		p.reactions = append(p.reactions, r)
	}
}

// enqueue queues a reaction of a settled promise.
func (p *Promise) enqueue(r reaction) {
	_ = p.registry.loop.ScheduleMicrotask(func() { r.run(p) }) // refused when the loop has ended: it does not run
}

// settle gives the promise its outcome, and queues the reactions before it releases the lock. So later reactions
// queue behind them. entitled says that the caller may settle a promise that is committed. Without it, or if the
// promise is settled, nothing happens.
func (p *Promise) settle(state uint8, outcome any, entitled bool) bool {
	p.registry.mu.Lock()
	defer p.registry.mu.Unlock()
	if p.state >= fulfilled || p.state == committed && !entitled {
		return false
	}
	p.state, p.outcome = state, outcome
	delete(p.registry.pending, p.id)
	for _, r := range p.reactions {
		p.enqueue(r)
	}
	p.reactions, p.room = nil, [3]reaction{}
	return true
}

// commit decides that the promise follows another object, and queues follow.
func (p *Promise) commit(follow func(), entitled bool) bool {
	p.registry.mu.Lock()
	defer p.registry.mu.Unlock()
	if p.state >= fulfilled || p.state == committed && !entitled {
		return false
	}
	p.state = committed
	_ = p.registry.loop.ScheduleMicrotask(follow) // refused when the loop has ended: the promise stays pending
	return true
}

// resolve is ECMA-262's resolve function.
func (p *Promise) resolve(value any, entitled bool) bool {
	switch x := value.(type) {
	case *Promise:
		if x == p {
			return p.settle(rejected, design.ErrSelfResolution, entitled)
		}
		return p.commit(func() { x.attach(reaction{child: p}) }, entitled)
	case design.Thenable:
		return p.commit(design.Follow(fate{p}, x).Run, entitled)
	default:
		return p.settle(fulfilled, value, entitled)
	}
}

// A fate is a committed promise, in the hands of a thenable.
type fate struct{ p *Promise }

func (f fate) Become(value any)  { f.p.resolve(value, true) }
func (f fate) Fail(reason error) { f.p.settle(rejected, design.Reason(reason), true) }

// run reacts to the outcome of p.
func (r *reaction) run(p *Promise) {
	failed := p.state == rejected
	if failed && r.rejected == nil || !failed && r.fulfilled == nil {
		r.child.settle(p.state, p.outcome, true)
		return
	}
	returned := false
	defer func() {
		if !returned {
			r.child.settle(rejected, design.PanicError(recover()), false)
		}
	}()
	var value any
	var err error
	if failed {
		value, err = r.rejected(p.outcome.(error))
	} else {
		value, err = r.fulfilled(p.outcome)
	}
	returned = true
	if err != nil {
		r.child.settle(rejected, err, false)
	} else {
		r.child.resolve(value, false)
	}
}
