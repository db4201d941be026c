package gojavm

import (
	"reflect"
	"strconv"

	"github.com/dop251/goja"
)

// walking has what the engine calls to go through values of its own classes.
type walking struct {
	methods map[string]goja.Value    // the method Symbol.iterator, by class
	protos  map[string]*goja.Object  // of iterators, by class
	next    map[string]goja.Value    // of the iterators
	calls   map[string]goja.Callable // the same
	forEach map[string]goja.Callable // of maps and sets
	fill    map[string]goja.Callable // set of maps, add of sets
	species *goja.Object             // the class Array, with its original species
	self    goja.Value               // a function that returns this
}

// iterated are the classes of values that the engine can go through.
var iterated = []string{"Array", "Map", "Set", "String", "TypedArray"}

// iteratorOf names the class of the iterators of a class.
func iteratorOf(class string) string {
	if class == "TypedArray" {
		class = "Array"
	}
	return class + " Iterator"
}

// keepWalking keeps how the engine goes through lists.
func (vm *VM) keepWalking() {
	w := &vm.primordials.walking
	*w = walking{map[string]goja.Value{}, map[string]*goja.Object{}, map[string]goja.Value{}, map[string]goja.Callable{}, map[string]goja.Callable{}, map[string]goja.Callable{}, nil, nil}
	for _, class := range iterated {
		proto := vm.prototypeOf(class)
		method := proto.GetSymbol(goja.SymIterator)
		w.methods[class] = method
		made, _ := goja.AssertFunction(method)
		var empty goja.Value = proto
		switch class {
		case "Map", "Set":
			empty = vm.construct(class)
		case "TypedArray":
			empty = vm.construct("Uint8Array")
		}
		iterator := must(made(empty)).(*goja.Object).Prototype()
		name := iteratorOf(class)
		w.protos[name], w.next[name] = iterator, iterator.Get("next")
		w.calls[name], _ = goja.AssertFunction(w.next[name])
		w.forEach[class], _ = goja.AssertFunction(Get(proto, "forEach"))
	}
	w.fill["Map"], _ = goja.AssertFunction(vm.prototypeOf("Map").Get("set"))
	w.fill["Set"], _ = goja.AssertFunction(vm.prototypeOf("Set").Get("add"))
	w.self = vm.ToValue(func(c goja.FunctionCall) goja.Value { return c.This })
}

// iterable returns a value through which the engine goes in the same way, without what a script has put in the place of the
// engine's iterators. For values of other classes it is the value itself, as the standard's protocol has it.
func (vm *VM) iterable(v goja.Value) goja.Value {
	p := &vm.primordials
	if !p.complete {
		return v
	}
	class := vm.classOf(v)
	w := &p.walking
	if call := w.calls[class]; call != nil { // an iterator
		if w.pristine(vm, class) {
			return v
		}
		return vm.iterator(func() (goja.Value, bool) {
			result := must(call(v)).(*goja.Object)
			return result.Get("value"), !result.Get("done").ToBoolean()
		})
	}
	method := w.methods[class]
	if method == nil || w.pristine(vm, iteratorOf(class)) && method.SameAs(look(vm, vm.prototypeOf(class).GetSymbol, goja.SymIterator)) {
		return v
	}
	switch class {
	case "Array", "TypedArray":
		list, i := v.(*goja.Object), 0
		length := func() int64 { return list.Get("length").ToInteger() }
		if class == "TypedArray" {
			length = func() int64 { return int64(reflect.ValueOf(list.Export()).Len()) }
		}
		return vm.iterator(func() (goja.Value, bool) {
			if int64(i) >= length() {
				return goja.Undefined(), false
			}
			i++
			return Get(list, strconv.Itoa(i-1)), true
		})
	case "String":
		runes, i := []rune(v.String()), 0
		return vm.iterator(func() (goja.Value, bool) {
			if i >= len(runes) {
				return goja.Undefined(), false
			}
			i++
			return vm.ToValue(string(runes[i-1])), true
		})
	}
	var items []goja.Value
	must(w.forEach[class](v, vm.ToValue(func(c goja.FunctionCall) goja.Value {
		if class == "Set" {
			items = append(items, c.Argument(0))
		} else {
			items = append(items, vm.NewArray(c.Argument(1), c.Argument(0)))
		}
		return goja.Undefined()
	})))
	i := 0
	return vm.iterator(func() (goja.Value, bool) {
		if i >= len(items) {
			return goja.Undefined(), false
		}
		i++
		return items[i-1], true
	})
}

// pristine reports whether the iterators of a class have their method next.
func (w *walking) pristine(vm *VM, class string) bool {
	return w.next[class] != nil && w.next[class].SameAs(look(vm, w.protos[class].Get, "next"))
}

// look reads a property. One whose getter throws is nothing that was kept.
func look[K any](vm *VM, get func(K) goja.Value, key K) goja.Value {
	var v goja.Value
	if thrown := vm.Try(func() { v = get(key) }); thrown != nil || v == nil {
		return goja.Undefined()
	}
	return v
}

// iterator makes an iterator without a prototype.
func (vm *VM) iterator(next func() (goja.Value, bool)) goja.Value {
	it := vm.CreateObject(nil)
	vm.SetOwn(it, "next", func(goja.FunctionCall) goja.Value {
		v, ok := next()
		result := vm.CreateObject(nil)
		vm.SetOwn(result, "value", v)
		vm.SetOwn(result, "done", !ok)
		return result
	})
	_ = it.DefineDataPropertySymbol(goja.SymIterator, vm.primordials.walking.self, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return it
}

// collection makes a map or a set of a list.
func (vm *VM) collection(class string, list goja.Value) goja.Value {
	made := vm.construct(class)
	if goja.IsUndefined(list) || goja.IsNull(list) {
		return made
	}
	if !vm.primordials.complete {
		return vm.construct(class, list)
	}
	vm.ForOf(vm.iterable(list), func(v goja.Value) bool {
		if class == "Set" {
			must(vm.primordials.walking.fill[class](made, v))
		} else {
			pair := v.ToObject(vm.Runtime)
			must(vm.primordials.walking.fill[class](made, Get(pair, "0"), Get(pair, "1")))
		}
		return true
	})
	return made
}

func (vm *VM) construct(class string, args ...goja.Value) goja.Value {
	made, err := vm.New(vm.original(class), args...)
	return must(made, err)
}
