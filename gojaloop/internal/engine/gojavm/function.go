package gojavm

import "github.com/dop251/goja"

// Function makes a function of Go's with a name and a length.
func (vm *VM) Function(name string, length int, fn func(goja.FunctionCall) goja.Value) goja.Value {
	f := vm.ToValue(fn).(*goja.Object)
	_ = f.DefineDataProperty("name", vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	if length == 0 {
		return f // as it is
	}
	_ = f.DefineDataProperty("length", vm.ToValue(length), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return f
}

// Method defines a function on an object, not enumerable, as methods of classes are.
func (vm *VM) Method(obj *goja.Object, name string, length int, fn func(goja.FunctionCall) goja.Value) {
	_ = obj.DefineDataProperty(name, vm.Function(name, length, fn), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// Rest copies the arguments from the nth on: the engine uses the slice again.
func Rest(args []goja.Value, n int) []goja.Value {
	if len(args) <= n {
		return nil
	}
	return append([]goja.Value(nil), args[n:]...)
}
