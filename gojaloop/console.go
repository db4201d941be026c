package gojaloop

import (
	"io"
	"strings"

	"github.com/dop251/goja"
)

// consoleNatives are what lib/console.js builds on. Formatting is in lib/inspect.js; lines of nothing but strings,
// which most are, are put together here.
func (rt *Runtime) consoleNatives(o *goja.Object) {
	rt.set(o, "write", func(call goja.FunctionCall) goja.Value {
		w := rt.opts.stdout
		if call.Argument(0).ToInteger() == 2 {
			w = rt.opts.stderr
		}
		_, err := io.WriteString(w, call.Argument(1).String())
		return rt.vm.ToValue(err == nil)
	})
	rt.set(o, "warn", func(call goja.FunctionCall) goja.Value {
		rt.warn(call.Argument(0).String(), call.Argument(1).String())
		return goja.Undefined()
	})
	rt.set(o, "plain", func(call goja.FunctionCall) goja.Value { return rt.plainLine(call.Arguments) })
	rt.set(o, "promiseState", func(call goja.FunctionCall) goja.Value {
		p, ok := hostValue[*goja.Promise](call.Argument(0))
		if !ok {
			return goja.Null()
		}
		state := map[goja.PromiseState]string{goja.PromiseStatePending: "pending", goja.PromiseStateFulfilled: "fulfilled", goja.PromiseStateRejected: "rejected"}
		return rt.vm.NewArray(state[p.State()], p.Result())
	})
	rt.set(o, "proxyTarget", func(call goja.FunctionCall) goja.Value {
		if p, ok := hostValue[goja.Proxy](call.Argument(0)); ok {
			if t := p.Target(); t != nil {
				return t
			}
			return goja.Null()
		}
		return goja.Undefined()
	})
	rt.set(o, "proxyHandler", func(call goja.FunctionCall) goja.Value {
		if p, ok := hostValue[goja.Proxy](call.Argument(0)); ok {
			return scriptHandler(p)
		}
		return goja.Undefined()
	})
	rt.set(o, "className", func(call goja.FunctionCall) goja.Value {
		if obj, ok := call.Argument(0).(*goja.Object); ok {
			return rt.vm.ToValue(kindOf(obj))
		}
		return goja.Undefined()
	})
	rt.set(o, "cleanStack", func(call goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(scriptFrames(call.Argument(0)))
	})
	rt.set(o, "stackHere", func(goja.FunctionCall) goja.Value {
		return rt.vm.ToValue(frames(rt.vm.CaptureCallStack(0, nil)))
	})
}

// plainLine joins values that need no formatting, or returns undefined if there are others.
func (rt *Runtime) plainLine(args []goja.Value) goja.Value {
	var b strings.Builder
	for i, a := range args {
		switch v := a.(type) {
		case goja.String:
			if s := v.String(); i > 0 || len(args) == 1 || !strings.Contains(s, "%") {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(s)
				continue
			}
		default:
			if !goja.IsNumber(a) {
				break
			}
			if n, ok := a.Export().(int64); ok && n != 0 {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(a.String())
				continue
			}
		}
		return goja.Undefined()
	}
	return rt.vm.ToValue(b.String())
}

// inspect shows a value as console.log would.
func (rt *Runtime) inspect(v goja.Value) string { return rt.inspectWith(v, nil) }

func (rt *Runtime) inspectWith(v goja.Value, options map[string]any) string {
	s, err := rt.exported("inspect", "inspect")(goja.Undefined(), v, rt.vm.ToValue(options))
	if err != nil {
		return plainString(v)
	}
	return s.String()
}
