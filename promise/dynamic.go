package promise

import (
	"fmt"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Dynamic is a promise of a value of any type with the resolution procedure of ECMA-262: resolved with a promise or
// a [Thenable], it follows that. It is the basis for script engines and adapters; in Go code, [Promise] is more
// precise.
//
// Microtasks are spent exactly as ECMA-262 spends them, so the order of reactions matches JavaScript's.
type Dynamic struct{ p Promise[any] }

// A Thenable is a value that a [Dynamic] follows instead of being fulfilled with it.
//
// Then is called in a microtask of its own, and settles the promise through the resolver, then or later, from any
// goroutine. The first call of the resolver wins. An error that Then returns, or its panic, rejects the promise,
// unless the resolver has been used.
type Thenable interface {
	Then(DynamicResolver) error
}

// Promise returns the typed view of d. The two are one promise: reactions attached to either are in one order.
func (d *Dynamic) Promise() *Promise[any] {
	if d == nil {
		return nil
	}
	return &d.p
}

// A DynamicResolver resolves or rejects a [Dynamic], once: all copies count together. The zero value does nothing.
type DynamicResolver struct{ r *resolving }

// A resolving is ECMA-262's pair of resolving functions, with their flag alreadyResolved.
type resolving struct {
	d       *Dynamic
	claimed sched.Bool
}

func (r DynamicResolver) claim() bool {
	return r.r != nil && r.r.claimed.CompareAndSwap(false, true)
}

// Resolve resolves the promise with v, and reports whether this call decided the outcome. If v is a [*Dynamic], a
// [*Promise] or a [Thenable], the promise follows it; otherwise it is fulfilled with v. ECMA-262: Promise Resolve
// Functions.
func (r DynamicResolver) Resolve(v any) bool {
	if !r.claim() {
		return false
	}
	r.r.d.resolve(v, false)
	return true
}

// Reject rejects the promise with a reason of any type: see [Reason].
func (r DynamicResolver) Reject(reason any) bool {
	if !r.claim() {
		return false
	}
	r.r.d.p.reject(Throw(reason))
	return true
}

// WithDynamicResolver returns a pending promise and the resolver that settles it. Costs one allocation.
func WithDynamicResolver(loop *eventloop.Loop) (*Dynamic, DynamicResolver) {
	r := &struct {
		Dynamic
		resolving
	}{}
	r.p.start(coreOf(loop))
	r.d = &r.Dynamic
	return &r.Dynamic, DynamicResolver{&r.resolving}
}

// ResolveDynamic returns a promise resolved with v: v itself if it is a [*Dynamic] of this loop. ECMA-262:
// Promise.resolve.
func ResolveDynamic(loop *eventloop.Loop, v any) *Dynamic {
	if d, ok := v.(*Dynamic); ok && d.p.loop == coreOf(loop) {
		return d
	}
	d, r := WithDynamicResolver(loop)
	r.Resolve(v)
	return d
}

// RejectDynamic returns a promise that is rejected with a reason of any type. ECMA-262: Promise.reject.
func RejectDynamic(loop *eventloop.Loop, reason any) *Dynamic {
	d := &Dynamic{}
	d.p.start(coreOf(loop))
	d.p.reject(Throw(reason))
	return d
}

// A thrown is a reason that is not an error.
type thrown struct{ value any }

func (t *thrown) Error() string { return fmt.Sprintf("promise: rejected with %v", t.value) }

// Throw makes an error of a reason for rejecting that may be of any type, as in JavaScript. An error is returned as it
// is. A handler of [Dynamic.Then] returns it to reject.
func Throw(reason any) error {
	if err, ok := reason.(error); ok && err != nil {
		return err
	}
	return &thrown{reason}
}

// Reason undoes [Throw]: it returns the value that err was made of, or err itself.
func Reason(err error) any {
	if t, ok := err.(*thrown); ok {
		return t.value
	}
	return err
}

// Then attaches two handlers. One of them will run. The promise returned is resolved with the handler's result, or
// rejected with its error. A nil handler passes the outcome of d through. ECMA-262: Promise.prototype.then.
func (d *Dynamic) Then(fulfilled func(any) (any, error), rejected func(error) (any, error)) *Dynamic {
	t := &dynamicThen{fulfilled: fulfilled, rejected: rejected}
	t.job = t
	t.p.start(d.Promise().home())
	d.p.attach(&t.node)
	return &t.Dynamic
}

type dynamicThen struct {
	Dynamic
	node
	fulfilled func(any) (any, error)
	rejected  func(error) (any, error)
}

func (t *dynamicThen) Run() {
	p, onValue, onReason := from[any](&t.node), t.fulfilled, t.rejected
	t.job, t.fulfilled, t.rejected = nil, nil, nil
	reason := p.outcome()
	switch {
	case reason != nil && onReason == nil:
		t.p.passOnLoop(reason)
		return
	case reason == nil && onValue == nil:
		t.p.fulfilOnLoop(p.value)
		return
	}
	var v any
	var err error
	if reason != nil {
		v, err = onReason(reason.err)
	} else {
		v, err = onValue(p.value)
	}
	if err != nil {
		t.p.rejectOnLoop(err)
		return
	}
	t.resolve(v, true)
}

// JobFailed is like a reaction's.
func (t *dynamicThen) JobFailed(err error) { t.p.rejectOnLoop(err) }

// Catch is Then with no handler for a value. ECMA-262: Promise.prototype.catch.
func (d *Dynamic) Catch(rejected func(error) (any, error)) *Dynamic { return d.Then(nil, rejected) }

// Finally attaches fn to either outcome. If fn returns a promise or a thenable, the promise returned waits for it,
// and then takes the outcome of d. It rejects if fn fails or if fn's promise rejects. ECMA-262:
// Promise.prototype.finally.
func (d *Dynamic) Finally(fn func() (any, error)) *Dynamic {
	wait := func(then func(any) (any, error)) (any, error) {
		v, err := fn()
		if err != nil {
			return nil, err
		}
		return ResolveDynamic(public(d.p.loop), v).Then(then, nil), nil
	}
	return d.Then(
		func(v any) (any, error) {
			return wait(func(any) (any, error) { return v, nil })
		},
		func(err error) (any, error) {
			return wait(func(any) (any, error) { return nil, err })
		})
}
