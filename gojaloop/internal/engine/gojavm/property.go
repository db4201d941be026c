package gojavm

import (
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
)

// SetOwn defines a property of an object that is ours. Assigning it could call a setter that a script has put on a
// prototype, and the setter would get the object.
func (vm *VM) SetOwn(obj *goja.Object, name string, value any) {
	_ = obj.DefineDataProperty(name, vm.ToValue(value), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

// Get returns a property of a script's object. A missing one is undefined, as in JavaScript; the engine returns nil
// for it.
func Get(obj *goja.Object, name string) goja.Value {
	if v := obj.Get(name); v != nil {
		return v
	}
	return goja.Undefined()
}

// propertyNatives have the natives with which process.js makes its objects. put gives an object a property. define
// copies another object's properties, as Object.assign would with unmodified prototypes.
func (vm *VM) propertyNatives(o *goja.Object) {
	// put defines a property, ignoring setters of the prototypes. It reports false if Go has no string for the name:
	// half a surrogate pair becomes a character of its own.
	vm.SetOwn(o, "put", func(call goja.FunctionCall) goja.Value {
		obj, ok := call.Argument(0).(*goja.Object)
		name := call.Argument(1).String()
		if !ok || strings.ContainsRune(name, utf8.RuneError) {
			return vm.ToValue(false)
		}
		if err := obj.DefineDataProperty(name, call.Argument(2), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			panic(err)
		}
		return vm.ToValue(true)
	})
	vm.SetOwn(o, "define", func(call goja.FunctionCall) goja.Value {
		to, from := call.Argument(0).ToObject(vm.Runtime), call.Argument(1).ToObject(vm.Runtime)
		for _, name := range from.GetOwnPropertyNames() {
			vm.SetOwn(to, name, from.Get(name))
		}
		return to
	})
}
