package gojaloop

import (
	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// microtasks is how callbacks and reactions get into the engine's own queue of promise jobs, for there is but one order
// of microtasks. An await does that without looking anything up, so nothing that a script has patched is called.
//
// The job is JavaScript: a function of Go's would be called with no JavaScript frame around it, and goja would then run
// promise jobs when the callback returns, ahead of those that wait.
type microtasks struct{ enqueue, react goja.Callable }

var microtaskProgram = goja.MustCompile(gojavm.OwnSource+"microtask", `({
	enqueue: (fail) => async (fn) => { await undefined; try { fn() } catch (e) { fail(e) } },
	react: async (value, fulfilled, rejected) => { let v; try { v = await value } catch (e) { rejected(e); return } fulfilled(v) },
})`, true)

// microtasks makes them when they are first asked for.
func (rt *Runtime) microtasks() *microtasks {
	if rt.microtask != nil {
		return rt.microtask
	}
	v, err := rt.vm.RunProgram(microtaskProgram)
	if err != nil {
		panic(err) // only an engine that is broken, or interrupted, fails here
	}
	fail := rt.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		rt.uncaughtValue(call.Argument(0), nil, "uncaughtException")
		return goja.Undefined()
	})
	obj := v.(*goja.Object)
	make, _ := goja.AssertFunction(obj.Get("enqueue"))
	if v, err = make(goja.Undefined(), fail); err != nil {
		panic(err)
	}
	enqueue, _ := goja.AssertFunction(v)
	react, _ := goja.AssertFunction(obj.Get("react"))
	rt.microtask = &microtasks{enqueue, react}
	return rt.microtask
}

// queueMicrotask is HTML's queueMicrotask(callback): an exception is reported, and the microtasks behind it run.
func (rt *Runtime) queueMicrotask(call goja.FunctionCall) goja.Value {
	fn := call.Argument(0)
	rt.callback(fn)
	if _, err := rt.microtasks().enqueue(goja.Undefined(), fn); err != nil {
		panic(err)
	}
	return goja.Undefined()
}
