package nodecompat_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/dop251/goja"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// Each benchmark runs the same here and on goja_nodejs's event loop.
func benchmark(b *testing.B, run func(b *testing.B, make maker)) {
	b.Run("nodecompat", func(b *testing.B) { run(b, makeOurs) })
	b.Run("goja_nodejs", func(b *testing.B) { run(b, makeOriginal) })
}

// A function to the loop, and its answer back.
func BenchmarkRunOnLoopRoundTrip(b *testing.B) { benchmark(b, roundTrip) }

func roundTrip(b *testing.B, make maker) {
	loop := make(config{})
	loop.Start()
	defer loop.Terminate()
	done := signal()
	fn := func(*goja.Runtime) { done <- struct{}{} }
	b.ReportAllocs()
	for b.Loop() {
		loop.RunOnLoop(fn)
		<-done
	}
}

// BenchmarkBusy measures loops beside goroutines that compute, as the benchmark of the same name in tests/bench of the root
// module does. Its rows are GOMAXPROCS (P), the number of computing goroutines (0, P and 2 P), the case, and the loop.
func BenchmarkBusy(b *testing.B) {
	for _, procs := range []int{1, 2} {
		for _, computing := range []int{0, procs, 2 * procs} {
			for _, c := range []struct {
				name string
				run  func(*testing.B, maker)
			}{{"SetImmediateChain", immediateChain}, {"RunOnLoopRoundTrip", roundTrip}} {
				b.Run(fmt.Sprintf("P=%d/Computing=%d/%s", procs, computing, c.name), func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					testkit.Compute(b, computing)
					benchmark(b, c.run)
				})
			}
		}
	}
}

// Each immediate of a script schedules the next.
func immediateChain(b *testing.B, make maker) {
	chain := goja.MustCompile("chain.js", `(function step() { if (left-- > 0) setImmediate(step) })()`, false)
	loop := make(config{})
	defer loop.Terminate()
	loop.Run(func(vm *goja.Runtime) {
		_ = vm.Set("left", b.N)
		if _, err := vm.RunProgram(chain); err != nil {
			b.Error(err)
		}
	})
}

// A thousand functions, without waiting for each.
func BenchmarkRunOnLoop1000(b *testing.B) {
	benchmark(b, func(b *testing.B, make maker) {
		loop := make(config{})
		loop.Start()
		defer loop.Terminate()
		done := signal()
		n := 0
		fn := func(*goja.Runtime) {
			if n++; n%1000 == 0 {
				done <- struct{}{}
			}
		}
		b.ReportAllocs()
		for b.Loop() {
			for range 1000 {
				loop.RunOnLoop(fn)
			}
			<-done
		}
	})
}

// BenchmarkStartUp measures from nothing to the first callback of a script, and to the end.
func BenchmarkStartUp(b *testing.B) {
	prg := goja.MustCompile("bench.js", `setImmediate(() => {})`, false)
	benchmark(b, func(b *testing.B, make maker) {
		b.ReportAllocs()
		for b.Loop() {
			loop := make(config{})
			loop.Run(func(vm *goja.Runtime) {
				if _, err := vm.RunProgram(prg); err != nil {
					b.Fatal(err)
				}
			})
			loop.Terminate()
		}
	})
}

// Starting a loop that has stopped, on a goroutine of its own, and stopping it.
func BenchmarkStartStop(b *testing.B) {
	benchmark(b, func(b *testing.B, make maker) {
		loop := make(config{})
		b.ReportAllocs()
		for b.Loop() {
			loop.Start()
			loop.Stop()
		}
		loop.Terminate()
	})
}

// The same with a timer that is pending.
func BenchmarkStartStopPending(b *testing.B) {
	benchmark(b, func(b *testing.B, make maker) {
		loop := make(config{})
		loop.Start()
		loop.setTimeout(func(*goja.Runtime) {}, time.Hour)
		loop.Stop()
		b.ReportAllocs()
		for b.Loop() {
			loop.Start()
			loop.Stop()
		}
		loop.Terminate()
	})
}

// Running a loop that has stopped, until nothing is left to do.
func BenchmarkRestart(b *testing.B) {
	benchmark(b, func(b *testing.B, make maker) {
		loop := make(config{})
		b.ReportAllocs()
		for b.Loop() {
			loop.Run(func(*goja.Runtime) {})
		}
		loop.Terminate()
	})
}
