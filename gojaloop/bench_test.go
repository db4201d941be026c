package gojaloop_test

import (
	"context"
	"io"
	"slices"
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

// From nothing to the first callback, and to the end.
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
