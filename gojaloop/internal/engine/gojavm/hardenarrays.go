package gojavm

import (
	"runtime"
	"strconv"

	"github.com/dop251/goja"
)

// Methods of arrays take any object with a length. The engine's methods walk up to that length without checking the
// time, or allocate room for it. So they get no object longer than elements allows.
var arrayMethods = map[string]int{ // and their lengths
	"copyWithin": 2, "every": 1, "fill": 1, "filter": 1, "find": 1, "findIndex": 1, "findLast": 1, "findLastIndex": 1, "forEach": 1,
	"includes": 1, "indexOf": 1, "lastIndexOf": 1, "map": 1, "reduce": 1, "reduceRight": 1, "reverse": 0, "shift": 0, "slice": 2, "some": 1,
	"sort": 1, "splice": 2, "toLocaleString": 0, "toReversed": 0, "toSorted": 1, "toSpliced": 2, "unshift": 1, "with": 2,
}

type nativeFunction = func(goja.FunctionCall) goja.Value

// native returns the engine's Go function behind one of its own functions. Calling it costs less than calling the
// script function, and its exceptions pass through.
func native(v goja.Value) (nativeFunction, bool) {
	obj, ok := v.(*goja.Object)
	if !ok || !isNativeFunction(obj) {
		return nil, false
	}
	fn, ok := obj.Export().(nativeFunction)
	return fn, ok
}

func (h *hardening) guardArrays(constructor, prototype *goja.Object) {
	h.array = constructor
	for name, length := range arrayMethods {
		if original, ok := native(prototype.Get(name)); ok {
			h.vm.Method(prototype, name, length, func(call goja.FunctionCall) goja.Value {
				h.limitThis(&call)
				count := int64(-1)
				if name == "slice" || name == "splice" {
					count = h.slowThis(&call, name == "splice")
				}
				defer h.engineFault()
				made := original(call)
				if result, ok := made.(*goja.Object); ok && count >= 0 {
					if err := result.Set("length", count); err != nil {
						panic(err)
					}
				}
				return made
			})
		}
	}
	if original, ok := native(prototype.Get("concat")); ok {
		h.vm.Method(prototype, "concat", 1, func(call goja.FunctionCall) goja.Value {
			h.limitConcat(&call)
			defer h.engineFault()
			return original(call)
		})
	}
	if original, ok := native(constructor.Get("from")); ok {
		h.vm.Method(constructor, "from", 1, func(call goja.FunctionCall) goja.Value {
			h.limitFrom(&call)
			return original(call)
		})
	}
	h.vm.Method(prototype, "join", 1, h.join)
	h.vm.Method(prototype, "flat", 0, func(call goja.FunctionCall) goja.Value {
		depth := int64(1)
		if v := call.Argument(0); !goja.IsUndefined(v) {
			depth = v.ToInteger()
		}
		return h.flat(call, depth, nil)
	})
	h.vm.Method(prototype, "flatMap", 1, func(call goja.FunctionCall) goja.Value {
		mapper, ok := goja.AssertFunction(call.Argument(0))
		if !ok {
			panic(h.vm.NewTypeError("flatMap mapper function is not callable"))
		}
		return h.flat(call, 1, mapper)
	})
	typed := h.vm.Get("Uint8Array").(*goja.Object).Prototype().Get("prototype").(*goja.Object)
	h.vm.Method(typed, "join", 1, func(call goja.FunctionCall) goja.Value {
		if obj, ok := call.This.(*goja.Object); !ok || TypeName(obj) != "typedArrayObject" {
			panic(h.vm.NewTypeError("this is not a typed array."))
		}
		return h.join(call)
	})
}

// engineFault turns a panic of Go's in the engine, which has unwound as far as this call, into an exception.
func (h *hardening) engineFault() {
	switch fault := recover().(type) {
	case nil:
	case runtime.Error:
		panic(h.vm.NewTypeError("the engine failed: %v", fault))
	default:
		panic(fault)
	}
}

func (h *hardening) limitThis(call *goja.FunctionCall) {
	if obj, ok := call.This.(*goja.Object); ok {
		n, stable := h.vm.lengthOf(obj)
		h.vm.allow(elements, n)
		call.This = stable
	}
}

// slowThis has the engine go the slow way when a class of the script's makes the result, because that may change this
// and the fast way does not notice. It returns the required length of the result, which the engine does not set, or
// -1.
func (h *hardening) slowThis(call *goja.FunctionCall, splice bool) (count int64) {
	obj, ok := call.This.(*goja.Object)
	if !ok || obj.ClassName() != "Array" || obj.Get("constructor") == goja.Value(h.array) {
		return -1
	}
	n := obj.Get("length").ToInteger()
	call.This = h.vm.ToValue(h.vm.NewProxy(obj, &goja.ProxyTrapConfig{}))
	call.Arguments = Rest(call.Arguments, 0)
	position := func(i int, otherwise int64) int64 { // converted once
		if i >= len(call.Arguments) || goja.IsUndefined(call.Arguments[i]) && !splice && i == 1 {
			return otherwise
		}
		v := call.Arguments[i].ToNumber()
		call.Arguments[i] = v
		return v.ToInteger()
	}
	within := func(i int64) int64 { // a place that may be counted from the end
		if i < 0 {
			return max(n+max(i, -n), 0)
		}
		return min(i, n)
	}
	start := within(position(0, 0))
	switch {
	case !splice:
		return max(within(position(1, n))-start, 0)
	case len(call.Arguments) == 0:
		return 0
	}
	return min(max(position(1, n), 0), n-start)
}

// limitConcat checks this and the arguments. Arrays, and objects marked as spreadable, are spread.
func (h *hardening) limitConcat(call *goja.FunctionCall) {
	var total int64
	limit := func(v goja.Value) goja.Value {
		obj, ok := v.(*goja.Object)
		if !ok {
			return v
		}
		n, stable := h.vm.lengthOf(obj)
		if obj.ClassName() == "Array" || TypeName(obj) == "proxyObject" {
			total += n
		} else if spread := obj.GetSymbol(goja.SymIsConcatSpreadable); spread != nil && spread.ToBoolean() {
			total += n
		}
		h.vm.allow(elements, total)
		return stable
	}
	call.This = limit(call.This)
	args := make([]goja.Value, len(call.Arguments))
	for i, v := range call.Arguments {
		args[i] = limit(v)
	}
	call.Arguments = args
}

// limitFrom checks arguments that Array.from reads by their length. An argument with an iterator runs a script, or
// has its real length.
func (h *hardening) limitFrom(call *goja.FunctionCall) {
	obj, ok := call.Argument(0).(*goja.Object)
	if !ok {
		return
	}
	n, stable := h.vm.lengthOf(obj)
	if v := obj.GetSymbol(goja.SymIterator); v == nil || goja.IsUndefined(v) || goja.IsNull(v) || obj.ClassName() == "Array" {
		h.vm.allow(elements, n)
		call.Arguments = append([]goja.Value{stable}, Rest(call.Arguments, 1)...)
	}
}

// join is Array.prototype.join (ECMA-262 23.1.3.18), which looks at the time and at how long the string gets.
func (h *hardening) join(call goja.FunctionCall) goja.Value {
	obj := call.This.ToObject(h.vm.Runtime)
	for _, outer := range h.joined {
		if outer == obj { // as other engines do, where an array is in itself
			return h.vm.ToValue("")
		}
	}
	h.joined = append(h.joined, obj)
	defer func() { h.joined = h.joined[:len(h.joined)-1] }()
	n := Get(obj, "length").ToInteger()
	separator := h.vm.ToValue(",").(goja.String)
	if v := call.Argument(0); !goja.IsUndefined(v) {
		separator = h.vm.text(v)
	}
	h.vm.allow(elements, n)
	var b goja.StringBuilder
	var length int64
	write := func(s goja.String) {
		length += int64(s.Length())
		h.vm.allow(stringLength, length)
		b.WriteString(s)
	}
	for i := range int(max(n, 0)) {
		h.depth.check()
		if i > 0 {
			write(separator)
		}
		if v := h.at(obj, i); v != nil && !goja.IsUndefined(v) && !goja.IsNull(v) {
			write(h.vm.text(v))
		}
	}
	return b.String()
}

// flat is Array.prototype.flat, or flatMap (ECMA-262 23.1.3.13), with a loop in the place of the engine's recursion.
func (h *hardening) flat(call goja.FunctionCall, depth int64, mapper goja.Callable) goja.Value {
	type level struct {
		list    *goja.Object
		at, end int64
	}
	source := call.This.ToObject(h.vm.Runtime)
	n, _ := h.vm.lengthOf(source)
	h.vm.allow(elements, n)
	var items []any
	for levels := []level{{source, 0, n}}; len(levels) > 0; {
		h.depth.check()
		l := &levels[len(levels)-1]
		if l.at == l.end {
			levels = levels[:len(levels)-1]
			continue
		}
		v := h.at(l.list, int(l.at))
		l.at++
		if v == nil {
			continue
		}
		if mapper != nil && len(levels) == 1 {
			var err error
			if v, err = mapper(call.Argument(1), v, h.vm.ToValue(l.at-1), source); err != nil {
				panic(err)
			}
		}
		if inner, ok := v.(*goja.Object); ok && int64(len(levels)) <= depth && h.isArrayOrProxy(inner) {
			n, _ := h.vm.lengthOf(inner)
			h.vm.allow(elements, n)
			h.vm.allow(argumentList, int64(len(levels)))
			levels = append(levels, level{inner, 0, n})
			continue
		}
		items = append(items, v)
		h.vm.allow(elements, int64(len(items)))
	}
	return h.ofSpecies(source, items)
}

// isArrayOrProxy is Array.isArray (ECMA-262 7.2.2).
func (h *hardening) isArrayOrProxy(obj *goja.Object) bool {
	for range 1000 {
		if obj.ClassName() == "Array" {
			return true
		}
		proxy, ok := HostValue[goja.Proxy](obj)
		if !ok || proxy.Target() == nil {
			return false
		}
		obj = proxy.Target()
	}
	return false
}

// ofSpecies makes an array of the class that the array says (ECMA-262 10.4.2.2).
func (h *hardening) ofSpecies(array *goja.Object, items []any) goja.Value {
	if !h.isArrayOrProxy(array) {
		return h.vm.NewArray(items...)
	}
	class, ok := array.Get("constructor").(*goja.Object)
	if ok {
		class, ok = class.GetSymbol(goja.SymSpecies).(*goja.Object)
	}
	if !ok || class == h.array {
		return h.vm.NewArray(items...)
	}
	made, err := h.vm.New(class, h.vm.ToValue(0))
	if err != nil {
		panic(err)
	}
	for i, v := range items {
		if err := made.DefineDataProperty(strconv.Itoa(i), h.vm.ToValue(v), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			panic(err)
		}
	}
	return made
}

// text is ToString of ECMA-262.
func (vm *VM) text(v goja.Value) goja.String {
	if s, ok := v.ToString().(goja.String); ok {
		return s
	}
	return vm.ToValue(v.String()).(goja.String) // a number
}

// at returns an element, nil for a hole.
func (h *hardening) at(obj *goja.Object, i int) goja.Value { return obj.Get(strconv.Itoa(i)) }
