package promise

// ThenPromise is [Then] for a callback that returns a promise: the promise returned follows that one, which may belong
// to another loop.
//
// As in ECMA-262, where the two are one function, following takes two microtasks more than a plain value: one to
// attach to the promise, one to react to it. If fn returns nil, the promise returned rejects with [ErrNilPromise]; if
// fn returns that promise itself, with [ErrSelfResolution].
func ThenPromise[T, U any](p *Promise[T], fn func(T) *Promise[U]) *Promise[U] {
	t := &thenPromise[T, U]{fn: fn}
	t.job = t
	t.start(p.loop)
	p.attach(&t.node)
	return &t.Promise
}

// A thenPromise serves three microtasks: as a reaction to p it calls fn; then, with inner set, it attaches to what fn
// returned, which is ECMA-262's NewPromiseResolveThenableJob; as a reaction to that it settles.
type thenPromise[T, U any] struct {
	Promise[U]
	node
	fn    func(T) *Promise[U]
	inner *Promise[U]
}

func (t *thenPromise[T, U]) Run() {
	switch inner := t.inner; {
	case t.fn != nil:
		t.call()
	case inner != nil:
		t.inner = nil
		t.job = t
		inner.attachOnLoop(&t.node)
	default:
		inner = from[U](&t.node)
		t.job = nil
		t.copyOnLoop(inner)
	}
}

func (t *thenPromise[T, U]) call() {
	p, fn := from[T](&t.node), t.fn
	t.job, t.fn = nil, nil
	if r := p.outcome(); r != nil {
		t.passOnLoop(r)
		return
	}
	returned := false
	defer func() {
		if !returned {
			t.rejectOnLoop(failure(recover()))
		}
	}()
	q := fn(p.value)
	returned = true
	switch q {
	case nil:
		t.rejectOnLoop(ErrNilPromise)
	case &t.Promise:
		t.rejectOnLoop(ErrSelfResolution)
	default:
		t.inner = On(t.loop, q)
		t.loop.Owner().Enqueue(t)
	}
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
