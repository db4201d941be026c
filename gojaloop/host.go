package gojaloop

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
	"github.com/eventloop-go/eventloop/gojaloop/internal/node/modules"
	nodeprocess "github.com/eventloop-go/eventloop/gojaloop/internal/node/process"
	"github.com/eventloop-go/eventloop/gojaloop/internal/web"
)

// A host is a runtime as packages web and node know it.
type host struct {
	gojavm.Values
	rt *Runtime
}

var _ engine.Engine = (*host)(nil)

func (h *host) Failure(err error) engine.Value { return h.rt.newError(err) }

func (h *host) Coded(class, code, message string) engine.Value {
	return h.rt.newNodeError(class, code, "", message)
}

func (h *host) Report(value engine.Value) {
	fail, _ := goja.AssertFunction(h.VM.ToValue(func(goja.FunctionCall) goja.Value { panic(value) }))
	h.rt.ticks.push(tick{fn: fail})
}

func (h *host) Later(milliseconds float64, function engine.Value) {
	rt := h.rt
	fn, _ := goja.AssertFunction(function.(goja.Value))
	t, err := rt.env.NewTimeout(func() { rt.call(fn, goja.Undefined()) }, milliseconds)
	if err != nil {
		panic(rt.newError(err))
	}
	t.Unref()
	rt.unreferenced = true
}

func (h *host) Soon(function engine.Value) {
	rt := h.rt
	fn, _ := goja.AssertFunction(function.(goja.Value))
	if _, err := rt.env.NewImmediate(func() { rt.call(fn, goja.Undefined()) }); err != nil {
		panic(rt.newError(err))
	}
}

func (h *host) Begin() engine.Operation { return hosted{h, h.rt.begin(nil)} }

// hosted is an operation as packages web and node know it.
type hosted struct {
	host *host
	op   *operation
}

func (o hosted) Promise() engine.Value    { return o.op.promise }
func (o hosted) Program() context.Context { return o.op.parent }

func (o hosted) Finish(get func() (any, error)) {
	o.op.finish(func() (goja.Value, error) {
		v, err := get()
		return o.host.Make(v).(goja.Value), err
	})
}

// natives is what scripts of the library get from Go. Those that scripts call very often, or that are a part of the runtime,
// use the engine's own types.
func (rt *Runtime) natives() goja.Value {
	if rt.nativesObj == nil {
		rt.nativesObj = rt.vm.NewObject()
		_ = rt.nativesObj.SetPrototype(nil) // a new object accepts any
		rt.propertyNatives(rt.nativesObj)
		rt.processNatives(rt.nativesObj)
		rt.consoleNatives(rt.nativesObj)
		rt.timerNatives(rt.nativesObj)
		rt.errorNatives(rt.nativesObj)
		rt.clockNatives(rt.nativesObj)
		e := &host{gojavm.Values{VM: rt.vm, Natives: rt.nativesObj}, rt}
		nodeprocess.Define(e, nodeprocess.Facts{Arguments: rt.opts.argv, Flags: rt.opts.flags, Environment: rt.opts.env})
		modules.Define(e, rt.opts.read)
		web.Define(e, rt.opts.client, rt.opts.hosts)
	}
	return rt.nativesObj
}

// propertyNatives have what process.js makes its objects with: put gives an object a property, define those of another, as
// Object.assign would with prototypes that no script has touched.
func (rt *Runtime) propertyNatives(o *goja.Object) {
	// put defines a property, whatever setters the prototypes have. It reports false if Go has no string for the name: half
	// a surrogate pair becomes a character of its own.
	rt.set(o, "put", func(call goja.FunctionCall) goja.Value {
		obj, ok := call.Argument(0).(*goja.Object)
		name := call.Argument(1).String()
		if !ok || strings.ContainsRune(name, utf8.RuneError) {
			return rt.vm.ToValue(false)
		}
		if err := obj.DefineDataProperty(name, call.Argument(2), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE); err != nil {
			panic(err)
		}
		return rt.vm.ToValue(true)
	})
	rt.set(o, "define", func(call goja.FunctionCall) goja.Value {
		to, from := call.Argument(0).ToObject(rt.vm), call.Argument(1).ToObject(rt.vm)
		for _, name := range from.GetOwnPropertyNames() {
			rt.set(to, name, from.Get(name))
		}
		return to
	})
}

func (rt *Runtime) set(obj *goja.Object, name string, value any) {
	gojavm.Set(rt.vm, obj, name, value)
}

func (rt *Runtime) function(name string, length int, fn func(goja.FunctionCall) goja.Value) goja.Value {
	return gojavm.Function(rt.vm, name, length, fn)
}

func (rt *Runtime) method(obj *goja.Object, name string, length int, fn func(goja.FunctionCall) goja.Value) {
	gojavm.Method(rt.vm, obj, name, length, fn)
}
