package gojavm

import (
	"strings"

	"github.com/dop251/goja"
)

// Error makes an Error of a class.
func (vm *VM) Error(class, message string) *goja.Object {
	obj, err := vm.New(vm.original(class), vm.ToValue(message))
	if err != nil {
		return vm.NewTypeError("%s", message) // the script has put its own in the place of the class
	}
	return obj
}

// CodeOfRejection is the code of the Error for an unhandled rejection. Node shows that Error differently.
const CodeOfRejection = "ERR_UNHANDLED_REJECTION"

// CodedError makes an Error of a class with one of Node's codes.
func (vm *VM) CodedError(class, code, message string) *goja.Object {
	obj := vm.Error(class, message)
	vm.SetOwn(obj, "code", code)
	if strings.HasPrefix(code, "ERR_") && code != CodeOfRejection {
		_ = obj.DefineDataProperty("toString", vm.natives().Get("codedText"), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	}
	return obj
}

// WrongArgument throws Node's TypeError for an argument that is not of the type that it must have: "of type string".
func (vm *VM) WrongArgument(name, must string, v goja.Value) {
	panic(vm.CodedError("TypeError", "ERR_INVALID_ARG_TYPE", `The "`+name+`" argument must be `+must+". Received "+vm.received(v)))
}

// received describes a value as Node's messages do.
func (vm *VM) received(v goja.Value) string {
	obj, isObject := v.(*goja.Object)
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case isObject:
		if _, ok := goja.AssertFunction(v); ok {
			return "function " + PlainString(Get(obj, "name"))
		}
		if c, ok := obj.Get("constructor").(*goja.Object); ok {
			if name := Get(c, "name"); !goja.IsUndefined(name) && PlainString(name) != "" {
				return "an instance of " + PlainString(name)
			}
		}
		return vm.inspectWith(v, map[string]any{"depth": -1})
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

// errorNatives are the natives of nodeerrors.js.
func (vm *VM) errorNatives(o *goja.Object) {
	vm.SetOwn(o, "received", func(call goja.FunctionCall) goja.Value { return vm.ToValue(vm.received(call.Argument(0))) })
	vm.SetOwn(o, "codedText", vm.Function("toString", 0, func(call goja.FunctionCall) goja.Value {
		e := call.This.ToObject(vm.Runtime)
		return vm.ToValue(Get(e, "name").String() + " [" + Get(e, "code").String() + "]: " + Get(e, "message").String())
	}))
	vm.SetOwn(o, "inspectShort", func(call goja.FunctionCall) goja.Value { return vm.ToValue(vm.Inspect(call.Argument(0))) })
}

// PlainString is Node's noSideEffectsToString, which runs nothing of the script's.
func PlainString(v goja.Value) string {
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

// CaptureStackTrace is V8's Error.captureStackTrace(object, function), which leaves out the frames of the function
// and of its callees.
func (vm *VM) CaptureStackTrace(call goja.FunctionCall) goja.Value {
	obj, ok := call.Argument(0).(*goja.Object)
	if !ok {
		vm.WrongArgument("object", "of type object", call.Argument(0))
	}
	stack := vm.CaptureCallStack(0, nil)
	stack = stack[min(1, len(stack)):] // a promise job's stack may be empty
	if until, ok := call.Argument(1).(*goja.Object); ok {
		name := Get(until, "name").String()
		for i := range stack {
			if name != "" && stack[i].FuncName() == name {
				stack = stack[i+1:]
				break
			}
		}
	}
	if prepare, ok := goja.AssertFunction(Get(vm.original("Error").(*goja.Object), "prepareStackTrace")); ok {
		trace, err := prepare(goja.Undefined(), obj, vm.callSites(stack))
		if err != nil {
			panic(err)
		}
		_ = obj.DefineDataProperty("stack", trace, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
		return goja.Undefined()
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
	trace := vm.ToValue(strings.TrimRight(header+"\n"+Frames(stack), "\n"))
	_ = obj.DefineDataProperty("stack", trace, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
	return goja.Undefined()
}
