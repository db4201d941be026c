package gojavm

import (
	"slices"

	"github.com/dop251/goja"
)

// Inspect shows a value as console.log would.
func (vm *VM) Inspect(v goja.Value) string { return vm.inspectWith(v, nil) }

func (vm *VM) inspectWith(v goja.Value, options map[string]any) string {
	s, err := vm.Exported("inspect", "inspect")(goja.Undefined(), v, vm.ToValue(options))
	if err != nil {
		return PlainString(v)
	}
	return s.String()
}

var promiseStates = map[goja.PromiseState]string{
	goja.PromiseStatePending: "pending", goja.PromiseStateFulfilled: "fulfilled", goja.PromiseStateRejected: "rejected",
}

// inspectNatives are the natives of inspect.js: facts about values that no script can find out.
func (vm *VM) inspectNatives(o *goja.Object) {
	vm.SetOwn(o, "promiseState", func(call goja.FunctionCall) goja.Value {
		p, ok := HostValue[*goja.Promise](call.Argument(0))
		if !ok {
			return goja.Null()
		}
		return vm.NewArray(promiseStates[p.State()], p.Result())
	})
	vm.SetOwn(o, "inspectPlain", func(call goja.FunctionCall) goja.Value {
		if s, ok := vm.inspector.text(vm, call.Argument(0)); ok {
			return vm.ToValue(s)
		}
		return goja.Undefined()
	})
	vm.SetOwn(o, "inspectMapsWith", func(call goja.FunctionCall) goja.Value {
		vm.inspector.eachOf, _ = goja.AssertFunction(call.Argument(0))
		return goja.Undefined()
	})
	vm.SetOwn(o, "inspectNothingPlain", func(goja.FunctionCall) goja.Value {
		vm.inspector.off = true
		return goja.Undefined()
	})
	vm.SetOwn(o, "proxyTarget", func(call goja.FunctionCall) goja.Value {
		if p, ok := HostValue[goja.Proxy](call.Argument(0)); ok {
			if t := p.Target(); t != nil {
				return t
			}
			return goja.Null()
		}
		return goja.Undefined()
	})
	vm.SetOwn(o, "proxyHandler", func(call goja.FunctionCall) goja.Value {
		if p, ok := HostValue[goja.Proxy](call.Argument(0)); ok {
			return ScriptHandler(p)
		}
		return goja.Undefined()
	})
	vm.SetOwn(o, "className", func(call goja.FunctionCall) goja.Value {
		if obj, ok := call.Argument(0).(*goja.Object); ok {
			return vm.ToValue(KindOf(obj))
		}
		return goja.Undefined()
	})
	vm.SetOwn(o, "cleanStack", func(call goja.FunctionCall) goja.Value {
		return vm.ToValue(ScriptFrames(call.Argument(0)))
	})
	// stackBelow is the stack of the caller of a native of this name, which runs the script of the library.
	vm.SetOwn(o, "stackBelow", func(call goja.FunctionCall) goja.Value {
		stack := slices.DeleteFunc(vm.CaptureCallStack(0, nil), func(f goja.StackFrame) bool { return hidden(&f) })
		if len(stack) > 0 && stack[0].FuncName() == call.Argument(0).String() && stack[0].Position().Line == 0 {
			stack = stack[1:]
		}
		return vm.ToValue(Frames(stack))
	})
}
