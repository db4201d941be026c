package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/coroutine"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// A Coroutine is a function that runs on the loop and may wait for promises without holding the loop up: what an async
// function is in JavaScript. [Async] and [Spawn] start one, and [Await] suspends it. It is for its own function only.
type Coroutine struct {
	co      coroutine.Coroutine
	loop    *core
	ctx     context.Context
	forget  func() bool // has ctx forget the coroutine; nil if ctx never ends
	wait    *suspension // for the next Await
	first   suspension  // the first of them
	waiting bool        // it is suspended
	over    bool
}

// Context returns the context that the coroutine was started with.
func (c *Coroutine) Context() context.Context { return c.ctx }

// Loop returns the loop that the coroutine runs on.
func (c *Coroutine) Loop() *eventloop.Loop { return public(c.loop) }

// Async calls body on the loop, as a coroutine, and returns the promise of its outcome. It must be called on the loop,
// inside a callback; [Spawn] is for other goroutines. Body has run up to its first [Await] when
// Async returns. Before Run, body starts as a microtask.
//
// The order is that of async functions in JavaScript. An Await costs one microtask. The return of body settles the
// promise in the same microtask. Callbacks and other coroutines run only while body waits, so state it shares with
// them needs no lock. Body must not block other than in Await. Inside it [eventloop.Loop.Do] calls inline, and
// OnLoop of package adapter is true.
//
// The promise rejects if body returns an error, panics (with a [*eventloop.PanicError]) or calls [runtime.Goexit]
// (with a PanicError whose value is [eventloop.ErrGoexit]).
//
// When ctx ends, the pending Await returns an error that matches ctx's error and its cause, in a microtask of its
// own. Every later Await returns it too. If ctx has ended before the start, body is not called and the promise
// rejects with such an error.
//
// When the loop has run its last callback, it resumes the waiting coroutines one after the other, in the order of
// their start. Their Awaits return [eventloop.ErrLoopTerminated]. This happens on the goroutine in
// [eventloop.Loop.Run], and Run waits until they have returned. A waiting coroutine does not keep a loop with
// [eventloop.WithAutoExit] open.
//
// A coroutine has a goroutine until body returns. The loop keeps up to 64 goroutines of ended coroutines for reuse. A
// coroutine whose promise is never settled stays until ctx or the loop ends. docs/results/linux-amd64/README.md has the cost of a
// start, beside a goroutine and Node; docs/results/linux-amd64/coroutines.txt has the memory of a million waiting
// coroutines.
//
// The loop looks at its goroutine when the first coroutine starts. If that is not locked to its thread, a later
// [runtime.LockOSThread] lasts until a coroutine next waits, returns or continues. This holds for locks of callbacks
// and of coroutines, and for three locks at most since the last switch. UnlockOSThread has no effect after that. A generator of
// [iter.Pull] that was made under the lock cannot go on after that either.
//
// If the goroutine is locked, as the main goroutine of a user interface is, coroutines run on its thread. The goroutine
// must keep this lock. Coroutines must undo their own locks before they wait. A coroutine on such a loop that calls
// Goexit leaks its goroutine.
//
// A program that breaks these rules ends: the Go runtime throws. It also ends if a coroutine starts or continues
// inside a function that C has called. Package adapter has the rules for driven loops.
func Async[T any](ctx context.Context, loop *eventloop.Loop, body func(*Coroutine) (T, error)) *Promise[T] {
	a := newAsync(ctx, loop, body)
	p := a.p
	if a.loop.Coroutines.IsOpen() {
		a.Run()
	} else {
		a.enqueue()
	}
	return p
}

// Spawn is [Async] for any goroutine: body starts as a microtask. If the loop has ended, the promise rejects with
// [eventloop.ErrLoopTerminated].
func Spawn[T any](ctx context.Context, loop *eventloop.Loop, body func(*Coroutine) (T, error)) *Promise[T] {
	a := newAsync(ctx, loop, body)
	p := a.p
	a.enqueue()
	return p
}

// An async is a coroutine with its body. The promise of the outcome does not keep it. As a job it starts the body.
type async[T any] struct {
	Coroutine
	p    *Promise[T]
	body func(*Coroutine) (T, error)
}

func newAsync[T any](ctx context.Context, loop *eventloop.Loop, body func(*Coroutine) (T, error)) *async[T] {
	a := &async[T]{p: &Promise[T]{}, body: body}
	a.loop, a.ctx = coreOf(loop), ctx
	a.p.start(a.loop)
	a.wait, a.first.c = &a.first, &a.Coroutine
	return a
}

func (a *async[T]) enqueue() {
	if err := a.loop.EnqueueJob(a); err != nil {
		a.p.reject(err)
	}
}

func (a *async[T]) Run() {
	if a.ctx.Err() != nil {
		a.over = true
		a.p.rejectOnLoop(inside.ContextError(a.ctx))
		return
	}
	if a.ctx.Done() != nil {
		a.forget = a.loop.Loop.AfterContext(a.ctx, a.cancel)
	}
	a.co.Start(&a.loop.Coroutines, a)
	a.switched()
}

// Main is the coroutine.
func (a *async[T]) Main() {
	returned := false
	var v T
	var err error
	defer func() {
		if !returned {
			err = failure(recover())
		}
		a.over = true
		a.settle(v, err)
	}()
	v, err = a.body(&a.Coroutine)
	returned = true
}

// Unwind resumes the coroutine when the loop has ended.
func (a *async[T]) Unwind() { a.interrupt() }

func (a *async[T]) settle(v T, err error) {
	p := a.p
	a.p, a.body = nil, nil
	switch open := a.loop.Coroutines.IsOpen(); {
	case open:
		p.endOnLoop(v, err)
	case err != nil:
		p.reject(err) // what follows a promise does not run any more
	default:
		p.fulfil(v)
	}
}

// switched is called when the coroutine has switched back. Work that needs much stack is done here, because the
// coroutine's stack is small.
func (c *Coroutine) switched() {
	if c.over && c.forget != nil {
		c.forget()
		c.forget = nil
	}
}
