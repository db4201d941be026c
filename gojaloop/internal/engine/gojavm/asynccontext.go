package gojavm

import "github.com/dop251/goja"

// asyncContext is the basis of Node's AsyncLocalStorage: callbacks and promise jobs inherit it from the place of
// their setup. It is a map of storages to their stores, which asynchooks.js makes and never changes.
//
// Nothing is tracked until a script asks for it, because tracking costs each callback a function.
type asyncContext struct{ stores goja.Value } // nil for none

// Grab, Resumed and Exited are goja's AsyncContextTracker, for promise jobs. Those run one after the other, outside
// callbacks.

func (c *asyncContext) Grab() any { return c.stores }

func (c *asyncContext) Resumed(stores any) { c.stores, _ = stores.(goja.Value) }

func (c *asyncContext) Exited() { c.stores = nil }

// bind makes a callback run in the context of now.
func (c *asyncContext) bind(fn goja.Callable) goja.Callable {
	stores := c.stores
	return func(this goja.Value, args ...goja.Value) (goja.Value, error) {
		before := c.stores
		c.stores = stores
		defer func() { c.stores = before }()
		return fn(this, args...)
	}
}

// asyncNatives are the natives of asynchooks.js.
func (vm *VM) asyncNatives(o *goja.Object) {
	vm.SetOwn(o, "trackAsync", func(goja.FunctionCall) goja.Value {
		vm.async = &asyncContext{}
		vm.SetAsyncContextTracker(vm.async)
		return goja.Undefined()
	})
	vm.SetOwn(o, "asyncStores", func(goja.FunctionCall) goja.Value {
		if vm.async.stores == nil {
			return goja.Undefined()
		}
		return vm.async.stores
	})
	vm.SetOwn(o, "setAsyncStores", func(call goja.FunctionCall) goja.Value {
		vm.async.stores = call.Argument(0)
		return goja.Undefined()
	})
}
