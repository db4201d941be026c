package gojaloop

import "github.com/dop251/goja"

// microtasks holds what queueMicrotask needs: then, and a resolved promise to call it on, both from before the script
// could change anything. The promise has a constructor of its own, undefined, so that a patched one is not looked up.
type microtasks struct {
	then    goja.Callable
	promise goja.Value
	guarded goja.Callable
}

// guard makes a promise job of a callback. The job must be a JavaScript function: one of Go's would be called with no
// JavaScript frame around it, and then goja runs promise jobs when the callback returns, ahead of those that wait.
var guard = goja.MustCompile(internalPrefix+"microtask", `(fail) => (fn) => () => { try { fn() } catch (e) { fail(e) } }`, true)

func (rt *Runtime) setUpMicrotasks() {
	p, resolve, _ := rt.vm.NewPromise()
	_ = resolve(goja.Undefined()) // runs nothing of a script
	obj := rt.vm.ToValue(p).(*goja.Object)
	then, _ := goja.AssertFunction(obj.Get("then"))
	_ = obj.DefineDataProperty("constructor", goja.Undefined(), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	fail := rt.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		rt.uncaughtValue(call.Argument(0), nil, "uncaughtException")
		return goja.Undefined()
	})
	v, err := rt.vm.RunProgram(guard)
	if err != nil {
		panic(err) // only an engine that is broken fails here
	}
	make, _ := goja.AssertFunction(v)
	if v, err = make(goja.Undefined(), fail); err != nil {
		panic(err)
	}
	guarded, _ := goja.AssertFunction(v)
	rt.microtask = microtasks{then, obj, guarded}
}

// queueMicrotask is HTML's queueMicrotask(callback): an exception is reported, and the microtasks behind it run. It
// goes into the engine's own queue of promise jobs, for there is but one order of microtasks.
func (rt *Runtime) queueMicrotask(call goja.FunctionCall) goja.Value {
	fn := call.Argument(0)
	rt.callback(fn)
	job, err := rt.microtask.guarded(goja.Undefined(), fn)
	if err == nil {
		_, err = rt.microtask.then(rt.microtask.promise, job)
	}
	if err != nil {
		panic(err)
	}
	return goja.Undefined()
}
