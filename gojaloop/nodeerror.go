package gojaloop

import (
	"github.com/dop251/goja"
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
	_ = obj.Set("code", code)
	if name != "" {
		_ = obj.Set("name", name)
	}
	return obj
}

// received describes a value as Node's messages do.
func received(v goja.Value) string {
	obj, isObject := v.(*goja.Object)
	switch {
	case v == nil || goja.IsUndefined(v):
		return "undefined"
	case goja.IsNull(v):
		return "null"
	case isObject:
		if _, ok := goja.AssertFunction(v); ok {
			return "function " + obj.Get("name").String()
		}
		if c, ok := obj.Get("constructor").(*goja.Object); ok && c.Get("name") != nil {
			if name := c.Get("name").String(); name != "" {
				return "an instance of " + name
			}
		}
		return "an object"
	}
	text := v.String()
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
	if s, ok := v.(*goja.Symbol); ok {
		return "type symbol (" + s.String() + ")"
	}
	return "type bigint (" + text + "n)"
}

// plainString is Node's noSideEffectsToString, which runs nothing of the script's.
func plainString(v goja.Value) string {
	if obj, ok := v.(*goja.Object); ok {
		return "#<" + obj.ClassName() + ">"
	}
	if v == nil {
		return "undefined"
	}
	return v.String()
}
