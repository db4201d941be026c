package gojavm

import "github.com/dop251/goja"

// A callback is a function of the script that Go can call.
type callback struct {
	value goja.Value // nil, or a function: always of one type, so that it can be compared with any value
	fn    goja.Callable
}

// Callback is Node's validateFunction(value, 'callback'). Scripts pass the same function repeatedly. The last one is
// kept, because calling one from Go takes two objects.
func (vm *VM) Callback(v goja.Value) goja.Callable {
	fn, ok := vm.callback.fn, true
	if v != vm.callback.value {
		fn, ok = goja.AssertFunction(v)
	}
	if !ok {
		vm.WrongArgument("callback", "of type function", v)
	}
	vm.callback.value, vm.callback.fn = v, fn
	if vm.async != nil {
		return vm.async.bind(fn)
	}
	return fn
}

// A Tick is a call that process.nextTick has put off.
type Tick struct {
	Fn   goja.Callable
	Args []goja.Value
}

// nextTick is process.nextTick(callback, ...args).
func (vm *VM) nextTick(call goja.FunctionCall) goja.Value {
	fn := vm.Callback(call.Argument(0))
	vm.host.NextTick(Tick{fn, Rest(call.Arguments, 1)})
	return goja.Undefined()
}
