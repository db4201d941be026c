package gojaloop

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// Async makes a function for scripts out of one that may block. It runs on a goroutine of its own, and the script
// gets a promise. The program stays alive until that is settled.
//
// Arguments are exported on the loop before fn starts, as [Runtime.Eval] does; what cannot be exported is a RangeError.
//
// The context ends with the program. It also ends with the context of the [Runtime.CallFunction], [Runtime.Do] or [Runtime.Eval]
// that the script runs for. A script may pass an AbortSignal as the last argument, or as its signal property. Aborting the signal
// ends the context too, and rejects the promise with the signal's reason at once, even if fn goes on.
//
// The loop gets a copy of the result of fn, as with arguments of [Runtime.CallFunction], so that a script
// never holds a value that Go code still uses. [Live] gives it a value as it is. An error, also of package json, rejects the promise with
// an Error that has its message; so does a panic. If the script lets that through, the error that Go code gets matches fn's.
func (rt *Runtime) Async(fn func(ctx context.Context, args []any) (any, error)) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		args := rt.exportArguments(call.Arguments)
		op := rt.begin(rt.lastSignal(call.Arguments))
		rt.work(func() {
			var value gojavm.Argument
			err := fmt.Errorf("gojaloop: the function ended its goroutine")
			defer func() {
				if v := recover(); v != nil {
					err = adapter.Failure(v)
				}
				op.finish(func() (goja.Value, error) {
					if err != nil {
						return nil, err
					}
					return value.In(rt.vm.Runtime)
				})
			}()
			var result any
			if result, err = fn(op.ctx, args); err == nil {
				value, err = gojavm.ArgumentOf(result)
			}
		})
		return op.promise
	}
}

// work runs a function that may block, on a goroutine of its own. In a simulation it runs when that decides.
func (rt *Runtime) work(fn func()) {
	if start := inside.Of(rt.loop).Blocking().Start; start != nil {
		start(fn)
	} else {
		go fn()
	}
}

// Live wraps a result of a function of [Runtime.Async], so that a script gets the value itself and no copy. The script's object
// reads and writes the fields, elements and entries of Go's value, and calls its methods, on the loop. See
// [goja.Runtime.ToValue]. No other goroutine
// may use what the script can reach.
func Live(v any) any { return gojavm.Live{Value: v} }

// An operation is something asynchronous under way for a script: it has a promise, keeps the program alive, and can be
// cancelled.
type operation struct {
	rt              *Runtime
	ctx             context.Context
	cancel          context.CancelFunc
	promise         goja.Value
	resolve, reject func(any) error
	alive           func() // releases what keeps the loop open
	parent          context.Context
	caller          context.Context // of the call that the script ran for when it began the operation, or nil
	aborted         atomic.Bool
	onAbort         func() // what else ends when the signal is aborted
	detach          func() // from the signal
	settled         bool   // on the loop
}

// begin starts an operation. It is called on the loop; signal may be nil.
func (rt *Runtime) begin(signal *goja.Object) *operation {
	op := &operation{rt: rt, detach: func() {}}
	parent := adapter.Of(rt.loop).Context()
	if rt.program != nil {
		parent = rt.program.life
	}
	op.parent, op.caller = parent, rt.caller
	op.ctx, op.cancel = within(parent, op.caller)
	p, resolve, reject := rt.vm.NewPromise()
	op.promise, op.resolve, op.reject = rt.vm.ToValue(p), resolve, reject
	op.alive, _ = rt.loop.KeepAlive()
	rt.pending++
	rt.operations[op] = struct{}{}
	if signal != nil {
		op.follow(signal)
	}
	return op
}

// within returns a context that ends with parent, with caller unless that is nil, and when cancel is called. It has the values
// of parent.
func within(parent, caller context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	if caller == nil {
		return ctx, func() { cancel(nil) }
	}
	leave := context.AfterFunc(caller, func() { cancel(context.Cause(caller)) })
	return ctx, func() {
		leave()
		cancel(nil)
	}
}

// callFor has operations that begin until restore is called belong to the call with this context. So the deadline of a call
// also reaches what a script does when it has awaited another operation.
func (rt *Runtime) callFor(ctx context.Context) (restore func()) {
	outer := rt.caller
	rt.caller = ctx
	return func() { rt.caller = outer }
}

// follow rejects the promise, and ends the context, when the signal is aborted.
func (op *operation) follow(signal *goja.Object) {
	abort := op.rt.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		op.aborted.Store(true)
		if op.onAbort != nil {
			op.onAbort()
		}
		op.settle(func() error { return op.reject(call.Argument(0)) })
		return goja.Undefined()
	})
	v, err := op.rt.vm.Exported("abort", "attach")(goja.Undefined(), signal, abort)
	if err != nil {
		panic(err)
	}
	if detach, ok := goja.AssertFunction(v); ok && !op.settled {
		op.detach = func() { _, _ = detach(goja.Undefined()) }
	}
}

// finish settles the promise from another goroutine; get makes the value on the loop.
func (op *operation) finish(get func() (goja.Value, error)) {
	rt := op.rt
	err := rt.loop.SubmitInternal(func() {
		defer rt.callFor(op.caller)()
		if op.caller != nil && op.caller.Err() == nil { // when it has ended, the script may clean up
			defer rt.vm.Watch(interrupting(op.caller)).End()
		}
		rt.turn.Enter(func() {
			if rt.turn.Stopped {
				return
			}
			v, err := get()
			op.settle(func() error {
				if err != nil {
					return op.reject(rt.errorValue(err))
				}
				return op.resolve(v)
			})
		})
		op.release()
	})
	if err != nil {
		op.cancel() // the loop has ended, and the promise with it
		op.alive()
	}
}

// settle calls fn if the promise is not settled yet, and lets go of everything. It is called in a callback.
func (op *operation) settle(fn func() error) {
	if op.settled {
		return
	}
	op.settled = true
	op.detach()
	if err := fn(); err != nil {
		op.rt.catch(err)
	}
	op.release()
}

// release ends the operation's part in keeping the program alive.
func (op *operation) release() {
	rt := op.rt
	if _, under := rt.operations[op]; !under {
		return
	}
	delete(rt.operations, op)
	op.cancel()
	rt.pending--
	op.alive()
	if !rt.turn.Inside() {
		rt.settle()
	}
}

// errorValue makes a value to throw: the one that was thrown, or an Error.
func (rt *Runtime) errorValue(err error) goja.Value {
	switch e := err.(type) {
	case *goja.Exception:
		return e.Value()
	case *thrown:
		return e.value
	}
	return rt.vm.NewError(err)
}

// thrown is an error that stands for a value of the script.
type thrown struct{ value goja.Value }

func (t *thrown) Error() string { return t.value.String() }

// lastSignal finds the AbortSignal in a call's arguments.
func (rt *Runtime) lastSignal(args []goja.Value) *goja.Object {
	if len(args) == 0 || !rt.vm.Loaded("abort") { // nobody has made a signal yet
		return nil
	}
	obj, ok := args[len(args)-1].(*goja.Object)
	if !ok {
		return nil
	}
	if rt.isSignal(obj) {
		return obj
	}
	if s, ok := obj.Get("signal").(*goja.Object); ok && rt.isSignal(s) {
		return s
	}
	return nil
}

// isSignal reports whether an object was made as an AbortSignal, whatever it looks like.
func (rt *Runtime) isSignal(obj *goja.Object) bool {
	v, err := rt.vm.Exported("abort", "isSignal")(goja.Undefined(), obj)
	return err == nil && v.ToBoolean()
}

// exportArguments exports the arguments of a call by a script. It throws a RangeError for values that cannot be exported.
func (rt *Runtime) exportArguments(values []goja.Value) []any {
	args := make([]any, len(values))
	for i, v := range values {
		var err error
		if args[i], err = gojavm.Export(rt.vm.Runtime, v); errors.Is(err, ErrTooDeep) || errors.Is(err, ErrTooLarge) {
			panic(rt.vm.Error("RangeError", err.Error()))
		} else if err != nil {
			panic(err)
		}
	}
	return args
}
