package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/coroutine"
	"github.com/eventloop-go/eventloop/internal/sched"
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
// Order is that of async functions in JavaScript: an Await costs one microtask, and what body returns settles the promise
// in the microtask in which it returns. Callbacks and other coroutines run only while body waits, so what it shares with
// them needs no lock; it must not block in other ways. [eventloop.Loop.Do] inside it calls inline, and
// [eventloop.Loop.OnLoop] is true.
//
// An error that body returns rejects the promise. So does a panic, with a [*eventloop.PanicError], and
// [runtime.Goexit], with one whose value is [eventloop.ErrGoexit].
//
// When ctx ends, the Await that body waits in returns its cause, in a microtask of its own, and so does every later one;
// if ctx has ended at the start, body is not called, and the promise rejects with the cause. When the loop ends, with its
// last callback behind it, the coroutines that wait are resumed one after the other, in the order of their start, by the
// goroutine in [eventloop.Loop.Run]: their Awaits return [eventloop.ErrLoopTerminated], and Run waits until they have
// returned. Waiting does not keep a loop with [eventloop.WithAutoExit] open.
//
// A coroutine has a goroutine, and is kept until body returns; the loop keeps the goroutines of up to 64 that have ended for
// the next. One that waits for a promise that nobody can settle stays
// until ctx or the loop ends. docs/benchmarks.md has what it costs to start one, beside a goroutine and Node, and
// docs/results/linux-amd64/coroutines.txt what memory each of a million takes while it waits. If the goroutine of Run is locked to its
// thread, it must be locked before the first coroutine starts, and stay so; a coroutine there that calls Goexit leaves its goroutine
// behind.
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

// An async is a coroutine and what it is to run. The promise of the outcome does not keep it. As a job it starts.
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
		a.p.rejectOnLoop(context.Cause(a.ctx))
		return
	}
	if a.ctx.Done() != nil {
		a.forget = sched.AfterContext(a.ctx, a.cancel)
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

// switched is called when the coroutine has switched back. What needs much stack is done here: the coroutine's is small.
func (c *Coroutine) switched() {
	if c.over && c.forget != nil {
		c.forget()
		c.forget = nil
	}
}
