package gojaloop

import "github.com/dop251/goja"

// eventNatives are what lib/events.js builds on.
func (rt *Runtime) eventNatives(o *goja.Object) {
	// report is HTML's "report the exception": a listener that throws stops no other.
	rt.set(o, "report", func(call goja.FunctionCall) goja.Value {
		reason := call.Argument(0)
		fail, _ := goja.AssertFunction(rt.vm.ToValue(func(goja.FunctionCall) goja.Value { panic(reason) }))
		rt.ticks.push(tick{fn: fail})
		return goja.Undefined()
	})
	// later is a timer that keeps nothing alive, for AbortSignal.timeout.
	rt.set(o, "later", func(call goja.FunctionCall) goja.Value {
		fn, _ := goja.AssertFunction(call.Argument(1))
		t, err := rt.env.NewTimeout(func() { rt.call(fn, goja.Undefined()) }, call.Argument(0).ToFloat())
		if err != nil {
			panic(rt.newError(err))
		}
		t.Unref()
		rt.unreferenced = true
		return goja.Undefined()
	})
}
