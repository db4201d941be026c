package gojavm

import "github.com/dop251/goja"

// Set defines a property of an object that is ours. To assign it would call what a script has put on a prototype: a setter
// would get hold of the object.
func Set(vm *goja.Runtime, obj *goja.Object, name string, value any) {
	_ = obj.DefineDataProperty(name, vm.ToValue(value), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
}

// Get returns a property of an object of the script's. Where there is none it is undefined, as in JavaScript; the engine
// gives nil.
func Get(obj *goja.Object, name string) goja.Value {
	if v := obj.Get(name); v != nil {
		return v
	}
	return goja.Undefined()
}
