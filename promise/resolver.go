package promise

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Resolver settles the promise it was made with. It is a small value to be copied; all copies settle the same
// promise, and the first call wins. The zero Resolver settles nothing.
type Resolver[T any] struct{ r *root[T] }

// A root is a promise that is settled through a Resolver.
type root[T any] struct {
	Promise[T]
	claimed sched.Bool // by the one call that decides the outcome
}

// WithResolvers returns a pending promise and the resolver that settles it. Costs one allocation. ECMA-262:
// Promise.withResolvers.
func WithResolvers[T any](loop *eventloop.Loop) (*Promise[T], Resolver[T]) {
	r := &root[T]{}
	r.start(coreOf(loop))
	return &r.Promise, Resolver[T]{r}
}

// protect calls fn and returns its panic as an error.
func protect(fn func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = failure(v)
		}
	}()
	fn()
	return nil
}

// Resolve returns a promise that is fulfilled with v. Costs one allocation. To follow a promise, see [Resolver.Follow],
// [ThenPromise] and [On].
func Resolve[T any](loop *eventloop.Loop, v T) *Promise[T] {
	p := &Promise[T]{loop: coreOf(loop), value: v}
	p.word.Store(&fulfilled)
	return p
}

// Reject returns a promise that is rejected with err. It is reported as unhandled if nothing is attached to it before
// the loop next asks: attach at once, on the loop.
func Reject[T any](loop *eventloop.Loop, err error) *Promise[T] {
	p := &Promise[T]{}
	p.start(coreOf(loop))
	p.reject(err)
	return p
}

// Try calls fn at once, on the calling goroutine, and returns the promise of its outcome. If fn panics, that is a
// [*eventloop.PanicError]. ECMA-262: Promise.try.
func Try[T any](loop *eventloop.Loop, fn func() (T, error)) *Promise[T] {
	var v T
	var err error
	if panicked := protect(func() { v, err = fn() }); panicked != nil {
		err = panicked
	}
	if err != nil {
		return Reject[T](loop, err)
	}
	return Resolve(loop, v)
}

// Resolve fulfils the promise with v, and reports whether this call decided the outcome: false means that an earlier
// one did, and nothing happens.
//
// It may be called from any goroutine, and wakes the loop if there are reactions. When the loop has ended, the
// promise still takes the value, which [Promise.Result] and [Promise.Wait] return, but no reaction runs.
func (r Resolver[T]) Resolve(v T) bool {
	if !r.claim() {
		return false
	}
	r.r.fulfil(v)
	return true
}

// Reject rejects the promise with err, or with [ErrNilReason] if that is nil. Otherwise it is as [Resolver.Resolve].
func (r Resolver[T]) Reject(err error) bool {
	if !r.claim() {
		return false
	}
	r.r.reject(err)
	return true
}

// Follow decides that the promise takes the outcome of p, which may belong to another loop. Until p is settled the
// promise stays pending; later calls of the resolver have no effect. It returns the same report as
// [Resolver.Resolve].
//
// As in ECMA-262 this takes two microtasks more than a value: one to attach to p, one to react to it. If p is nil or zero, the
// promise rejects with [ErrNilPromise]; if p is the promise itself, with [ErrSelfResolution].
func (r Resolver[T]) Follow(p *Promise[T]) bool {
	if !r.claim() {
		return false
	}
	switch {
	case p.zero():
		r.r.reject(ErrNilPromise)
	case p == &r.r.Promise:
		r.r.reject(ErrSelfResolution)
	default:
		_ = r.r.loop.EnqueueJob(newFollow(&r.r.Promise, on(r.r.loop, p))) // refused when the loop has ended: it stays pending
	}
	return true
}

// settle settles the promise as another was.
func (r Resolver[T]) settle(as Result[T]) {
	if as.Err != nil {
		r.Reject(as.Err)
	} else {
		r.Resolve(as.Value)
	}
}

func (r Resolver[T]) claim() bool {
	return r.r != nil && !r.r.claimed.Load() && r.r.claimed.CompareAndSwap(false, true)
}
