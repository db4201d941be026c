package gojaloop_test

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"
	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

// Each benchmark runs one script here and on goja_nodejs's event loop.
func benchmarkScript(b *testing.B, src string) {
	prg := goja.MustCompile("bench.js", src, false)
	b.Run("gojaloop", func(b *testing.B) {
		for b.Loop() {
			rt := gojaloop.New(core.New(), gojaloop.WithOutput(io.Discard, io.Discard))
			err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
				_, err := vm.RunProgram(prg)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		for b.Loop() {
			loop := eventloop.NewEventLoop()
			loop.Run(func(vm *goja.Runtime) {
				if _, err := vm.RunProgram(prg); err != nil {
					b.Fatal(err)
				}
			})
			loop.Terminate()
		}
	})
}

// BenchmarkStartUp measures from nothing to the first callback, and to the end.
func BenchmarkStartUp(b *testing.B) {
	const src = `setImmediate(() => {})`
	b.Run("gojaloop", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := gojaloop.New(core.New()).Run(context.Background(), src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			loop := eventloop.NewEventLoop()
			loop.Run(func(vm *goja.Runtime) {
				if _, err := vm.RunString(src); err != nil {
					b.Fatal(err)
				}
			})
			loop.Terminate()
		}
	})
}

// The same for a program that Go code runs: it may do anything, so all of the engine's objects are completed before.
func BenchmarkStartUpOfGoCode(b *testing.B) { benchmarkScript(b, `setImmediate(() => {})`) }

// BenchmarkFirstConsoleLog measures up to the first line of console.log, and to the end, with a new runtime.
func BenchmarkFirstConsoleLog(b *testing.B) {
	const src = `console.log('x')`
	b.Run("gojaloop", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := gojaloop.New(core.New(), gojaloop.WithOutput(io.Discard, io.Discard)).Run(context.Background(), src); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			loop := eventloop.NewEventLoop(eventloop.WithRegistry(quietRegistry()))
			loop.Run(func(vm *goja.Runtime) {
				if _, err := vm.RunString(src); err != nil {
					b.Fatal(err)
				}
			})
			loop.Terminate()
		}
	})
}

// A runtime requires five packages of 50 KB each, of 50 functions. It is the first runtime, which compiles them, or
// one of many. B/runtime is the additional memory that a runtime keeps alive.
func BenchmarkRequireFivePackages(b *testing.B) {
	packages := func(round int) map[string][]byte {
		files := make(map[string][]byte)
		for p := range 5 {
			var src strings.Builder
			fmt.Fprintf(&src, "// round %d\n", round)
			for i := range 50 {
				fmt.Fprintf(&src, "exports.f%d = function (a, b) {\n", i)
				for line := range 16 {
					fmt.Fprintf(&src, "  if (a > b + %d) { a = [a, b, %d].length; } else { b += a * %d - 1; }\n", line, i, p)
				}
				src.WriteString("  return { a: a, b: b };\n};\n")
			}
			files[fmt.Sprintf("/app/node_modules/p%d/index.js", p)] = []byte(src.String())
		}
		return files
	}
	run := func(b *testing.B, files map[string][]byte) *gojaloop.Runtime {
		read := func(path string) ([]byte, error) {
			if src, ok := files[path]; ok {
				return src, nil
			}
			return nil, fs.ErrNotExist
		}
		rt := gojaloop.New(core.New(), gojaloop.WithModules(read))
		if err := rt.RunScript(context.Background(), "/app/main.js", `for (let i = 0; i < 5; i++) require('p' + i)`); err != nil {
			b.Fatal(err)
		}
		return rt
	}
	measure := func(b *testing.B, files func(round int) map[string][]byte) {
		var kept []*gojaloop.Runtime
		var before, after runtime.MemStats
		took, round := time.Duration(0), 0
		runtime.GC()
		runtime.ReadMemStats(&before)
		for ; round < b.N; round++ {
			f := files(round)
			began := time.Now()
			kept = append(kept, run(b, f))
			took += time.Since(began)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "ns/op")
		b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/float64(b.N), "B/runtime")
		runtime.KeepAlive(kept)
	}
	rounds := 0
	b.Run("first", func(b *testing.B) {
		measure(b, func(int) map[string][]byte { rounds++; return packages(rounds) })
	})
	b.Run("second", func(b *testing.B) {
		files := packages(0)
		run(b, files)
		measure(b, func(int) map[string][]byte { return files })
	})
	b.Run("none", func(b *testing.B) { // a runtime with modules that requires nothing
		for b.Loop() {
			if err := gojaloop.New(core.New(), gojaloop.WithModules(noFiles)).Run(context.Background(), `1`); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSetTimeout100000(b *testing.B) {
	benchmarkScript(b, `let n = 0; const f = () => { n++ }; for (let i = 0; i < 100000; i++) setTimeout(f, 1)`)
}

func BenchmarkSetImmediate100000(b *testing.B) {
	benchmarkScript(b, `let n = 0; const f = () => { n++ }; for (let i = 0; i < 100000; i++) setImmediate(f)`)
}

func BenchmarkRunOnLoopRoundTrip(b *testing.B) {
	b.Run("gojaloop", func(b *testing.B) {
		loop := core.New()
		ended := make(chan error)
		go func() { ended <- loop.Run(context.Background()) }()
		rt := gojaloop.New(loop)
		done := make(chan struct{})
		for b.Loop() {
			if err := rt.Submit(func(*goja.Runtime) { done <- struct{}{} }); err != nil {
				b.Fatal(err)
			}
			<-done
		}
		_ = loop.Shutdown(context.Background())
		<-ended
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		loop := eventloop.NewEventLoop()
		loop.Start()
		done := make(chan struct{})
		for b.Loop() {
			loop.RunOnLoop(func(*goja.Runtime) { done <- struct{}{} })
			<-done
		}
		loop.Terminate()
	})
}

// A function is passed to the loop from another goroutine, which waits for it: with Do, and with the counterparts of
// nodecompat and goja_nodejs and a channel.
func BenchmarkDo(b *testing.B) {
	b.Run("gojaloop", func(b *testing.B) {
		loop := core.New()
		ended := make(chan error)
		go func() { ended <- loop.Run(context.Background()) }()
		rt := gojaloop.New(loop)
		b.ReportAllocs()
		for b.Loop() {
			if err := rt.Do(context.Background(), func(*goja.Runtime) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		_ = loop.Shutdown(context.Background())
		<-ended
	})
	b.Run("nodecompat", func(b *testing.B) {
		loop := nodecompat.NewEventLoop()
		loop.Start()
		b.ReportAllocs()
		for b.Loop() {
			done := make(chan struct{})
			loop.RunOnLoop(func(*goja.Runtime) { close(done) })
			<-done
		}
		loop.Terminate()
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		loop := eventloop.NewEventLoop()
		loop.Start()
		b.ReportAllocs()
		for b.Loop() {
			done := make(chan struct{})
			loop.RunOnLoop(func(*goja.Runtime) { close(done) })
			<-done
		}
		loop.Terminate()
	})
}

// drift is by how much the beats of an interval have moved against its period, between the first tenth of the ticks and
// the last. The beat is the median of the ticks within their period.
func drift(ticks []time.Duration, period time.Duration) time.Duration {
	tenth := len(ticks) / 10
	origin := ticks[0] - period/2
	beat := func(ticks []time.Duration) time.Duration {
		phases := make([]time.Duration, len(ticks))
		for i, at := range ticks {
			phases[i] = (at - origin) % period
		}
		slices.Sort(phases)
		return phases[len(phases)/2]
	}
	return beat(ticks[len(ticks)-tenth:]) - beat(ticks[:tenth])
}

// An interval of one millisecond for two seconds of real time: how many callbacks ran, and whether they kept their rhythm.
func BenchmarkInterval2Seconds(b *testing.B) {
	const period, length = time.Millisecond, 2 * time.Second
	src := `const t = setInterval(() => { if (tick()) clearInterval(t) }, 1)`
	measure := func(b *testing.B, run func(main func(vm *goja.Runtime) error)) {
		for b.Loop() {
			var ticks []time.Duration
			run(func(vm *goja.Runtime) error {
				began := time.Now()
				_ = vm.Set("tick", func() bool {
					ticks = append(ticks, time.Since(began))
					return ticks[len(ticks)-1] >= length
				})
				_, err := vm.RunString(src)
				return err
			})
			b.ReportMetric(float64(len(ticks)), "callbacks")
			b.ReportMetric(drift(ticks, period).Seconds()*1000, "ms-drift")
		}
	}
	b.Run("gojaloop", func(b *testing.B) {
		measure(b, func(main func(*goja.Runtime) error) {
			rt := gojaloop.New(core.New(), gojaloop.WithOutput(io.Discard, io.Discard))
			if err := rt.RunMain(context.Background(), main); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("goja_nodejs", func(b *testing.B) {
		measure(b, func(main func(*goja.Runtime) error) {
			loop := eventloop.NewEventLoop()
			loop.Run(func(vm *goja.Runtime) {
				if err := main(vm); err != nil {
					b.Fatal(err)
				}
			})
			loop.Terminate()
		})
	})
}
