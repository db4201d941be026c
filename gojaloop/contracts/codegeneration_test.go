package contracts_test

import (
	"context"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

func TestWithoutCodeGenerationNothingMakesCodeOfStrings(t *testing.T) {
	const refused = "EvalError: Code generation from strings disallowed for this context\n"
	for _, src := range []string{
		`eval('1')`, `(0, eval)('1')`, `'use strict'; eval('1')`, `eval(...['1'])`, `eval.call(null, '1')`, `eval.bind(null, '1')()`,
		`(() => { let a; eval('a = 1') })()`, `eval('[')`, `eval('eval("1")')`,
		`Function()`, `Function('return 1')`, `new Function('a', 'return a')`, `Reflect.construct(Function, ['return 1'])`,
		`Reflect.construct(Function, ['return 1'], class {})`, `new (class extends Function {})('return 1')`,
		`(() => {}).constructor('return 1')`, `(class {}).constructor('return 1')`, `Function.prototype.constructor('return 1')`,
		`Object.getPrototypeOf(function* () {}).constructor('yield 1')`, `Object.getPrototypeOf(async () => {}).constructor('await 1')`,
		`const E = EvalError; globalThis.EvalError = null; try { eval('1') } finally { globalThis.EvalError = E }`,
		`Promise.resolve('1').then(eval).catch((e) => console.log(String(e)))`,
	} {
		expect(t, `try { `+src+`; } catch (e) { console.log(e instanceof EvalError ? String(e) : 'not one') }`, refused, gojaloop.Without(gojaloop.CodeGeneration))
	}
	expect(t, `console.log(eval(1), eval(), typeof eval, Function.prototype.name, (() => {}) instanceof Function)`, "1 undefined function  true\n",
		gojaloop.Without(gojaloop.CodeGeneration))
}

func TestWithCodeGenerationCodeIsMadeOfStrings(t *testing.T) {
	expect(t, `const f = () => { let a = 1; eval('a++'); return a }; console.log(f(), (0, eval)('2'), Function('return 3')())`, "2 2 3\n")
}

func TestEmbeddersMakeCodeOfStringsWithoutCodeGeneration(t *testing.T) {
	rt := gojaloop.New(eventloop.New(), gojaloop.Without(gojaloop.CodeGeneration))
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		if v, err := vm.RunString(`1 + 1`); err != nil || v.ToInteger() != 2 {
			t.Errorf("RunString gave %v, %v", v, err)
		}
		_ = vm.Set("run", func(src string) (goja.Value, error) { return vm.RunString(src) })
		if v, err := vm.RunScript("a.js", `run('2 + 2')`); err != nil || v.ToInteger() != 4 {
			t.Errorf("RunScript gave %v, %v", v, err)
		}
		if _, err := vm.RunString(`run("eval('1')")`); err == nil {
			t.Error("eval was let through")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
