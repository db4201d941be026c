package lockinline

import (
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// run reacts to the outcome of p, on p's loop.
func (r *reaction) run(p *Promise) {
	child := r.child
	home := child.loop == p.loop
	failed := p.state == rejected
	if failed && r.rejected == nil || !failed && r.fulfilled == nil {
		child.settle(p.state, p.outcome, true, home)
		return
	}
	returned := false
	defer func() {
		if !returned {
			child.settle(rejected, design.PanicError(recover()), false, home)
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
		child.settle(rejected, err, false, home)
	} else {
		child.resolve(value, false, home)
	}
}

// resolve is ECMA-262's resolve function.
func (p *Promise) resolve(value any, entitled, home bool) bool {
	switch x := value.(type) {
	case *Promise:
		if x == p {
			return p.settle(rejected, design.ErrSelfResolution, entitled, home)
		}
		return p.commit(&follow{p, x}, entitled, home)
	case design.Thenable:
		return p.commit(design.Follow(fate{p}, x), entitled, home)
	default:
		return p.settle(fulfilled, value, entitled, home)
	}
}

// A follow is the microtask that attaches a committed promise to the one that it follows: ECMA-262's
// NewPromiseResolveThenableJob.
type follow struct{ child, parent *Promise }

func (f *follow) Run() { f.parent.attach(reaction{child: f.child}, f.parent.loop == f.child.loop) }

// A fate is a committed promise, in the hands of a thenable.
type fate struct{ p *Promise }

func (f fate) Become(value any)  { f.p.resolve(value, true, false) }
func (f fate) Fail(reason error) { f.p.settle(rejected, design.Reason(reason), true, false) }
