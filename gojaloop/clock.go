package gojaloop

import (
	"time"

	"github.com/dop251/goja"
)

// elapsed is performance.now: milliseconds since the runtime was made, by a clock that does not jump.
func (rt *Runtime) elapsed() float64 { return rt.env.Now() }

// clockNatives are what performance.js and observer.js build on.
func (rt *Runtime) clockNatives(o *goja.Object) {
	rt.set(o, "milliseconds", func(goja.FunctionCall) goja.Value { return rt.vm.ToValue(rt.elapsed()) })
	rt.set(o, "timeOrigin", func(goja.FunctionCall) goja.Value { return rt.vm.ToValue(rt.env.TimeOrigin()) })
	rt.set(o, "busy", func(goja.FunctionCall) goja.Value {
		busy := rt.stats.Busy
		if rt.inside {
			busy += time.Since(rt.origin) - rt.began
		}
		return rt.vm.ToValue(float64(busy) / float64(time.Millisecond))
	})
}
