package promise

import (
	"runtime/debug"

	"github.com/eventloop-go/eventloop"
)

// resolve is ECMA-262's resolve function, for a caller that has the say over d. home tells that it runs on the loop's
// goroutine.
func (d *Dynamic) resolve(v any, home bool) {
	var job eventloop.Job
	switch x := v.(type) {
	case *Dynamic:
		if x == d {
			d.reject(ErrSelfResolution, home)
			return
		}
		if x == nil {
			break
		}
		job = newDynamicFollow(d, &x.p)
	case typed:
		job = x.followedBy(d)
	case Thenable:
		job = &thenableJob{d, x}
	}
	switch {
	case job == nil && home:
		d.p.fulfilHome(v)
	case job == nil:
		d.p.fulfil(v)
	case home:
		d.p.loop.Owner().Enqueue(job)
	default:
		_ = d.p.loop.EnqueueJob(job) // refused when the loop has ended: it stays pending
	}
}

func (d *Dynamic) reject(err error, home bool) {
	if home {
		d.p.rejectHome(err)
	} else {
		d.p.reject(err)
	}
}

// typed is a *Promise of any type.
type typed interface {
	followedBy(d *Dynamic) eventloop.Job
}

// followedBy returns the job that makes d follow p, or nil if p is nil.
func (p *Promise[T]) followedBy(d *Dynamic) eventloop.Job {
	if p == nil {
		return nil
	}
	return newDynamicFollow(d, p)
}

// A dynamicFollow makes a dynamic promise take the outcome of another promise. As a job it attaches itself: ECMA-262's
// NewPromiseResolveThenableJob, for a thenable whose Then is known.
type dynamicFollow[T any] struct {
	node
	child  *Dynamic
	parent *Promise[T]
}

func newDynamicFollow[T any](child *Dynamic, parent *Promise[T]) *dynamicFollow[T] {
	f := &dynamicFollow[T]{child: child, parent: On(child.p.loop, parent)}
	f.job = f
	return f
}

func (f *dynamicFollow[T]) Run() { f.parent.attachHome(&f.node) }

func (f *dynamicFollow[T]) react() {
	if r := f.parent.reason(); r != nil {
		f.child.p.passHome(r)
		return
	}
	// Resolved once more, as ECMA-262 does: the value of a typed promise may be a promise.
	f.child.resolve(f.parent.value, true)
}

func (f *dynamicFollow[T]) home() *eventloop.Loop { return f.parent.loop }

// A thenableJob calls a thenable in a microtask of its own: ECMA-262's NewPromiseResolveThenableJob.
type thenableJob struct {
	d *Dynamic
	x Thenable
}

func (j *thenableJob) Run() {
	r := DynamicResolver{&resolving{d: j.d}}
	returned := false
	defer func() {
		if returned {
			return
		}
		e := &eventloop.PanicError{Value: recover(), Stack: debug.Stack()}
		if e.Value == nil {
			e.Value = eventloop.ErrGoexit
		}
		if r.claim() {
			j.d.p.rejectHome(e)
		}
	}()
	err := j.x.Then(r)
	returned = true
	if err != nil && r.claim() {
		j.d.p.rejectHome(err)
	}
}
