package gojaloop_test

import (
	"context"
	"testing"

	"github.com/dop251/goja"
	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// Each runs operations of a proxy in a loop, here and in the engine by itself, whose proxies can overflow Go's stack.
func BenchmarkProxy(b *testing.B) {
	for _, c := range []struct{ name, setUp, operation string }{
		{"GetForwarded", `new Proxy({ x: 1 }, {})`, `p.x`},
		{"GetTrapped", `new Proxy({}, { get() { return 1 } })`, `p.x`},
		{"SetTrapped", `new Proxy({}, { set() { return true } })`, `p.x = 1`},
		{"CallForwarded", `new Proxy(() => 1, {})`, `p()`},
		{"New", `{}`, `new Proxy(p, p)`},
	} {
		prg := goja.MustCompile(c.name, `(() => { const p = `+c.setUp+`; return (n) => { for (let i = 0; i < n; i++) `+c.operation+` } })()`, true)
		measure := func(b *testing.B, vm *goja.Runtime) {
			v, err := vm.RunProgram(prg)
			if err != nil {
				b.Fatal(err)
			}
			run, _ := goja.AssertFunction(v)
			b.ResetTimer()
			if _, err := run(nil, vm.ToValue(b.N)); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(c.name+"/gojaloop", func(b *testing.B) {
			err := gojaloop.New(core.New()).RunMain(context.Background(), func(vm *goja.Runtime) error {
				measure(b, vm)
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		})
		b.Run(c.name+"/goja", func(b *testing.B) { measure(b, goja.New()) })
	}
}
