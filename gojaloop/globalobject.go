package gojaloop

import "github.com/dop251/goja"

// ownGlobals makes own properties of the globals: accessors, which at the first look turn into properties with values,
// as in Node. What the script, or Go code, has defined under one of the names stays.
func (rt *Runtime) ownGlobals() {
	if rt.owned {
		return
	}
	rt.owned = true
	rt.getters = make([]goja.Value, len(globals))
	global := rt.vm.GlobalObject()
	_ = global.DefineDataProperty("globalThis", global, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	for _, name := range global.GetOwnPropertyNames() {
		if i, ok := globalIndex[name]; ok {
			rt.made[i] = true
		}
	}
	for i, g := range globals {
		if !rt.offers(i) {
			continue
		}
		get := rt.function("get "+g.name, 0, func(goja.FunctionCall) goja.Value { return rt.makeGlobal(i) })
		set := rt.function("set "+g.name, 1, func(call goja.FunctionCall) goja.Value {
			rt.setGlobal(i, call.Argument(0))
			return goja.Undefined()
		})
		rt.getters[i] = get
		_ = global.DefineAccessorProperty(g.name, get, set, goja.FLAG_TRUE, g.enumerable)
	}
	rt.describeGlobals("Object", "getOwnPropertyDescriptor", 2)
	rt.describeGlobals("Object", "getOwnPropertyDescriptors", 1)
	rt.describeGlobals("Reflect", "getOwnPropertyDescriptor", 2)
}

// describeGlobals makes a function of the engine's, which describes properties, find what the standards say: properties
// with values. So it makes the globals that it is asked about.
func (rt *Runtime) describeGlobals(object, name string, length int) {
	global := rt.vm.GlobalObject()
	holder, _ := global.Get(object).(*goja.Object)
	if holder == nil {
		return // Go code has put something else there
	}
	describe, ok := goja.AssertFunction(holder.Get(name))
	if !ok {
		return
	}
	rt.method(holder, name, length, func(call goja.FunctionCall) goja.Value {
		for again := true; ; again = false {
			v, err := describe(call.This, call.Arguments...)
			if err != nil {
				panic(err)
			}
			if !again || call.Argument(0) != global || !rt.makeDescribed(v, call.Argument(1), length == 1) {
				return v
			}
		}
	})
}

// makeDescribed makes the globals that a description shows as our accessors, and reports whether there were any. It is the
// description of one property, or has those of all.
func (rt *Runtime) makeDescribed(description, name goja.Value, all bool) (made bool) {
	properties, ok := description.(*goja.Object)
	if !ok {
		return false
	}
	isOurs := func(i int, property goja.Value) bool {
		p, ok := property.(*goja.Object)
		return ok && rt.getters[i] != nil && p.Get("get") == rt.getters[i]
	}
	for i, g := range globals {
		property := description
		if all {
			property = properties.Get(g.name)
		} else if g.name != name.String() {
			continue
		}
		if isOurs(i, property) {
			rt.makeGlobal(i)
			made = true
		}
	}
	return made
}
