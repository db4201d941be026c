package gojavm

import (
	"reflect"
	"runtime"
	"strconv"

	"github.com/dop251/goja"
)

type hardening struct {
	vm     *VM
	ending func() bool
	depth  depthCheck     // for the loops of this file
	joined []*goja.Object // arrays of which join makes strings now
	array  *goja.Object   // the class Array
}

// Harden puts guards in place, before any script runs, so scripts reach only guarded functions. ending reports
// whether the script must end.
func (vm *VM) Harden(ending func() bool) {
	h := &hardening{vm: vm, ending: ending, depth: depthCheck{ending: ending}}
	object := func(name string) *goja.Object { return h.vm.Get(name).(*goja.Object) }
	prototype := func(name string) *goja.Object { return object(name).Get("prototype").(*goja.Object) }
	h.guardJSON(object("JSON"))
	h.guardConstructor("Proxy", h.guardedProxy(object("Proxy")))

	str := prototype("String")
	h.guardStrings(str, object("String"))
	h.guard(prototype("Function"), "apply", 2, func(call *goja.FunctionCall) { h.limitList(call, 1) })
	reflection := object("Reflect")
	h.guard(reflection, "apply", 3, func(call *goja.FunctionCall) { h.limitList(call, 2) })
	h.guard(reflection, "construct", 2, func(call *goja.FunctionCall) { h.limitList(call, 1) })
	// Where the engine fails, as calling all its functions with unexpected values has shown.
	h.guard(prototype("Object"), "toLocaleString", 0, nil)
	h.guardArrays(object("Array"), prototype("Array"))
	if bigInt, ok := h.vm.Get("BigInt").(*goja.Object); ok {
		h.guardBigInt(bigInt)
	}
	regexp := prototype("RegExp")
	for name, symbol := range map[string]*goja.Symbol{
		"match": goja.SymMatch, "matchAll": goja.SymMatchAll, "replace": goja.SymReplace, "search": goja.SymSearch, "split": goja.SymSplit,
	} {
		length := 1
		if name == "replace" || name == "split" {
			length = 2
		}
		if original, ok := goja.AssertFunction(regexp.GetSymbol(symbol)); ok {
			_ = regexp.DefineDataPropertySymbol(symbol, h.vm.Function("[Symbol."+name+"]", length, h.guarded(original, nil)), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		}
	}
	h.hardenBuffers()
}

// guard puts a check before a method of the engine, or turns faults of the engine in it into exceptions.
func (h *hardening) guard(obj *goja.Object, name string, length int, check func(*goja.FunctionCall)) {
	if original, ok := goja.AssertFunction(obj.Get(name)); ok {
		h.vm.Method(obj, name, length, h.guarded(original, check))
	}
}

// guarded checks arguments; where there is no check, the function is one in which the engine fails.
func (h *hardening) guarded(original goja.Callable, check func(*goja.FunctionCall)) func(goja.FunctionCall) goja.Value {
	return func(call goja.FunctionCall) goja.Value {
		run := h.callEngine
		if check != nil {
			check(&call)
			run = callChecked
		}
		v, err := run(original, call)
		if err != nil {
			panic(err)
		}
		return v
	}
}

func callChecked(fn goja.Callable, call goja.FunctionCall) (goja.Value, error) {
	return fn(call.This, call.Arguments...)
}

// callEngine calls a function of the engine. A panic of Go's in it has unwound the engine as far as this call when it comes
// here: so it can go on as an exception.
func (h *hardening) callEngine(fn goja.Callable, call goja.FunctionCall) (v goja.Value, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case runtime.Error:
			panic(h.vm.NewTypeError("the engine failed: %v", fault))
		default:
			panic(fault)
		}
	}()
	return fn(call.This, call.Arguments...)
}

// limitList checks an argument from which the engine makes a list of the argument's length. The engine reads the
// length again, so a list other than an array is copied to an array.
func (h *hardening) limitList(call *goja.FunctionCall, at int) {
	obj, ok := call.Argument(at).(*goja.Object)
	if !ok {
		return
	}
	n := Get(obj, "length").ToInteger()
	h.vm.allow(argumentList, n)
	if !isArray(obj) {
		call.Arguments = append([]goja.Value(nil), call.Arguments...)
		call.Arguments[at] = h.list(obj, n)
	}
}

// isArray reports whether an object is an array and not a proxy of one, so that its length does not change between
// reads.
func isArray(obj *goja.Object) bool {
	name := TypeName(obj)
	return name == "arrayObject" || name == "sparseArrayObject"
}

func (h *hardening) list(obj *goja.Object, n int64) goja.Value {
	items := make([]any, max(n, 0))
	for i := range items {
		h.depth.check()
		items[i] = Get(obj, strconv.Itoa(i))
	}
	return h.vm.NewArray(items...)
}

// hardenBuffers limits the size of buffers and of typed arrays.
func (h *hardening) hardenBuffers() {
	limit := func(name string, check func(args []goja.Value)) {
		original, ok := h.vm.Get(name).(*goja.Object)
		if !ok {
			return
		}
		h.guardConstructor(name, h.vm.limitedConstructor(name, original, check))
	}
	limit("ArrayBuffer", func(args []goja.Value) {
		args[0] = args[0].ToNumber()
		h.vm.allow(bufferBytes, args[0].ToInteger())
	})
	for name, size := range map[string]int64{
		"Int8Array": 1, "Uint8Array": 1, "Uint8ClampedArray": 1, "Int16Array": 2, "Uint16Array": 2, "Int32Array": 4, "Uint32Array": 4,
		"Float32Array": 4, "Float64Array": 8, "BigInt64Array": 8, "BigUint64Array": 8,
	} {
		limit(name, func(args []goja.Value) { h.limitTyped(args, size) })
	}
}

// limitedConstructor makes a constructor that checks its arguments and then calls the original. It is not a proxy,
// because the engine has no instanceof for proxies. Unlike the original it can be called without new.
func (vm *VM) limitedConstructor(name string, original *goja.Object, check func(args []goja.Value)) *goja.Object {
	construct, _ := goja.AssertConstructor(original)
	limited := vm.ToValue(func(call goja.ConstructorCall) *goja.Object {
		args := append([]goja.Value(nil), call.Arguments...)
		if len(args) > 0 {
			check(args)
		}
		made, err := construct(call.NewTarget, args...)
		if err != nil {
			panic(err)
		}
		return made
	}).(*goja.Object)
	_ = limited.SetPrototype(original.Prototype())
	for _, key := range original.GetOwnPropertyNames() {
		_ = limited.DefineDataProperty(key, original.Get(key), goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	}
	species := vm.Function("get [Symbol.species]", 0, func(call goja.FunctionCall) goja.Value { return call.This })
	_ = limited.DefineAccessorPropertySymbol(goja.SymSpecies, species, nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return limited
}

// limitTyped checks the source of a typed array: a number, a buffer, another typed array, or a list. The engine
// copies the last to a list, which takes more than the typed array itself.
func (h *hardening) limitTyped(args []goja.Value, size int64) {
	allow := func(n int64) { h.vm.allow(bufferBytes, min(n, 1<<53)*size) }
	obj, ok := args[0].(*goja.Object)
	if !ok {
		args[0] = args[0].ToNumber()
		allow(args[0].ToInteger())
		return
	}
	switch TypeName(obj) {
	case "arrayBufferObject":
		return // as large as it is
	case "typedArrayObject":
		allow(int64(reflect.ValueOf(obj.Export()).Len()))
		return
	}
	if v := obj.GetSymbol(goja.SymIterator); v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		n := Get(obj, "length").ToInteger()
		allow(n)
		h.vm.allow(elements, n)
		args[0] = h.list(obj, n)
		return
	}
	var items []any
	h.vm.ForOf(obj, func(v goja.Value) bool {
		items = append(items, v)
		h.depth.check()
		return int64(len(items)) <= elements.limit
	})
	allow(int64(len(items)))
	h.vm.allow(elements, int64(len(items)))
	args[0] = h.vm.NewArray(items...)
}

// guardConstructor puts a proxy in the place of a constructor, also where its objects lead to it.
func (h *hardening) guardConstructor(name string, guarded goja.Value) {
	_ = h.vm.GlobalObject().DefineDataProperty(name, guarded, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	if prototype, ok := guarded.(*goja.Object).Get("prototype").(*goja.Object); ok {
		_ = prototype.DefineDataProperty("constructor", guarded, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}
