package reactionstack

import (
	"runtime"

	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// react reacts to the outcome of the parent, on the parent's loop.
func (r *reaction) react() {
	p, child := r.parent, r.child
	home := child.loop == p.loop
	mark := p.top.Load()
	for mark == &settling {
		runtime.Gosched()
		mark = p.top.Load()
	}
	failed := mark == &rejectedMark
	switch {
	case r.race:
		if child.claim() {
			child.settle(mark, p.outcome, home)
		}
		return
	case failed && r.rejected == nil || !failed && r.fulfilled == nil:
		child.settle(mark, p.outcome, home)
		return
	}
	returned := false
	defer func() {
		if !returned {
			child.settle(&rejectedMark, design.PanicError(recover()), home)
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
		child.settle(&rejectedMark, err, home)
	} else {
		child.resolve(value, home)
	}
}

// claim decides that the caller is the one to decide.
func (p *Promise) claim() bool { return !p.claimed.Load() && p.claimed.CompareAndSwap(false, true) }

// resolve is ECMA-262's resolve function, for the goroutine that may settle the promise.
func (p *Promise) resolve(value any, home bool) {
	switch x := value.(type) {
	case *Promise:
		if x == p {
			p.settle(&rejectedMark, design.ErrSelfResolution, home)
			return
		}
		p.enqueue(&follow{p, x}, home)
	case design.Thenable:
		p.enqueue(design.Follow(fate{p}, x), home)
	default:
		p.settle(&fulfilledMark, value, home)
	}
}

// A follow is the microtask that attaches a promise to the one that it follows: ECMA-262's
// NewPromiseResolveThenableJob.
type follow struct{ child, parent *Promise }

func (f *follow) Run() {
	f.parent.attach(&reaction{parent: f.parent, child: f.child}, f.parent.loop == f.child.loop)
}

// A fate is a promise in the hands of a thenable.
type fate struct{ p *Promise }

func (f fate) Become(value any)  { f.p.resolve(value, false) }
func (f fate) Fail(reason error) { f.p.settle(&rejectedMark, design.Reason(reason), false) }
