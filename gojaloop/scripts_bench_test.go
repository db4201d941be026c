package gojaloop_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/console"
	"github.com/dop251/goja_nodejs/eventloop"
	"github.com/dop251/goja_nodejs/require"
	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// These scripts use our code between the script and the engine. Each runs here, in Node, and on goja_nodejs if it
// supports the script. Node measures its own time, without its start.
var benchmarkScripts = []struct {
	name string
	src  string
	both bool // goja_nodejs can run it
}{
	{"ConsoleLog100000", `for (let i = 0; i < 100000; i++) console.log('x')`, true},
	{"ConsoleLogObject10000", `const o = { a: 1, list: [1, 2, 3] }; for (let i = 0; i < 10000; i++) console.log(o)`, true},
	{"ImmediatesChained1000000", `let n = 1000000; (function next() { if (n-- > 0) setImmediate(next) })()`, true},
	{"ImmediatesAtOnce100000", `for (let i = 0; i < 100000; i++) setImmediate(() => {})`, true},
	{"AppendToString100000", `let s = ''; for (let i = 0; i < 100000; i++) s += 'a'`, true},
	{"Await1000000", `(async () => { for (let i = 0; i < 1000000; i++) await i })()`, true},
	// The engine's own time for a call, and for an object of a class: none of our code is involved.
	{"FunctionCall500000", `const f = () => { n++ }; let n = 0; for (let i = 0; i < 500000; i++) f(1)`, true},
	{"FunctionApply500000", `const f = () => { n++ }, g = (type, ...args) => Reflect.apply(f, g, args); let n = 0; for (let i = 0; i < 500000; i++) g('x', 1)`, true},
	{"ClassInstance100000", `class A { #a; #b; constructor(a) { this.#a = a } get a() { return this.#a } } for (let i = 0; i < 100000; i++) new A(i).a`, true},
	{"EventTargetDispatch100000", `const t = new EventTarget(); let n = 0; t.addEventListener('x', () => { n++ });
		for (let i = 0; i < 100000; i++) t.dispatchEvent(new Event('x'))`, false},
	{"EventEmitterEmit500000", `const { EventEmitter } = require('events'); const e = new EventEmitter(); let n = 0;
		e.on('x', () => { n++ }); for (let i = 0; i < 500000; i++) e.emit('x', 1)`, false},
	{"Inspect10000", `const { inspect } = require('util'); const o = { a: 1, list: [1, 2, { b: 'c' }], m: new Map([[1, 2]]) };
		for (let i = 0; i < 10000; i++) inspect(o)`, false},
	{"StructuredClone10000", `const o = { a: 1, list: [1, 2, { b: 'c' }], m: new Map([[1, 2]]), d: new Date() };
		for (let i = 0; i < 10000; i++) structuredClone(o)`, false},
}

func BenchmarkScripts(b *testing.B) {
	node, _ := exec.LookPath("node")
	for _, s := range benchmarkScripts {
		prg := goja.MustCompile("bench.js", s.src, false)
		b.Run(s.name, func(b *testing.B) {
			b.Run("gojaloop", func(b *testing.B) {
				for b.Loop() {
					rt := gojaloop.New(core.New(), gojaloop.WithOutput(io.Discard, io.Discard), gojaloop.WithModules(noFiles))
					if err := rt.Run(context.Background(), s.src); err != nil {
						b.Fatal(err)
					}
				}
			})
			if s.both {
				b.Run("goja_nodejs", func(b *testing.B) {
					for b.Loop() {
						loop := eventloop.NewEventLoop(eventloop.WithRegistry(quietRegistry()))
						loop.Run(func(vm *goja.Runtime) {
							if _, err := vm.RunProgram(prg); err != nil {
								b.Fatal(err)
							}
						})
						loop.Terminate()
					}
				})
			}
			if node != "" {
				b.Run("node", func(b *testing.B) { benchmarkInNode(b, node, s.src) })
			}
		})
	}
}

// benchmarkInNode runs a script b.N times in one process, each time to its end, and reports Node's measurements.
func benchmarkInNode(b *testing.B, node, src string) {
	const harness = `
		const [src, n] = [process.env.SCRIPT, +process.env.TIMES]
		const { hrtime } = process
		let left = n, began = hrtime.bigint()
		const step = () => new Function('require', src)(require)
		process.on('beforeExit', () => {
			if (--left > 0) return setImmediate(step) // without anything left to do the event would not come again
			process.stderr.write(String(hrtime.bigint() - began))
			process.exit(0)
		})
		step()`
	cmd := exec.Command(node, "-e", harness)
	cmd.Env = append(os.Environ(), "SCRIPT="+src, "TIMES="+strconv.Itoa(b.N))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		b.Fatal(err, stderr.String())
	}
	took, err := strconv.ParseFloat(stderr.String(), 64)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(took/float64(b.N), "ns/op")
}

// discarding is the console of goja_nodejs with the output that ours has here: none.
type discarding struct{}

func (discarding) Log(s string)     { _, _ = io.WriteString(io.Discard, s+"\n") }
func (d discarding) Warn(s string)  { d.Log(s) }
func (d discarding) Error(s string) { d.Log(s) }

func quietRegistry() *require.Registry {
	registry := require.NewRegistry()
	registry.RegisterNativeModule(console.ModuleName, console.RequireWithPrinter(discarding{}))
	return registry
}

func noFiles(string) ([]byte, error) { return nil, fs.ErrNotExist }
