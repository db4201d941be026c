package gojavm

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/timers"
	"github.com/eventloop-go/eventloop/js"
)

// timerClasses are the prototypes of Timeout and Immediate.
type timerClasses struct{ timeout, immediate *goja.Object }

// A timerObject is the state of an object of class Timeout or Immediate. It is a dynamic object: an ordinary one with
// a Go value would cost twice as much.
type timerObject struct {
	vm *VM
	timers.Timer
}

// Get is a method of [goja.DynamicObject], as Set is. Has, Delete and Keys are the timer's.
func (t *timerObject) Get(key string) goja.Value {
	if v, ok := t.Property(key); ok {
		return t.vm.make(v)
	}
	return nil
}

// Set stores a property that a script has set.
func (t *timerObject) Set(key string, v goja.Value) bool {
	t.SetProperty(key, v)
	return true
}

// timeoutPrototype returns the prototype of Timeout, made when the first timer is set.
func (vm *VM) timeoutPrototype() *goja.Object {
	if vm.timers.timeout != nil {
		return vm.timers.timeout
	}
	proto := vm.timerClass("Timeout")
	vm.timers.timeout = proto
	vm.Method(proto, "refresh", 0, func(call goja.FunctionCall) goja.Value {
		if t := timerOf(call.This); t != nil && t.Timeout != nil {
			t.Refresh()
		}
		return call.This
	})
	vm.Method(proto, "close", 0, func(call goja.FunctionCall) goja.Value {
		vm.clearTimer(call.This)
		return call.This
	})
	number := vm.ToValue(func(call goja.FunctionCall) goja.Value {
		if t := timerOf(call.This); t != nil && t.Timeout != nil {
			return vm.ToValue(t.Timeout.ID())
		}
		return vm.ToValue(math.NaN())
	})
	_ = proto.DefineDataPropertySymbol(goja.SymToPrimitive, number, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return proto
}

// immediatePrototype returns the prototype of Immediate, made when the first immediate is set.
func (vm *VM) immediatePrototype() *goja.Object {
	if vm.timers.immediate == nil {
		vm.timers.immediate = vm.timerClass("Immediate")
	}
	return vm.timers.immediate
}

// timerClass makes the prototype of a class that scripts cannot construct.
func (vm *VM) timerClass(name string) *goja.Object {
	class := vm.ToValue(func(call goja.ConstructorCall) *goja.Object {
		panic(vm.NewTypeError("Illegal constructor"))
	}).(*goja.Object)
	_ = class.DefineDataProperty("name", vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	proto := class.Get("prototype").(*goja.Object)
	vm.Method(proto, "ref", 0, func(call goja.FunctionCall) goja.Value { return setRef(call.This, true) })
	vm.Method(proto, "unref", 0, func(call goja.FunctionCall) goja.Value {
		vm.host.Unreferenced()
		return setRef(call.This, false)
	})
	vm.Method(proto, "hasRef", 0, func(call goja.FunctionCall) goja.Value {
		t := timerOf(call.This)
		return vm.ToValue(t != nil && t.HasRef())
	})
	clear := vm.Function("[Symbol.dispose]", 0, func(call goja.FunctionCall) goja.Value {
		if t := timerOf(call.This); t != nil {
			t.Clear()
		}
		return goja.Undefined()
	})
	_ = proto.DefineDataPropertySymbol(newSymbol("dispose"), clear, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	return proto
}

func setRef(this goja.Value, ref bool) goja.Value {
	if t := timerOf(this); t != nil {
		t.SetRef(ref)
	}
	return this
}

// timerOf returns the state of a Timeout or an Immediate, or nil.
func timerOf(v goja.Value) *timerObject {
	t, _ := HostValue[*timerObject](v)
	return t
}

func (vm *VM) newTimerObject(proto *goja.Object, t *timerObject) *goja.Object {
	obj := vm.NewDynamicObject(t)
	_ = obj.SetPrototype(proto) // it fails only on objects that are not extensible
	return obj
}

// SetTimer is setTimeout and setInterval.
func (vm *VM) SetTimer(call goja.FunctionCall, repeat bool) goja.Value {
	fn := vm.Callback(call.Argument(0))
	ms := math.NaN()
	if d := call.Argument(1); !goja.IsUndefined(d) {
		if goja.IsBigInt(d) {
			panic(vm.NewTypeError("Cannot mix BigInt and other types, use explicit conversions"))
		}
		ms = d.ToFloat()
		if _, ok := d.(*goja.Symbol); ok {
			panic(vm.NewTypeError("Cannot convert a Symbol value to a number"))
		}
	}
	args := Rest(call.Arguments, 2)
	if !vm.webDelays {
		var warning string
		asked := ms
		if ms, warning = timers.Delay(asked, func() string { return PlainString(vm.ToValue(asked)) }); warning != "" {
			vm.host.Warn("TimeoutOverflowWarning", warning)
		}
	}
	t := &timerObject{vm, timers.NewTimeout(call.Argument(0), ms, repeat)}
	obj := vm.newTimerObject(vm.timeoutPrototype(), t)
	run := func() {
		t.Began()
		vm.host.RunCallback(fn, obj, args...)
		t.Ended()
	}
	var err error
	if repeat {
		t.Timeout, err = vm.env.NewInterval(run, ms)
	} else {
		t.Timeout, err = vm.env.NewTimeout(run, ms)
	}
	if err != nil {
		panic(vm.NewError(err))
	}
	return obj
}

// An immediateObject is all of an immediate in one object, for scripts set many.
type immediateObject struct {
	timerObject
	inner  js.Immediate
	fn     goja.Callable
	object *goja.Object
	args   []goja.Value
}

// Run is the callback.
func (t *immediateObject) Run() {
	t.Began()
	t.vm.host.RunCallback(t.fn, t.object, t.args...)
	t.Ended()
}

// SetImmediate is setImmediate.
func (vm *VM) SetImmediate(call goja.FunctionCall) goja.Value {
	t := &immediateObject{fn: vm.Callback(call.Argument(0)), args: Rest(call.Arguments, 1)}
	t.timerObject = timerObject{vm, timers.NewImmediate(call.Argument(0), &t.inner)}
	t.object = vm.newTimerObject(vm.immediatePrototype(), &t.timerObject)
	if err := vm.env.Hooks().StartImmediate(&t.inner, t); err != nil {
		panic(vm.NewError(err))
	}
	return t.object
}

// ClearTimeout is clearTimeout(timer), and clearInterval: they are the same.
func (vm *VM) ClearTimeout(call goja.FunctionCall) goja.Value {
	vm.clearTimer(call.Argument(0))
	return goja.Undefined()
}

// ClearImmediate is clearImmediate(immediate).
func (vm *VM) ClearImmediate(call goja.FunctionCall) goja.Value {
	if t := timerOf(call.Argument(0)); t != nil && t.Immediate != nil {
		t.Clear()
	}
	return goja.Undefined()
}

// clearTimer takes an object, or its number, which may be a string.
func (vm *VM) clearTimer(v goja.Value) {
	if t := timerOf(v); t != nil {
		if t.Timeout != nil {
			t.Clear()
		}
		return
	}
	if _, object := v.(*goja.Object); object {
		return
	}
	switch id := v.Export().(type) {
	case int64:
		if id > 0 {
			vm.env.ClearTimeout(uint64(id))
		}
	case string:
		if n, err := strconv.ParseUint(id, 10, 64); err == nil && fmt.Sprint(n) == id {
			vm.env.ClearTimeout(n)
		}
	}
}

// timerNatives are the natives of timersmodule.js, the globals.
func (vm *VM) timerNatives(o *goja.Object) {
	vm.SetOwn(o, "timers", func(goja.FunctionCall) goja.Value {
		all := vm.NewObject()
		for _, name := range []string{"setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate"} {
			vm.SetOwn(all, name, vm.original(name))
		}
		return all
	})
}
