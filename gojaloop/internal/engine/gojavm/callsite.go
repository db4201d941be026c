package gojavm

import (
	"fmt"

	"github.com/dop251/goja"
)

// callSites makes what V8 gives Error.prepareStackTrace: an object for each frame. A fact that the engine does not record is null or false.
func (vm *VM) callSites(stack []goja.StackFrame) goja.Value {
	sites := []any{}
	for i := range stack {
		if f := &stack[i]; !hidden(f) {
			sites = append(sites, vm.callSite(f))
		}
	}
	return vm.NewArray(sites...)
}

func (vm *VM) callSite(f *goja.StackFrame) *goja.Object {
	site, pos := vm.NewObject(), f.Position()
	file, name := goja.Null(), goja.Null()
	if f.SrcName() != "" && f.SrcName() != "<native>" {
		file = vm.ToValue(f.SrcName())
	}
	if fn := f.FuncName(); fn != "" && fn != "<anonymous>" {
		name = vm.ToValue(fn)
	}
	where := fmt.Sprintf("%s:%d:%d", f.SrcName(), pos.Line, pos.Column)
	for method, value := range map[string]goja.Value{
		"getFileName": file, "getScriptNameOrSourceURL": file, "getFunctionName": name, "getMethodName": goja.Null(), "getTypeName": goja.Null(),
		"getLineNumber": vm.ToValue(pos.Line), "getColumnNumber": vm.ToValue(pos.Column), "getThis": goja.Undefined(), "getFunction": goja.Undefined(),
		"getEvalOrigin": goja.Undefined(), "isNative": vm.ToValue(false), "isToplevel": vm.ToValue(true), "isEval": vm.ToValue(false),
		"isConstructor": vm.ToValue(false), "isAsync": vm.ToValue(false), "toString": vm.ToValue(where),
	} {
		vm.Method(site, method, 0, func(goja.FunctionCall) goja.Value { return value })
	}
	return site
}
