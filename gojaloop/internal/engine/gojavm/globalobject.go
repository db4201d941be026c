package gojavm

import "github.com/dop251/goja"

// OwnGlobals makes own properties of the globals: accessors, which at the first read turn into properties with
// values, as in Node. It keeps properties of these names that the script or Go code has defined.
func (vm *VM) OwnGlobals() {
	g := &vm.globals
	if g.owned {
		return
	}
	g.owned = true
	g.getters = make([]goja.Value, len(g.all))
	global := vm.GlobalObject()
	_ = global.DefineDataProperty("globalThis", global, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	for _, name := range global.GetOwnPropertyNames() {
		if i, ok := g.index[name]; ok {
			g.made[i] = true
		}
	}
	for i, each := range g.all {
		if !vm.offers(i) {
			continue
		}
		get := vm.Function("get "+each.Name, 0, func(goja.FunctionCall) goja.Value { return vm.makeGlobal(i) })
		set := vm.Function("set "+each.Name, 1, func(call goja.FunctionCall) goja.Value {
			vm.setGlobal(i, call.Argument(0))
			return goja.Undefined()
		})
		g.getters[i] = get
		_ = global.DefineAccessorProperty(each.Name, get, set, goja.FLAG_TRUE, each.Enumerable)
	}
	vm.describeGlobals("Object", "getOwnPropertyDescriptor", 2)
	vm.describeGlobals("Object", "getOwnPropertyDescriptors", 1)
	vm.describeGlobals("Reflect", "getOwnPropertyDescriptor", 2)
}

// describeGlobals wraps a function of the engine's that describes properties. Its result must follow the standards:
// properties with values. So the wrapper makes the requested globals.
func (vm *VM) describeGlobals(object, name string, length int) {
	global := vm.GlobalObject()
	holder, _ := global.Get(object).(*goja.Object)
	if holder == nil {
		return // Go code has put something else there
	}
	describe, ok := goja.AssertFunction(holder.Get(name))
	if !ok {
		return
	}
	vm.Method(holder, name, length, func(call goja.FunctionCall) goja.Value {
		for again := true; ; again = false {
			v, err := describe(call.This, call.Arguments...)
			if err != nil {
				panic(err)
			}
			if !again || call.Argument(0) != global || !vm.makeDescribed(v, call.Argument(1), length == 1) {
				return v
			}
		}
	})
}

// makeDescribed makes the globals that a description shows as our accessors, and reports whether there were any. The
// description is of one property, or of all.
func (vm *VM) makeDescribed(description, name goja.Value, all bool) (made bool) {
	properties, ok := description.(*goja.Object)
	if !ok {
		return false
	}
	isOurs := func(i int, property goja.Value) bool {
		p, ok := property.(*goja.Object)
		return ok && vm.globals.getters[i] != nil && p.Get("get") == vm.globals.getters[i]
	}
	for i, g := range vm.globals.all {
		property := description
		if all {
			property = properties.Get(g.Name)
		} else if g.Name != name.String() {
			continue
		}
		if isOurs(i, property) {
			vm.makeGlobal(i)
			made = true
		}
	}
	return made
}
