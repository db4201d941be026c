package gojavm

import (
	"github.com/dop251/goja"
)

// microtasks puts callbacks and reactions into the engine's own queue of promise jobs, because microtasks have a
// single order. An await does that without any look-up, so it calls nothing that a script has patched.
//
// The job is JavaScript. A Go function would be called without a JavaScript frame around it. When such a callback
// returns, goja would run promise jobs ahead of those that wait.
type microtasks struct{ enqueue, react goja.Callable }

var microtaskProgram = goja.MustCompile(OwnSource+"microtask", `({
	enqueue: (fail) => async (fn) => { await undefined; try { fn() } catch (e) { fail(e) } },
	react: async (value, fulfilled, rejected) => { let v; try { v = await value } catch (e) { rejected(e); return } fulfilled(v) },
})`, true)

// microtasks makes them when they are first asked for.
func (vm *VM) microtasks() *microtasks {
	if vm.microtask != nil {
		return vm.microtask
	}
	v, err := vm.RunProgram(microtaskProgram)
	if err != nil {
		panic(err) // only an engine that is broken, or interrupted, fails here
	}
	fail := vm.ToValue(func(call goja.FunctionCall) goja.Value {
		vm.host.Uncaught(call.Argument(0))
		return goja.Undefined()
	})
	obj := v.(*goja.Object)
	make, _ := goja.AssertFunction(obj.Get("enqueue"))
	if v, err = make(goja.Undefined(), fail); err != nil {
		panic(err)
	}
	enqueue, _ := goja.AssertFunction(v)
	react, _ := goja.AssertFunction(obj.Get("react"))
	vm.microtask = &microtasks{enqueue, react}
	return vm.microtask
}

// QueueMicrotask is HTML's QueueMicrotask(callback): an exception is reported, and the microtasks behind it run.
func (vm *VM) QueueMicrotask(call goja.FunctionCall) goja.Value {
	fn := call.Argument(0)
	vm.Callback(fn)
	if _, err := vm.microtasks().enqueue(goja.Undefined(), fn); err != nil {
		panic(err)
	}
	return goja.Undefined()
}

// React has one of two functions called, in a promise job, when v is settled.
func (vm *VM) React(v, fulfilled, rejected goja.Value) error {
	_, err := vm.microtasks().react(goja.Undefined(), v, fulfilled, rejected)
	return err
}
