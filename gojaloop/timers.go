package gojaloop

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/js"
)

// A timerHandle is what an object of class Timeout or Immediate holds.
type timerHandle struct {
	rt        *Runtime
	timeout   *js.Timeout
	immediate *js.Immediate
	timerDetails
}

// timeoutPrototype returns the prototype of Timeout, made when the first timer is set.
func (rt *Runtime) timeoutPrototype() *goja.Object {
	if rt.timerProto != nil {
		return rt.timerProto
	}
	rt.timerProto = rt.timerClass("Timeout")
	rt.method(rt.timerProto, "refresh", 0, func(call goja.FunctionCall) goja.Value {
		if h := rt.handle(call.This); h != nil && h.timeout != nil {
			_ = h.timeout.Refresh() // it fails on a loop that is ending
			h.refreshed()
		}
		return call.This
	})
	rt.method(rt.timerProto, "close", 0, func(call goja.FunctionCall) goja.Value {
		rt.clearTimer(call.This)
		return call.This
	})
	number := rt.vm.ToValue(func(call goja.FunctionCall) goja.Value {
		if h := rt.handle(call.This); h != nil && h.timeout != nil {
			return rt.vm.ToValue(h.timeout.ID())
		}
		return rt.vm.ToValue(math.NaN())
	})
	_ = rt.timerProto.DefineDataPropertySymbol(goja.SymToPrimitive, number, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return rt.timerProto
}

// immediatePrototype returns the prototype of Immediate, made when the first immediate is set.
func (rt *Runtime) immediatePrototype() *goja.Object {
	if rt.immProto == nil {
		rt.immProto = rt.timerClass("Immediate")
	}
	return rt.immProto
}

// timerClass makes the prototype of a class that scripts cannot construct.
func (rt *Runtime) timerClass(name string) *goja.Object {
	class := rt.vm.ToValue(func(call goja.ConstructorCall) *goja.Object {
		panic(rt.vm.NewTypeError("Illegal constructor"))
	}).(*goja.Object)
	_ = class.DefineDataProperty("name", rt.vm.ToValue(name), goja.FLAG_FALSE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	proto := class.Get("prototype").(*goja.Object)
	rt.method(proto, "ref", 0, func(call goja.FunctionCall) goja.Value { return rt.setRef(call.This, true) })
	rt.method(proto, "unref", 0, func(call goja.FunctionCall) goja.Value { return rt.setRef(call.This, false) })
	rt.method(proto, "hasRef", 0, func(call goja.FunctionCall) goja.Value {
		h := rt.handle(call.This)
		if h != nil && h.immediate != nil && h.isDestroyed() {
			return rt.vm.ToValue(false)
		}
		return rt.vm.ToValue(h != nil && (h.timeout != nil && h.timeout.HasRef() || h.immediate != nil && h.immediate.HasRef()))
	})
	rt.disposable(proto)
	return proto
}

func (rt *Runtime) setRef(this goja.Value, ref bool) goja.Value {
	h := rt.handle(this)
	rt.unreferenced = rt.unreferenced || !ref
	switch {
	case h == nil:
	case h.timeout != nil && ref:
		h.timeout.Ref()
	case h.timeout != nil:
		h.timeout.Unref()
	case ref:
		h.immediate.Ref()
	default:
		h.immediate.Unref()
	}
	return this
}

// handle returns the handle of a Timeout or an Immediate, or nil.
func (rt *Runtime) handle(v goja.Value) *timerHandle {
	h, _ := gojavm.HostValue[*timerHandle](v)
	return h
}

// newHandle makes an object of class Timeout or Immediate: a dynamic one, with another prototype. An ordinary object
// that holds a handle would cost twice as much.
func (rt *Runtime) newHandle(proto *goja.Object, h *timerHandle) *goja.Object {
	obj := rt.vm.NewDynamicObject(h)
	_ = obj.SetPrototype(proto) // it fails only on objects that are not extensible
	return obj
}

func (rt *Runtime) setTimer(call goja.FunctionCall, repeat bool) goja.Value {
	fn := rt.callback(call.Argument(0))
	ms := math.NaN()
	if d := call.Argument(1); !goja.IsUndefined(d) {
		if goja.IsBigInt(d) {
			panic(rt.vm.NewTypeError("Cannot mix BigInt and other types, use explicit conversions"))
		}
		ms = d.ToFloat()
		if _, ok := d.(*goja.Symbol); ok {
			panic(rt.vm.NewTypeError("Cannot convert a Symbol value to a number"))
		}
	}
	args := gojavm.Rest(call.Arguments, 2)
	if len(rt.opts.jsOpts) == 0 {
		ms = rt.nodeDelay(ms)
	}
	h := timerHandle{rt: rt, timerDetails: timerDetails{callback: call.Argument(0), ms: ms, repeat: repeat}}
	obj := rt.newHandle(rt.timeoutPrototype(), &h)
	run := func() {
		h.began()
		rt.call(fn, obj, args...)
		h.ended()
	}
	var err error
	if repeat {
		h.timeout, err = rt.env.NewInterval(run, ms)
	} else {
		h.timeout, err = rt.env.NewTimeout(run, ms)
	}
	if err != nil {
		panic(rt.newError(err))
	}
	return obj
}

// An immediateHandle is all of an immediate in one object, for scripts set many.
type immediateHandle struct {
	timerHandle
	inner  js.Immediate
	fn     goja.Callable
	object *goja.Object
	args   []goja.Value
}

func (h *immediateHandle) run() {
	h.began()
	h.rt.call(h.fn, h.object, h.args...)
	h.ended()
}

func (rt *Runtime) setImmediate(call goja.FunctionCall) goja.Value {
	h := &immediateHandle{fn: rt.callback(call.Argument(0)), args: gojavm.Rest(call.Arguments, 1)}
	h.timerHandle = timerHandle{rt: rt, immediate: &h.inner, timerDetails: timerDetails{callback: call.Argument(0)}}
	h.object = rt.newHandle(rt.immediatePrototype(), &h.timerHandle)
	if err := rt.env.Hooks().StartImmediate(&h.inner, h.run); err != nil {
		panic(rt.newError(err))
	}
	return h.object
}

// clearTimeout is clearTimeout(timer), and clearInterval: they are the same.
func (rt *Runtime) clearTimeout(call goja.FunctionCall) goja.Value {
	rt.clearTimer(call.Argument(0))
	return goja.Undefined()
}

// clearImmediate is clearImmediate(immediate).
func (rt *Runtime) clearImmediate(call goja.FunctionCall) goja.Value {
	if h := rt.handle(call.Argument(0)); h != nil && h.immediate != nil {
		h.clear()
	}
	return goja.Undefined()
}

// clearTimer takes an object, or its number, which may be a string.
func (rt *Runtime) clearTimer(v goja.Value) {
	if h := rt.handle(v); h != nil {
		if h.timeout != nil {
			h.clear()
		}
		return
	}
	if _, object := v.(*goja.Object); object {
		return
	}
	switch id := v.Export().(type) {
	case int64:
		if id > 0 {
			rt.env.ClearTimeout(uint64(id))
		}
	case string:
		if n, err := strconv.ParseUint(id, 10, 64); err == nil && fmt.Sprint(n) == id {
			rt.env.ClearTimeout(n)
		}
	}
}
