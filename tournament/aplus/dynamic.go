package aplus

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// Dynamic is the [Implementation] of the product: [promise.Dynamic].
func Dynamic(loop *eventloop.Loop) Implementation { return dynamics{loop} }

type dynamics struct{ loop *eventloop.Loop }

func (m dynamics) Deferred() (Promise, func(any), func(any)) {
	d, r := promise.WithDynamicResolver(m.loop)
	return dynamic{d}, func(v any) { r.Resolve(native(v)) }, func(v any) { r.Reject(v) }
}

type dynamic struct{ d *promise.Dynamic }

func (p dynamic) Then(fulfilled, rejected Handler) Promise {
	var onValue func(any) (any, error)
	var onReason func(error) (any, error)
	if fulfilled != nil {
		onValue = func(v any) (any, error) { return outcome(fulfilled(v)) }
	}
	if rejected != nil {
		onReason = func(err error) (any, error) { return outcome(rejected(promise.Reason(err))) }
	}
	return dynamic{p.d.Then(onValue, onReason)}
}

func outcome(v any, threw bool) (any, error) {
	if threw {
		return nil, promise.Throw(v)
	}
	return native(v), nil
}

// native makes a value of the suite one that package promise follows.
func native(v any) any {
	switch x := v.(type) {
	case dynamic:
		return x.d
	case Thenable:
		return follower{x}
	default:
		return v
	}
}

type follower struct{ t Thenable }

func (f follower) Then(r promise.DynamicResolver) error {
	reason, threw := f.t.Call(func(v any) { r.Resolve(native(v)) }, func(v any) { r.Reject(v) })
	if threw {
		return promise.Throw(reason)
	}
	return nil
}
