package gojaloop

import (
	"strings"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// nodeError makes a TypeError with one of Node's codes.
func (rt *Runtime) nodeError(code, message string) *goja.Object {
	return rt.newNodeError("TypeError", code, "", message)
}

// newNodeError makes an error of a class with one of Node's codes, and a name if that differs from the class's.
func (rt *Runtime) newNodeError(class, code, name, message string) *goja.Object {
	obj, err := rt.vm.New(rt.vm.Get(class), rt.vm.ToValue(message))
	if err != nil {
		obj = rt.vm.NewTypeError("%s", message) // the script has replaced the class
	}
	if code != "" {
		rt.set(obj, "code", code)
	}
	if strings.HasPrefix(code, "ERR_") && code != unhandledRejectionCode {
		_ = obj.DefineDataProperty("toString", rt.natives().(*goja.Object).Get("codedText"), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	if name != "" {
		_ = obj.DefineDataProperty("name", rt.vm.ToValue(name), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return obj
}

// received describes a value as Node's messages do.
func (rt *Runtime) received(v goja.Value) string {
	obj, isObject := v.(*goja.Object)
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case isObject:
		if _, ok := goja.AssertFunction(v); ok {
			return "function " + plainString(gojavm.Get(obj, "name"))
		}
		if c, ok := obj.Get("constructor").(*goja.Object); ok {
			if name := gojavm.Get(c, "name"); !goja.IsUndefined(name) && plainString(name) != "" {
				return "an instance of " + plainString(name)
			}
		}
		return rt.inspectWith(v, map[string]any{"depth": -1})
	}
	if s, ok := v.(*goja.Symbol); ok {
		return "type symbol (Symbol(" + s.String() + "))"
	}
	text := v.String()
	if f, ok := v.Export().(float64); ok && f == 0 {
		text = "-0"
	}
	switch v.Export().(type) {
	case string:
		if len(text) > 28 {
			text = text[:25] + "..."
		}
		return "type string (" + "'" + text + "')"
	case bool:
		return "type boolean (" + text + ")"
	case int64, float64:
		return "type number (" + text + ")"
	}
	return "type bigint (" + text + "n)"
}

// errorNatives are what nodeerrors.js builds on.
func (rt *Runtime) errorNatives(o *goja.Object) {
	rt.set(o, "received", func(call goja.FunctionCall) goja.Value { return rt.vm.ToValue(rt.received(call.Argument(0))) })
	rt.set(o, "codedText", rt.function("toString", 0, func(call goja.FunctionCall) goja.Value {
		e := call.This.ToObject(rt.vm)
		return rt.vm.ToValue(gojavm.Get(e, "name").String() + " [" + gojavm.Get(e, "code").String() + "]: " + gojavm.Get(e, "message").String())
	}))
	rt.set(o, "inspectShort", func(call goja.FunctionCall) goja.Value { return rt.vm.ToValue(rt.inspect(call.Argument(0))) })
}

// plainString is Node's noSideEffectsToString, which runs nothing of the script's.
func plainString(v goja.Value) string {
	switch v := v.(type) {
	case nil:
		return "undefined"
	case *goja.Symbol:
		return "Symbol(" + v.String() + ")"
	case *goja.Object:
		switch class := v.ClassName(); class {
		case "Object":
			return "#<Object>"
		case "Function":
			return v.String()
		default:
			return "[object " + class + "]"
		}
	}
	return v.String()
}

// captureStackTrace is V8's Error.captureStackTrace(object, function), which leaves out the function and what it has
// called.
func (rt *Runtime) captureStackTrace(call goja.FunctionCall) goja.Value {
	obj, ok := call.Argument(0).(*goja.Object)
	if !ok {
		panic(rt.nodeError("ERR_INVALID_ARG_TYPE", `The "object" argument must be of type object. Received `+rt.received(call.Argument(0))))
	}
	stack := rt.vm.CaptureCallStack(0, nil)[1:]
	if until, ok := call.Argument(1).(*goja.Object); ok {
		name := gojavm.Get(until, "name").String()
		for i := range stack {
			if name != "" && stack[i].FuncName() == name {
				stack = stack[i+1:]
				break
			}
		}
	}
	text := func(name, otherwise string) string {
		if v := obj.Get(name); v != nil && !goja.IsUndefined(v) {
			return v.String()
		}
		return otherwise
	}
	header := text("name", "Error")
	if message := text("message", ""); message != "" {
		header += ": " + message
	}
	trace := rt.vm.ToValue(strings.TrimRight(header+"\n"+gojavm.Frames(stack), "\n"))
	_ = obj.DefineDataProperty("stack", trace, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return goja.Undefined()
}
