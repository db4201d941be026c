package promise

// Then attaches fn to p and returns the promise of its outcome. When p is fulfilled, fn runs on the loop, as a
// microtask, with the value; the promise returned is fulfilled with what fn returns, or rejected if that is an error.
// If p is rejected, so is the promise returned, and fn does not run.
//
// Reactions to one promise run in the order in which they were attached, also those attached after it settled. If fn
// panics, the promise returned rejects with a [*eventloop.PanicError] that keeps the value and the stack; if it calls
// [runtime.Goexit], with one whose value is [eventloop.ErrGoexit]. If the loop ends first, fn does not run.
//
// Costs one allocation, which holds both the reaction and the promise returned. ECMA-262: Promise.prototype.then.
func Then[T, U any](p *Promise[T], fn func(T) (U, error)) *Promise[U] {
	t := &then[T, U]{parent: p, fn: fn}
	t.job = t
	t.start(p.loop)
	p.attach(&t.node)
	return &t.Promise
}

type then[T, U any] struct {
	Promise[U]
	node
	parent *Promise[T]
	fn     func(T) (U, error)
}

func (t *then[T, U]) react() {
	p, fn := t.parent, t.fn
	t.parent, t.fn = nil, nil // whoever keeps the promise does not keep all that led to it
	if r := p.reason(); r != nil {
		t.passHome(r)
		return
	}
	v, err := fn(p.value)
	if err != nil {
		t.rejectHome(err)
		return
	}
	t.fulfilHome(v)
}

func (t *then[T, U]) fail(err error) { t.rejectHome(err) }

// Catch attaches fn to p for the case that it is rejected: fn runs with the error, and the promise returned takes
// fn's outcome. If p is fulfilled, the promise returned takes its value, and fn does not run.
//
// Otherwise it is as [Then]. ECMA-262: Promise.prototype.catch.
func (p *Promise[T]) Catch(fn func(error) (T, error)) *Promise[T] {
	t := &catch[T]{parent: p, fn: fn}
	t.job = t
	t.start(p.loop)
	p.attach(&t.node)
	return &t.Promise
}

type catch[T any] struct {
	Promise[T]
	node
	parent *Promise[T]
	fn     func(error) (T, error)
}

func (t *catch[T]) react() {
	p, fn := t.parent, t.fn
	t.parent, t.fn = nil, nil
	r := p.reason()
	if r == nil {
		t.fulfilHome(p.value)
		return
	}
	v, err := fn(r.err)
	if err != nil {
		t.rejectHome(err)
		return
	}
	t.fulfilHome(v)
}

func (t *catch[T]) fail(err error) { t.rejectHome(err) }

// Finally attaches fn to p for either case. The promise returned takes p's outcome after fn has returned; if fn
// panics, it rejects as with [Then].
//
// ECMA-262's Promise.prototype.finally spends two more microtasks, because its callback may return a promise to wait
// for. This one cannot: the promise returned settles in the microtask that runs fn. [Dynamic.Finally] is ECMA-262's.
func (p *Promise[T]) Finally(fn func()) *Promise[T] {
	t := &finally[T]{parent: p, fn: fn}
	t.job = t
	t.start(p.loop)
	p.attach(&t.node)
	return &t.Promise
}

type finally[T any] struct {
	Promise[T]
	node
	parent *Promise[T]
	fn     func()
}

func (t *finally[T]) react() {
	p, fn := t.parent, t.fn
	t.parent, t.fn = nil, nil
	fn()
	t.copyHome(p)
}

func (t *finally[T]) fail(err error) { t.rejectHome(err) }
