package promise

import (
	"github.com/eventloop-go/eventloop/internal/inside"
)

// resolve is ECMA-262's resolve function, for the caller that alone may settle d. onLoop says that it runs on the
// loop's goroutine.
func (d *Dynamic) resolve(v any, onLoop bool) {
	var job inside.Job
	switch x := v.(type) {
	case *Dynamic:
		if x == d {
			d.reject(ErrSelfResolution, onLoop)
			return
		}
		if x == nil {
			break
		}
		if x.p.zero() {
			d.reject(ErrNilPromise, onLoop)
			return
		}
		job = newDynamicFollow(d, &x.p)
	case typed:
		if !x.isNil() {
			if x.zero() {
				d.reject(ErrNilPromise, onLoop)
				return
			}
			job = x.followedBy(d)
		}
	case Thenable:
		job = &thenableJob{d, x}
	}
	switch {
	case job == nil && onLoop:
		d.p.fulfilOnLoop(v)
	case job == nil:
		d.p.fulfil(v)
	case onLoop:
		d.p.loop.Enqueue(job)
	default:
		_ = d.p.loop.EnqueueJob(job) // refused when the loop has ended: it stays pending
	}
}

func (d *Dynamic) reject(err error, onLoop bool) {
	if onLoop {
		d.p.rejectOnLoop(err)
	} else {
		d.p.reject(err)
	}
}

// typed is a *Promise of any type.
type typed interface {
	isNil() bool
	zero() bool
	// followedBy returns the job that makes d follow the promise.
	followedBy(d *Dynamic) inside.Job
}

func (p *Promise[T]) isNil() bool { return p == nil }

func (p *Promise[T]) followedBy(d *Dynamic) inside.Job { return newDynamicFollow(d, p) }

// A dynamicFollow makes a dynamic promise take the outcome of another promise. It serves two microtasks: the first
// attaches it to parent, which is ECMA-262's NewPromiseResolveThenableJob, for a thenable whose Then is known.
type dynamicFollow[T any] struct {
	node
	child  *Dynamic
	parent *Promise[T]
}

func newDynamicFollow[T any](child *Dynamic, parent *Promise[T]) *dynamicFollow[T] {
	f := &dynamicFollow[T]{child: child, parent: on(child.p.loop, parent)}
	f.job = f
	return f
}

func (f *dynamicFollow[T]) Run() {
	if parent := f.parent; parent != nil {
		f.parent = nil
		parent.attachOnLoop(&f.node)
		return
	}
	p := from[T](&f.node)
	if r := p.outcome(); r != nil {
		f.child.p.passOnLoop(r)
		return
	}
	// Resolved once more, as ECMA-262 does: the value of a typed promise may be a promise.
	f.child.resolve(p.value, true)
}

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
		if err := failure(recover()); r.claim() {
			j.d.p.rejectOnLoop(err)
		}
	}()
	err := j.x.Then(r)
	returned = true
	if err != nil && r.claim() {
		j.d.p.rejectOnLoop(err)
	}
}
