package gojavm

import (
	"fmt"
	"runtime"

	"github.com/dop251/goja"
)

// Limits of a hardened runtime.
const (
	maxStringLength = 1<<29 - 24 // V8's
	maxBufferBytes  = 1 << 30
	maxArguments    = 1 << 20
)

type hardening struct {
	vm     *VM
	ending func() bool
}

// Harden puts guards in place, before any script runs: so nothing that a script can get hold of is without. ending reports
// whether the script is to end.
func (vm *VM) Harden(ending func() bool) {
	h := &hardening{vm, ending}
	object := func(name string) *goja.Object { return h.vm.Get(name).(*goja.Object) }
	prototype := func(name string) *goja.Object { return object(name).Get("prototype").(*goja.Object) }
	h.guardJSON(object("JSON"))
	h.guardConstructor("Proxy", h.guardedProxy(object("Proxy")))

	str := prototype("String")
	h.guard(str, "repeat", 1, func(call *goja.FunctionCall) {
		s, n := h.stringAndNumber(call)
		if l := int64(len(s)); n > 0 && l > 0 && n > maxStringLength/l {
			h.throwRange("Invalid string length")
		}
	})
	for _, name := range []string{"padStart", "padEnd"} {
		h.guard(str, name, 1, func(call *goja.FunctionCall) {
			if _, n := h.stringAndNumber(call); n > maxStringLength {
				h.throwRange("Invalid string length")
			}
		})
	}
	h.guard(prototype("Function"), "apply", 2, func(call *goja.FunctionCall) { h.limitList(call, 1, maxArguments) })
	reflect := object("Reflect")
	h.guard(reflect, "apply", 3, func(call *goja.FunctionCall) { h.limitList(call, 2, maxArguments) })
	h.guard(reflect, "construct", 2, func(call *goja.FunctionCall) { h.limitList(call, 1, maxArguments) })
	// Where the engine fails, as calling all its functions with unexpected values has shown.
	h.guard(prototype("Object"), "toLocaleString", 0, nil)
	h.guard(prototype("Array"), "sort", 1, nil)
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

// stringAndNumber converts this and the first argument, once, and puts the results in their places.
func (h *hardening) stringAndNumber(call *goja.FunctionCall) (string, int64) {
	if goja.IsUndefined(call.This) || goja.IsNull(call.This) {
		return "", 0 // the engine throws
	}
	s := call.This.ToString()
	n := call.Argument(0).ToNumber()
	call.This = s
	call.Arguments = append([]goja.Value{n}, Rest(call.Arguments, 1)...)
	return s.String(), n.ToInteger()
}

// limitList checks an argument from which the engine makes a list of a length that the argument tells. The engine reads
// the length again, so what is not an array becomes one.
func (h *hardening) limitList(call *goja.FunctionCall, at int, limit int64) {
	obj, ok := call.Argument(at).(*goja.Object)
	if !ok {
		return
	}
	n := Get(obj, "length").ToInteger()
	if n > limit {
		h.throwRange(fmt.Sprintf("Invalid array length: %d, the limit is %d", n, limit))
	}
	if !isArray(obj) {
		call.Arguments = append([]goja.Value(nil), call.Arguments...)
		call.Arguments[at] = h.list(obj, n)
	}
}

// isArray reports whether an object is an array, and no proxy of one: its length is what it was when one looked.
func isArray(obj *goja.Object) bool {
	name := TypeName(obj)
	return name == "arrayObject" || name == "sparseArrayObject"
}

func (h *hardening) list(obj *goja.Object, n int64) goja.Value {
	items := make([]any, max(n, 0))
	for i := range items {
		items[i] = Get(obj, fmt.Sprint(i))
	}
	return h.vm.NewArray(items...)
}

func (h *hardening) throwRange(message string) { panic(h.vm.Error("RangeError", message)) }

// hardenBuffers limits the size of buffers and of typed arrays.
func (h *hardening) hardenBuffers() {
	limit := func(name string, check func(args []goja.Value)) {
		original, ok := h.vm.Get(name).(*goja.Object)
		if !ok {
			return
		}
		h.guardConstructor(name, h.limitedConstructor(name, original, check))
	}
	limit("ArrayBuffer", func(args []goja.Value) {
		args[0] = args[0].ToNumber()
		if args[0].ToInteger() > maxBufferBytes {
			h.throwRange("Array buffer allocation failed")
		}
	})
	for name, size := range map[string]int64{
		"Int8Array": 1, "Uint8Array": 1, "Uint8ClampedArray": 1, "Int16Array": 2, "Uint16Array": 2, "Int32Array": 4, "Uint32Array": 4,
		"Float32Array": 4, "Float64Array": 8, "BigInt64Array": 8, "BigUint64Array": 8,
	} {
		limit(name, func(args []goja.Value) { h.limitTyped(args, maxBufferBytes/size) })
	}
}

// limitedConstructor makes a constructor that checks its arguments and then does what the original does. It is no proxy, for
// which the engine has no instanceof; unlike the original it can be called without new.
func (h *hardening) limitedConstructor(name string, original *goja.Object, check func(args []goja.Value)) *goja.Object {
	construct, _ := goja.AssertConstructor(original)
	limited := h.vm.ToValue(func(call goja.ConstructorCall) *goja.Object {
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
	species := h.vm.Function("get [Symbol.species]", 0, func(call goja.FunctionCall) goja.Value { return call.This })
	_ = limited.DefineAccessorPropertySymbol(goja.SymSpecies, species, nil, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return limited
}

func (h *hardening) limitTyped(args []goja.Value, limit int64) {
	obj, ok := args[0].(*goja.Object)
	if !ok {
		args[0] = args[0].ToNumber()
		if args[0].ToInteger() > limit {
			h.throwRange(fmt.Sprintf("Invalid typed array length: %d", args[0].ToInteger()))
		}
		return
	}
	if name := TypeName(obj); name == "arrayBufferObject" || name == "typedArrayObject" {
		return // as large as it is
	}
	if v := obj.GetSymbol(goja.SymIterator); v == nil || goja.IsUndefined(v) || goja.IsNull(v) {
		n := Get(obj, "length").ToInteger()
		if n > limit {
			h.throwRange(fmt.Sprintf("Invalid typed array length: %d", n))
		}
		args[0] = h.list(obj, n)
		return
	}
	var items []any
	h.vm.ForOf(obj, func(v goja.Value) bool {
		items = append(items, v)
		return int64(len(items)) <= limit
	})
	args[0] = h.vm.NewArray(items...)
}

// guardConstructor puts a proxy in the place of a constructor, also where its objects lead to it.
func (h *hardening) guardConstructor(name string, guarded goja.Value) {
	_ = h.vm.GlobalObject().DefineDataProperty(name, guarded, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	if prototype, ok := guarded.(*goja.Object).Get("prototype").(*goja.Object); ok {
		_ = prototype.DefineDataProperty("constructor", guarded, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
}
