package gojavm

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dop251/goja"
)

// primordials are the engine's functions, as the library's scripts call them: see rewrite. A function is kept when the
// library first needs it, or before a script runs that could replace it: one that names its class, or has a text of reaching.
// A script that makes up all these words at run time evades this, unless the runtime is hardened: that keeps all at once.
type primordials struct {
	complete bool // all are kept, and a script may have replaced any
	kept     map[string]goja.Value
	protos   map[string]*goja.Object // by class
	typed    []*goja.Object          // the prototypes of typed arrays
	hasOwn   goja.Callable
	walking  walking
	matching matching
}

// reaching are the texts by which a script can replace a function of the engine.
var reaching = []string{"prototype", "rototypeOf", "__proto__", "constructor", "eval", `\`, "Function", "import"}

// A class has the methods that a dispatcher finds for values of one kind.
type class struct {
	name string
	path string // to an object from which its prototype is reached
	up   int    // so many prototypes from there
}

var classes = []class{
	{"Array", "Array", 0}, {"String", "String", 0}, {"Map", "Map", 0}, {"Set", "Set", 0}, {"WeakMap", "WeakMap", 0}, {"WeakSet", "WeakSet", 0},
	{"Promise", "Promise", 0}, {"RegExp", "RegExp", 0}, {"Function", "Function", 0}, {"Number", "Number", 0}, {"Symbol", "Symbol", 0}, {"Date", "Date", 0},
	{"ArrayBuffer", "ArrayBuffer", 0}, {"DataView", "DataView", 0}, {"BigInt", "BigInt", 0}, {"TypedArray", "Uint8Array", 1},
}

func (c class) prototype(get func(name string) goja.Value) *goja.Object {
	p := get(c.path).(*goja.Object).Get("prototype").(*goja.Object)
	for range c.up {
		p = p.Prototype()
	}
	return p
}

// KeepPrimordials keeps all functions of the engine, before a script can replace one.
func (vm *VM) KeepPrimordials() {
	p := &vm.primordials
	if p.complete {
		return
	}
	for _, name := range primordialNames {
		vm.primordial(name)
	}
	vm.keepWalking()
	vm.keepMatching()
	vm.Load("slots") // which keeps accessors
	p.complete = true
}

// primordial returns the value of a parameter that rewrite has added.
func (vm *VM) primordial(name string) goja.Value {
	p := &vm.primordials
	if p.kept == nil {
		p.kept, p.protos = map[string]goja.Value{}, map[string]*goja.Object{}
	}
	if v, ok := p.kept[name]; ok {
		return v
	}
	v := vm.makePrimordial(strings.Split(name[1:], "$"))
	p.kept[name] = v
	return v
}

func (vm *VM) makePrimordial(parts []string) goja.Value {
	switch parts[0] {
	case "iterate":
		return vm.ToValue(func(c goja.FunctionCall) goja.Value { return vm.iterable(c.Arguments[0]) })
	case "new":
		return vm.ToValue(func(c goja.FunctionCall) goja.Value { return vm.collection(parts[1], c.Arguments[0]) })
	case "m":
		return vm.dispatcher(parts[1])
	case "p":
		return vm.original(parts[1]).(*goja.Object).Get("prototype").(*goja.Object).Get(parts[2])
	}
	return vm.static(parts[1], parts[2])
}

// static returns a function of a class or a namespace, bound to that.
func (vm *VM) static(of, name string) goja.Value {
	owner := vm.keepOriginal(slices.Index(standard, of)).(*goja.Object)
	fn := owner.Get(name)
	if of != "Promise" && (of != "Array" || name == "isArray") && name != "fromEntries" {
		return fn
	}
	call, _ := goja.AssertFunction(fn)
	lists := of != "Promise" && name != "of"
	return vm.ToValue(func(c goja.FunctionCall) goja.Value {
		if lists && len(c.Arguments) > 0 {
			c.Arguments[0] = vm.iterable(c.Arguments[0])
		}
		return must(call(owner, c.Arguments...))
	})
}

func must(v goja.Value, err error) goja.Value {
	if err != nil {
		panic(err)
	}
	return v
}

// dispatcher makes the function that calls a method of its first argument: the engine's for values of the engine's classes, and
// what the value has under the name for all others.
func (vm *VM) dispatcher(method string) goja.Value {
	p := &vm.primordials
	of := make(map[string]goja.Callable)
	for _, name := range engineFunctions().methods[method] {
		if proto := vm.prototypeOf(name); proto != nil {
			if fn, ok := goja.AssertFunction(proto.Get(method)); ok {
				of[name] = fn
			}
		}
	}
	return vm.ToValue(func(c goja.FunctionCall) goja.Value {
		this := c.Arguments[0]
		class := vm.classOf(this)
		fn := of[class]
		if fn == nil {
			return vm.callOwn(this, method, c.Arguments[1:])
		}
		if class == "TypedArray" && vm.hasMethodOfSubclass(this.(*goja.Object), method) || method == "bind" && vm.owns(this, method) {
			return vm.callOwn(this, method, c.Arguments[1:])
		}
		if p.complete {
			if own := vm.withoutScript(method, this, c.Arguments[1:]); own != nil {
				return own
			}
		}
		return must(fn(this, c.Arguments[1:]...))
	})
}

// prototypeOf returns the prototype of a class.
func (vm *VM) prototypeOf(name string) *goja.Object {
	p := &vm.primordials
	if o, ok := p.protos[name]; ok {
		return o
	}
	for _, c := range classes {
		if c.name == name {
			p.protos[name] = c.prototype(vm.original)
		}
	}
	return p.protos[name]
}

// classOf returns the class whose methods a dispatcher calls, or nothing.
func (vm *VM) classOf(v goja.Value) string {
	switch v := v.(type) {
	case goja.String:
		return "String"
	case *goja.Object:
		switch kind := KindOf(v); kind {
		case "TypedArray":
			return kind
		case "AsyncFunction", "GeneratorFunction":
			return "Function"
		case "Error", "Object", "Arguments":
		default:
			return kind
		}
		return ""
	case *goja.Symbol:
		return "Symbol"
	}
	if t := v.ExportType(); t != nil && (t.Kind() == reflect.Int64 || t.Kind() == reflect.Float64) {
		return "Number"
	}
	return ""
}

// hasMethodOfSubclass reports whether a typed array has a method of a class like Buffer.
func (vm *VM) hasMethodOfSubclass(v *goja.Object, method string) bool {
	for proto := v.Prototype(); proto != nil && !slices.Contains(vm.typedPrototypes(), proto); proto = proto.Prototype() {
		if vm.owns(proto, method) {
			return true
		}
	}
	return false
}

// owns reports whether a value has a property of its own. Classes of the library have a static method bind.
func (vm *VM) owns(v goja.Value, name string) bool {
	p := &vm.primordials
	if p.hasOwn == nil {
		p.hasOwn, _ = goja.AssertFunction(vm.original("$s$Object$hasOwn"))
	}
	return must(p.hasOwn(goja.Undefined(), v, vm.ToValue(name))).ToBoolean()
}

// typedPrototypes are the prototypes of the classes of typed arrays.
func (vm *VM) typedPrototypes() []*goja.Object {
	p := &vm.primordials
	if p.typed == nil {
		for _, name := range standard {
			if strings.HasSuffix(name, "Array") && name != "Array" || name == "Uint8ClampedArray" {
				p.typed = append(p.typed, vm.keepOriginal(slices.Index(standard, name)).(*goja.Object).Get("prototype").(*goja.Object))
			}
		}
	}
	return p.typed
}

// callOwn calls a method as the engine would.
func (vm *VM) callOwn(this goja.Value, method string, args []goja.Value) goja.Value {
	if goja.IsUndefined(this) || goja.IsNull(this) {
		panic(vm.NewTypeError("Cannot read property '%s' of %s", method, this))
	}
	fn, ok := goja.AssertFunction(Get(this.ToObject(vm.Runtime), method))
	if !ok {
		panic(vm.NewTypeError("Object has no member '%s'", method))
	}
	return must(fn(this, args...))
}
