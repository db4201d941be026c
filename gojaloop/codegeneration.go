package gojaloop

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/dop251/goja/parser"
)

// setUpParser sets how the engine parses what eval and Function are given.
func (rt *Runtime) setUpParser() {
	options := []parser.Option{noSourceMaps}
	if rt.opts.left[CodeGeneration] {
		options = append(options, rt.refuseStrings())
	}
	rt.vm.SetParserOptions(options...)
}

// refuseStrings is how code from strings is turned off. Whatever makes code of a string, the engine makes a parser for it,
// with these options; and an option is a function that it calls first. So there is no way around it, as there might be
// around functions put in the place of eval, of Function and of those that only a function's constructor leads to.
//
// The type of the function's parameter has no name outside the engine, hence the reflection.
func (rt *Runtime) refuseStrings() parser.Option {
	evalError := rt.vm.GlobalObject().Get("EvalError")
	refuse := reflect.MakeFunc(reflect.TypeFor[parser.Option](), func([]reflect.Value) []reflect.Value {
		if embedderCompiles() {
			return nil
		}
		err, failed := rt.vm.New(evalError, rt.vm.ToValue("Code generation from strings disallowed for this context"))
		if failed != nil {
			panic(failed)
		}
		panic(err)
	})
	return refuse.Interface().(parser.Option)
}

// embedderCompiles reports whether it is Go code that makes the engine compile something, with RunString or RunScript.
func embedderCompiles() bool {
	const engine, compile = "github.com/dop251/goja.(*Runtime).", "compile"
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers)])
	for {
		frame, more := frames.Next()
		if method, ok := strings.CutPrefix(frame.Function, engine); ok && method != compile {
			return method == "RunScript" // which RunString calls
		}
		if !more {
			return false
		}
	}
}
