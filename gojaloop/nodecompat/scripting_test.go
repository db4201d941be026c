package nodecompat_test

import (
	"errors"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/require"
)

var scripting = []behaviour{
	{name: "timers pass their arguments on", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Run(func(vm *goja.Runtime) {
			script(t, vm, `
				var got = [];
				setTimeout((...a) => got.push(...a), 1, 't', 1);
				setImmediate((...a) => got.push(...a), 'm', 2);
				const i = setInterval((...a) => { got.push(...a); clearInterval(i) }, 20, 'i', 3)`)
		})
		expectValue(t, loop, `got.sort().join()`, "1,2,3,i,m,t")
	}},
	{name: "an immediate may clear a later one", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Run(func(vm *goja.Runtime) {
			script(t, vm, `
				var got = ['start'], later;
				setImmediate(() => { got.push('first'); setImmediate(() => got.push('third')); later = setImmediate(() => got.push('cleared')) });
				setImmediate(() => { got.push('second'); clearImmediate(later) })`)
		})
		expectValue(t, loop, `got.join()`, "start,first,second,third")
	}},
	{name: "promises settle", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Run(func(vm *goja.Runtime) {
			script(t, vm, `var result; new Promise((resolve) => setTimeout(() => resolve('passed'), 2)).then((v) => { result = v })`)
		})
		expectValue(t, loop, "result", "passed")
	}},
	{name: "promises of Go code settle", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		done := signal()
		loop.RunOnLoop(func(vm *goja.Runtime) {
			p, resolve, _ := vm.NewPromise()
			_ = vm.Set("p", p)
			_ = vm.Set("done", func() { close(done) })
			script(t, vm, `var result; p.then((v) => { result = v; done() })`)
			go loop.RunOnLoop(func(*goja.Runtime) { _ = resolve("passed") })
		})
		await(t, done, "the promise is settled")
		loop.Stop()
		expectValue(t, loop, "result", "passed")
	}},
	{name: "promise jobs have run when a script returns to Go code", test: func(t *testing.T, make maker) {
		make(config{}).Run(func(vm *goja.Runtime) {
			v := script(t, vm, `var jobs = 0; (async () => { await 1; jobs++; return 42 })()`)
			p, ok := v.Export().(*goja.Promise)
			if !ok || p.State() != goja.PromiseStateFulfilled || p.Result().ToInteger() != 42 {
				t.Errorf("the promise is not fulfilled: %v", v)
			}
			if n := vm.Get("jobs").ToInteger(); n != 1 {
				t.Errorf("%d jobs have run, want 1", n)
			}
		})
	}},
	{name: "calls nest deep", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Run(func(vm *goja.Runtime) {
			script(t, vm, `var deepest = 0; const nest = (n) => n && 1 + nest(n - 1); setTimeout(() => { deepest = nest(20000) }, 1)`)
		})
		expectValue(t, loop, "deepest", "20000")
	}},
	{name: "the console can be left out", test: func(t *testing.T, make maker) {
		make(config{noConsole: true}).Run(func(vm *goja.Runtime) {
			if _, err := vm.RunString(`console.log('x')`); err == nil {
				t.Error("there is a console")
			}
		})
	}},
	{name: "the console is the registry's", test: func(t *testing.T, make maker) {
		var lines lineKeeper
		registry := new(require.Registry)
		registry.RegisterNativeModule(console.ModuleName, console.RequireWithPrinter(&lines))
		make(config{registry: registry}).Run(func(vm *goja.Runtime) {
			script(t, vm, `console.log('%s!', 'log'); console.warn('warn'); console.error('error', 1)`)
		})
		if got := string(lines); got != "log!\nwarn\nerror 1\n" {
			t.Errorf("the console wrote %q", got)
		}
	}},
	{name: "require finds what the registry has", test: func(t *testing.T, make maker) {
		registry := require.NewRegistry(require.WithLoader(func(path string) ([]byte, error) {
			if path != "answer.js" {
				return nil, require.ModuleFileDoesNotExistError
			}
			return []byte(`module.exports = { answer: 42, later: (fn) => setTimeout(fn, 1, 'later') }`), nil
		}))
		registry.RegisterNativeModule("native", func(vm *goja.Runtime, module *goja.Object) {
			_ = module.Set("exports", "from Go")
		})
		loop := make(config{registry: registry})
		loop.Run(func(vm *goja.Runtime) {
			script(t, vm, `
				var got = [require('./answer.js').answer, require('native')];
				require('./answer').later((s) => got.push(s))`)
			var missing *goja.Exception
			if _, err := vm.RunString(`require('./missing')`); !errors.As(err, &missing) {
				t.Errorf("a missing module: %v", err)
			}
		})
		expectValue(t, loop, "got.join()", "42,from Go,later")
	}},
}

// lineKeeper is a console.Printer that keeps lines.
type lineKeeper []byte

func (p *lineKeeper) Log(s string)   { *p = append(append(*p, s...), '\n') }
func (p *lineKeeper) Warn(s string)  { p.Log(s) }
func (p *lineKeeper) Error(s string) { p.Log(s) }
