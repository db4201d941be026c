package gojaloop

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// Do runs fn on the loop, as a callback of the event loop, with ticks and promise jobs after it, and waits for that.
// The goja runtime, and values of it, must not be used once fn has returned. Inside a callback of the runtime, Do
// calls fn at once.
//
// If ctx ends before fn has begun, it will not begin; if it ends later, the script is interrupted. Go functions and single long operations of the engine
// cannot be interrupted, so Do still waits for those.
//
// Do returns the error of fn, a *[ScriptError] if the script throws, an *[InterruptError] if ctx has ended, [ErrStopped], or an
// error of the loop. The loop looks at the result of fn, under ctx.
func (rt *Runtime) Do(ctx context.Context, fn func(vm *goja.Runtime) error) error {
	return rt.invoke(ctx, &invocation{fn: fn, any: true})
}

// onLoop is Do for a function that has the intrinsics prepared itself.
func (rt *Runtime) onLoop(ctx context.Context, fn func(vm *goja.Runtime) error) error {
	return rt.invoke(ctx, &invocation{fn: fn})
}

// An invocation is a function that runs on the loop while its caller waits.
type invocation struct {
	rt     *Runtime
	ctx    context.Context
	fn     func(vm *goja.Runtime) error
	any    bool           // fn may use anything, so all intrinsics are completed before
	began  atomic.Bool    // or will not begin; the goroutine that sets it decides
	over   sync.WaitGroup // holds one until a function that has begun is over
	err    error          // the outcome, set before that
	thrown error          // what fn has returned or thrown
}

func (rt *Runtime) invoke(ctx context.Context, i *invocation) error {
	i.rt, i.ctx = rt, ctx
	if ctx.Err() != nil {
		if adapter.Of(rt.loop).OnLoop() {
			return rt.do(i)
		}
		return &InterruptError{Cause: context.Cause(ctx)}
	}
	// The loop does not wait for fn any more when ctx has ended. We do, if it has begun.
	i.over.Add(1)
	failed := rt.loop.Do(ctx, i.run)
	if !i.began.CompareAndSwap(false, true) {
		i.over.Wait()
		return i.err
	}
	switch {
	case errors.Is(failed, eventloop.ErrLoopTerminated):
		return errLoopEnded
	case ctx.Err() != nil:
		return &InterruptError{Cause: context.Cause(ctx)}
	}
	return failed
}

func (i *invocation) run() {
	if i.began.CompareAndSwap(false, true) {
		defer i.over.Done()
		i.err = ErrStopped // unless do comes to its end: Go code may end the goroutine
		i.err = i.rt.do(i)
	}
}

// Submit runs fn on the loop, as Do does, and does not wait. An exception that fn lets through, as a panic, is one that
// nobody caught.
//
// Errors: those of [eventloop.Loop.Submit]. A runtime that has stopped by then does not run fn.
func (rt *Runtime) Submit(fn func(vm *goja.Runtime)) error {
	return rt.loop.Submit(func() { rt.enter(entrant{submitted: fn}) })
}

// An entrant is what a callback of Go code begins with: one of two.
type entrant struct {
	invoked   *invocation
	submitted func(vm *goja.Runtime)
}

// enter is Enter of the turn for Go code that calls often: it makes no function for that.
func (rt *Runtime) enter(e entrant) {
	if rt.entrance == nil {
		rt.entrance = rt.entered
	}
	rt.entrant = e
	rt.turn.Enter(rt.entrance)
	rt.entrant = entrant{} // of an entry that has not come to it
}

func (rt *Runtime) entered() {
	e := rt.entrant
	rt.entrant = entrant{}
	if i := e.invoked; i != nil {
		if i.any {
			rt.vm.PrepareAll()
		}
		i.thrown = rt.thrown(rt.protect(i.fn))
		return
	}
	rt.vm.PrepareAll()
	if ex := rt.vm.Try(func() { e.submitted(rt.vm.Runtime) }); ex != nil {
		rt.catch(ex)
	}
}

// Call runs fn on the loop as goja itself has Go code run scripts: the promise jobs of each have run when it returns to
// fn. Under [Runtime.Do] and [Runtime.Submit] fn counts as a callback of its own instead, and promise jobs wait until it
// has ended. In either case the nextTick queue, and reports of unhandled rejections, come after fn. A panic in fn passes
// through to the caller, and leaves the runtime as it is.
//
// It must be called on the loop; inside a callback of the runtime it just calls fn. It reports false if the runtime has
// stopped, before fn or in it.
func (rt *Runtime) Call(fn func(vm *goja.Runtime)) bool {
	if rt.opts.compatible == nil {
		rt.vm.PrepareAll()
	}
	return rt.callAll(func() bool {
		fn(rt.vm.Runtime)
		return false
	})
}

// callAll is Call for functions that follow each other: next calls one, and reports whether there is another. When the runtime
// stops, those that are left are not called.
func (rt *Runtime) callAll(next func() (more bool)) bool {
	switch {
	case rt.turn.Stopped:
	case rt.turn.Inside():
		for next() && !rt.turn.Stopped {
		}
	default:
		defer func() {
			if rt.turn.Stopped {
				rt.vm.ClearInterrupt() // stop had set it, to leave the script
			}
		}()
		rt.turn.Call(next)
	}
	return !rt.turn.Stopped
}

// do is Do on the loop.
func (rt *Runtime) do(i *invocation) error {
	switch {
	case rt.turn.Stopped:
		return ErrStopped
	case i.ctx.Done() == nil:
		rt.enter(entrant{invoked: i})
		return rt.outcome(i.thrown)
	}
	w := rt.vm.Watch(i.ctx)
	defer rt.callFor(i.ctx)()
	rt.enter(entrant{invoked: i})
	if w.End() {
		return interruptError(w)
	}
	return rt.outcome(i.thrown)
}

// protect turns exceptions that fn lets through, as panics, into errors.
func (rt *Runtime) protect(fn func(vm *goja.Runtime) error) (err error) {
	if ex := rt.vm.Try(func() { err = fn(rt.vm.Runtime) }); ex != nil {
		return ex
	}
	return err
}

func (rt *Runtime) outcome(err error) error {
	if err == nil {
		if rt.turn.Stopped {
			return rt.endedWith()
		}
		return nil
	}
	var interrupted *goja.InterruptedError
	if errors.As(err, &interrupted) {
		return rt.endedWith()
	}
	return err
}

// Eval runs a script with [Runtime.Do] and returns its value, as [goja.Value.Export] gives it, but for bytes, which are
// copied. If that is a promise, Eval waits for it.
//
// A long source is compiled as [Runtime.RunScript] does it.
//
// Errors besides those of Do: [ErrTooDeep] and [ErrTooLarge] for a value that Go cannot get, and what [Compile] returns.
func (rt *Runtime) Eval(ctx context.Context, src string) (any, error) {
	return rt.await(ctx, func(vm *goja.Runtime) (goja.Value, error) {
		s, err := compileUnder(ctx, "eval.js", src)
		if err != nil {
			if ctx.Err() != nil {
				err = &InterruptError{Cause: context.Cause(ctx)}
			}
			return nil, err
		}
		return s.run(rt)
	})
}

// Await runs get on the loop and waits, if the value is a promise or a thenable, until that is settled. It returns the
// value as [Runtime.Eval] does. It must not be called on the loop.
//
// Errors: those of [Runtime.Eval], and [eventloop.ErrOnLoop]. A promise that is rejected is an exception.
func (rt *Runtime) Await(ctx context.Context, get func(vm *goja.Runtime) (goja.Value, error)) (any, error) {
	return rt.await(ctx, func(vm *goja.Runtime) (goja.Value, error) {
		rt.vm.PrepareAll()
		return get(vm)
	})
}

// await is Await for a function that has the intrinsics prepared itself.
func (rt *Runtime) await(ctx context.Context, get func(vm *goja.Runtime) (goja.Value, error)) (any, error) {
	if adapter.Of(rt.loop).OnLoop() {
		return nil, eventloop.ErrOnLoop
	}
	type outcome struct {
		value any
		err   error
	}
	settled := make(chan outcome, 2)
	err := rt.onLoop(ctx, func(vm *goja.Runtime) error {
		v, err := get(vm)
		if err != nil {
			return err
		}
		return rt.then(v, func(v goja.Value) {
			value, err := gojavm.Export(rt.vm.Runtime, v)
			settled <- outcome{value, rt.thrown(err)}
		}, func(v goja.Value) {
			settled <- outcome{err: rt.scriptError(v, nil)}
		})
	})
	if err != nil {
		return nil, err
	}
	select {
	case o := <-settled:
		return o.value, o.err
	default:
	}
	select {
	case o := <-settled:
		return o.value, o.err
	case <-ctx.Done():
		return nil, &InterruptError{Cause: context.Cause(ctx)}
	case <-rt.ended:
		return nil, rt.endedWith()
	case <-rt.loop.Done():
		return nil, errLoopEnded
	}
}

// errLoopEnded says that there is no loop any more to run the runtime.
var errLoopEnded = fmt.Errorf("%w: %w", ErrStopped, eventloop.ErrLoopTerminated)

// endedWith is why the runtime has stopped. It is called when ended is closed.
func (rt *Runtime) endedWith() error {
	if rt.failure != nil {
		return rt.failure
	}
	return ErrStopped
}

// then has one of two functions called when v is settled; at once, if it is no promise or thenable.
func (rt *Runtime) then(v goja.Value, fulfilled, rejected func(goja.Value)) error {
	if _, ok := v.(*goja.Object); !ok {
		fulfilled(v)
		return nil
	}
	reaction := func(fn func(goja.Value)) goja.Value {
		return rt.vm.ToValue(func(call goja.FunctionCall) goja.Value {
			fn(call.Argument(0))
			return goja.Undefined()
		})
	}
	return rt.vm.React(v, reaction(fulfilled), reaction(rejected))
}
