package gojavm

import (
	"runtime"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// beforeParsing sets a function that the engine calls before it parses: for eval and Function, and for the scripts of
// Go code.
//
// It is also how code from strings is turned off. The engine makes a parser for all code that comes from a string,
// with these options, and calls the functions among them first. So a script cannot get around it. It could get around
// substitutes for eval, Function, and the functions reached by a function's constructor.
func (vm *VM) beforeParsing(refuseStrings bool, before func()) {
	first := before
	if refuseStrings {
		evalError := vm.Get("EvalError") // before a script puts something else there
		first = func() {
			before()
			if !embedderCompiles() {
				vm.refuseString(evalError)
			}
		}
	}
	vm.SetParserOptions(noSourceMaps, parserOption(parser.WithDisableSourceMaps, first))
}

// parserOption makes an option of a function that sets nothing. The type of its argument has no name outside the engine,
// so it is taken from another option.
func parserOption[T any](_ func(T), before func()) func(T) { return func(T) { before() } }

func (vm *VM) refuseString(evalError goja.Value) {
	err, failed := vm.New(evalError, vm.ToValue("Code generation from strings disallowed for this context"))
	if failed != nil {
		panic(failed)
	}
	panic(err)
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
