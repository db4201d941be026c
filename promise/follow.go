package promise

// ThenPromise is [Then] for a callback that returns a promise. The promise returned follows that one, even across
// loops.
//
// Following takes two microtasks more than a plain value: one to attach to the promise, one to react to it. ECMA-262,
// in which the two functions are one, does the same. If fn returns nil or a zero Promise, the promise returned
// rejects with [ErrNilPromise]. If fn returns that promise itself, it rejects with [ErrSelfResolution].
func ThenPromise[T, U any](p *Promise[T], fn func(T) *Promise[U]) *Promise[U] {
	t := &thenPromise[T, U]{fn: fn}
	t.job = t
	t.start(p.home())
	p.attach(&t.node)
	return &t.Promise
}

type thenPromise[T, U any] struct {
	following[U]
	fn func(T) *Promise[U]
}

func (t *thenPromise[T, U]) Run() {
	p, fn := from[T](&t.node), t.fn
	t.job, t.fn = nil, nil
	if r := p.outcome(); r != nil {
		t.passOnLoop(r)
		return
	}
	q := fn(p.value)
	t.follow(q)
}

// A following is the promise of a callback that returns a promise. After the callback it serves two microtasks. The
// first, with inner set, attaches to the returned promise: ECMA-262's NewPromiseResolveThenableJob. The second
// settles.
type following[T any] struct {
	reaction[T]
	inner *Promise[T]
}

func (f *following[T]) follow(q *Promise[T]) {
	switch {
	case q.zero():
		f.rejectOnLoop(ErrNilPromise)
	case q == &f.Promise:
		f.rejectOnLoop(ErrSelfResolution)
	default:
		f.inner = on(f.loop, q)
		f.loop.Enqueue(f)
	}
}

func (f *following[T]) Run() {
	if inner := f.inner; inner != nil {
		f.inner = nil
		f.job = f
		inner.attachOnLoop(&f.node)
		return
	}
	inner := from[T](&f.node)
	f.job = nil
	f.copyOnLoop(inner)
}

// A follow makes one promise take the outcome of another on the same loop. It serves two microtasks: the first
// attaches it to parent.
type follow[T any] struct {
	node
	child, parent *Promise[T]
}

func newFollow[T any](child, parent *Promise[T]) *follow[T] {
	f := &follow[T]{child: child, parent: parent}
	f.job = f
	return f
}

func (f *follow[T]) Run() {
	if parent := f.parent; parent != nil {
		f.parent = nil
		parent.attachOnLoop(&f.node)
		return
	}
	f.child.copyOnLoop(from[T](&f.node))
}
