package gojaloop_test

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"
	core "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
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

func BenchmarkStartUp(b *testing.B) { benchmarkScript(b, `setImmediate(() => {})`) }

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

// An interval of one millisecond for two seconds of real time: how many callbacks ran, and how far the last was from
// where that many periods end.
func BenchmarkInterval2Seconds(b *testing.B) {
	const period, length = time.Millisecond, 2 * time.Second
	src := `const t = setInterval(() => { if (tick()) clearInterval(t) }, 1)`
	measure := func(b *testing.B, run func(main func(vm *goja.Runtime) error)) {
		for b.Loop() {
			var first, last time.Time
			n := 0
			run(func(vm *goja.Runtime) error {
				began := time.Now()
				_ = vm.Set("tick", func() bool {
					if last = time.Now(); n == 0 {
						first = last
					}
					n++
					return last.Sub(began) >= length
				})
				_, err := vm.RunString(src)
				return err
			})
			drift := last.Sub(first) - time.Duration(n-1)*period
			b.ReportMetric(float64(n), "callbacks")
			b.ReportMetric(drift.Seconds()*1000, "ms-drift")
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
