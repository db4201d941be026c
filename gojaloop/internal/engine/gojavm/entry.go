package gojavm

import "github.com/dop251/goja"

// entry is the JavaScript frame that every callback is run from. goja runs promise jobs when the outermost JavaScript
// frame returns. A function called straight from Go is that frame itself, so its jobs would run before the nextTick
// queue had its turn. Inside this frame we run the callback, then the ticks; then it returns.
//
// It is a program and not a function, and it reads a property instead of calling something. That is less than half
// the work for the engine, and it happens for every callback. The name is a constant of the global scope. It is not a
// property of the global object, and no script can replace it.
var (
	entrySetUp = goja.MustCompile(OwnSource+"entry", `const gojaloop_entry__ = { __proto__: null }; gojaloop_entry__`, true)
	entry      = goja.MustCompile(OwnSource+"entry", `gojaloop_entry__.run`, true)
)

func (vm *VM) setUpEntry() {
	v, err := vm.RunProgram(entrySetUp)
	if err != nil {
		panic(err) // only an engine that is broken fails here
	}
	run := vm.ToValue(vm.entered)
	if err := v.(*goja.Object).DefineAccessorProperty("run", run, nil, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		panic(err)
	}
}

// Enter is [engine.Engine.Enter]: it calls [Host.Entered]. Inside the frame nothing drains promise jobs, and after it
// everything does.
func (vm *VM) Enter() error {
	vm.entering = true
	_, err := vm.RunProgram(entry)
	return err
}

// entered is called when the entry reads its property.
func (vm *VM) entered(goja.FunctionCall) goja.Value {
	if vm.entering { // and it is no script that knows the name
		vm.entering = false
		vm.host.Entered()
	}
	return goja.Undefined()
}
