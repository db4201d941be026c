package gojavm

import (
	"runtime"
	"strings"

	"github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// beforeParsing sets what happens when the engine parses something: what eval and Function are given, and what Go code runs.
//
// That is also how code from strings is turned off. Whatever makes code of a string, the engine makes a parser for it, with
// these options; and an option is a function that it calls first. So there is no way around it, as there might be around
// functions put in the place of eval, of Function and of those that only a function's constructor leads to.
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
