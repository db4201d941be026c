package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// ThenPromise is [Then] for a callback that returns a promise: the promise returned follows that one, which may belong
// to another loop.
//
// As in ECMA-262, where the two are one function, following takes two microtasks more than a plain value: one to
// attach to the promise, one to react to it. If fn returns nil, the promise returned rejects with [ErrNilPromise]; if
// fn returns that promise itself, with [ErrSelfResolution].
func ThenPromise[T, U any](p *Promise[T], fn func(T) *Promise[U]) *Promise[U] {
	t := &thenPromise[T, U]{parent: p, fn: fn}
	t.job = t
	t.start(p.loop)
	p.attach(&t.node)
	return &t.Promise
}

// A thenPromise serves three microtasks: as a reaction to parent it calls fn; as a job it attaches to what fn
// returned; as a reaction to that it settles.
type thenPromise[T, U any] struct {
	Promise[U]
	node
	parent *Promise[T]
	fn     func(T) *Promise[U]
	inner  *Promise[U]
}

func (t *thenPromise[T, U]) react() {
	if q := t.inner; q != nil {
		t.inner = nil
		t.copyHome(q)
		return
	}
	p, fn := t.parent, t.fn
	t.parent, t.fn = nil, nil
	if r := p.reason(); r != nil {
		t.passHome(r)
		return
	}
	switch q := fn(p.value); q {
	case nil:
		t.rejectHome(ErrNilPromise)
	case &t.Promise:
		t.rejectHome(ErrSelfResolution)
	default:
		t.inner = On(t.loop, q)
		t.loop.Owner().Enqueue(t)
	}
}

func (t *thenPromise[T, U]) fail(err error) { t.rejectHome(err) }

// Run attaches to the inner promise: ECMA-262's NewPromiseResolveThenableJob.
func (t *thenPromise[T, U]) Run() { t.inner.attachHome(&t.node) }

// A follow makes one promise take the outcome of another on the same loop. As a job it attaches itself.
type follow[T any] struct {
	node
	child, parent *Promise[T]
}

func newFollow[T any](child, parent *Promise[T]) *follow[T] {
	f := &follow[T]{child: child, parent: parent}
	f.job = f
	return f
}

func (f *follow[T]) Run()                  { f.parent.attachHome(&f.node) }
func (f *follow[T]) react()                { f.child.copyHome(f.parent) }
func (f *follow[T]) home() *eventloop.Loop { return f.parent.loop }

// On returns a promise on loop that takes the outcome of p: p itself if that is where it belongs. Reactions attached
// to it run on loop. If the loop of p ends while p is pending, the promise rejects with [eventloop.ErrLoopTerminated].
//
// [ThenPromise], [Resolver.Follow] and the combinators use it for promises of another loop.
func On[T any](loop *eventloop.Loop, p *Promise[T]) *Promise[T] {
	if p.loop == loop {
		return p
	}
	q, r := WithResolvers[T](loop)
	c := &crossing[T]{parent: p, resolver: r}
	c.job = c
	c.forget = sched.AfterContext(p.loop.Context(), c.end)
	p.attach(&c.node)
	return q
}

// A crossing brings an outcome from one loop to another.
type crossing[T any] struct {
	node
	parent   *Promise[T]
	resolver Resolver[T]
	forget   func() bool
}

func (c *crossing[T]) react() {
	c.forget()
	c.end()
}

// end runs when the promise is settled, or its loop has ended.
func (c *crossing[T]) end() {
	switch res, ok := c.parent.Result(); {
	case !ok:
		c.resolver.Reject(eventloop.ErrLoopTerminated)
	case res.Err != nil:
		c.resolver.Reject(res.Err)
	default:
		c.resolver.Resolve(res.Value)
	}
}

func (c *crossing[T]) home() *eventloop.Loop { return c.parent.loop }
