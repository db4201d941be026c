package nodecompat_test

import (
	"slices"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

var stopping = []behaviour{
	{name: "Stop returns how much is pending", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		loop.setTimeout(func(*goja.Runtime) {}, time.Hour)
		loop.setInterval(func(*goja.Runtime) {}, time.Hour)
		loop.RunOnLoop(func(vm *goja.Runtime) {
			script(t, vm, `setTimeout(() => {}, 1e6); setInterval(() => {}, 1e6); clearTimeout(setTimeout(() => {}, 1e6))`)
		})
		finish(t, loop)
		if n := loop.Stop(); n != 4 {
			t.Errorf("Stop returned %d, two timers and two intervals were pending", n)
		}
		if n := loop.Stop(); n != 4 {
			t.Errorf("a second Stop returned %d", n)
		}
		loop.Terminate()
	}},
	{name: "functions that were queued before Stop run", wrong: "a busy loop leaves them for the next start",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			loop.Start()
			first, began, release, ran := signal(), signal(), signal(), false
			loop.RunOnLoop(func(*goja.Runtime) { close(first) })
			await(t, first, "the loop runs")
			loop.RunOnLoop(func(*goja.Runtime) { close(began); <-release })
			await(t, began, "a function begins")
			loop.RunOnLoop(func(*goja.Runtime) { ran = true })
			loop.StopNoWait()
			close(release)
			loop.Stop()
			if !ran {
				t.Error("a function was queued before the stop and has not run after it")
			}
		}},
	{name: "nothing runs while the loop is stopped", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		var got []string
		loop.setTimeout(func(*goja.Runtime) { got = append(got, "timer") }, time.Millisecond)
		loop.RunOnLoop(func(*goja.Runtime) { loop.StopNoWait() })
		loop.Stop()
		before := len(got) // the timer may have been first
		if !loop.RunOnLoop(func(*goja.Runtime) { got = append(got, "function") }) {
			t.Error("a stopped loop refused a function")
		}
		time.Sleep(5 * time.Millisecond) // the timer falls due
		if len(got) != before {
			t.Errorf("%q ran on a stopped loop", got[before:])
		}
		loop.Run(func(*goja.Runtime) {})
		slices.Sort(got)
		if want := []string{"function", "timer"}; !slices.Equal(got, want) {
			t.Errorf("%q ran, want %q", got, want)
		}
	}},
	{name: "timers, intervals and immediates outlast a stop", test: inVirtualTime(func(t *testing.T, make maker) {
		loop := make(config{})
		var got []string
		loop.Run(func(vm *goja.Runtime) {
			_ = vm.Set("log", func(s string) { got = append(got, s) })
			loop.setTimeout(func(*goja.Runtime) { got = append(got, "Go timer") }, 3*time.Millisecond)
			script(t, vm, `
				setTimeout(() => log('timer'), 6);
				let n = 0;
				const i = setInterval(() => { log('interval'); if (++n == 3) clearInterval(i) }, 9);`)
			loop.StopNoWait()
		})
		if len(got) != 0 {
			t.Errorf("these ran before the stop: %q", got)
		}
		loop.Run(func(vm *goja.Runtime) { script(t, vm, `setImmediate(() => log('immediate'))`); loop.StopNoWait() })
		loop.Run(func(*goja.Runtime) {})
		slices.Sort(got)
		if want := []string{"Go timer", "immediate", "interval", "interval", "interval", "timer"}; !slices.Equal(got, want) {
			t.Errorf("%q ran, want %q", got, want)
		}
		loop.Terminate() // goja_nodejs keeps the interval's goroutine until then
	})},
	{name: "StopNoWait in a callback ends Run", test: func(t *testing.T, make maker) {
		loop := make(config{})
		returns(t, "Run", func() {
			loop.Run(func(*goja.Runtime) {
				loop.setTimeout(func(*goja.Runtime) { t.Error("a timer of an hour ran") }, time.Hour)
				loop.setTimeout(func(*goja.Runtime) { loop.StopNoWait() }, time.Millisecond)
			})
		})
		if n := loop.Stop(); n != 1 {
			t.Errorf("%d timers are pending, want the one of an hour", n)
		}
		loop.Terminate()
	}},
	{name: "stopping a loop that is stopped does nothing", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.StopNoWait()
		if n := loop.Stop(); n != 0 {
			t.Errorf("Stop returned %d", n)
		}
		ran := false
		loop.Run(func(vm *goja.Runtime) {
			loop.setTimeout(func(*goja.Runtime) { ran = true }, time.Millisecond)
		})
		if !ran {
			t.Error("the stop of before ended a later Run")
		}
	}},
	{name: "a promise may be settled after Stop", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		var resolve func(any) error
		loop.RunOnLoop(func(vm *goja.Runtime) {
			var p *goja.Promise
			p, resolve, _ = vm.NewPromise()
			_ = vm.Set("p", p)
			script(t, vm, `var result; p.then((v) => { result = v })`)
		})
		finish(t, loop)
		returns(t, "RunOnLoop", func() {
			loop.RunOnLoop(func(*goja.Runtime) { _ = resolve("settled") })
		})
		loop.Run(func(*goja.Runtime) {})
		expectValue(t, loop, "result", "settled")
	}},
	{name: "starting and stopping again and again", test: func(t *testing.T, make maker) {
		loop := make(config{})
		n := 0
		for i := range 200 {
			loop.RunOnLoop(func(*goja.Runtime) { n++ })
			if i%2 == 0 {
				loop.Start()
				finish(t, loop)
			} else {
				loop.Run(func(*goja.Runtime) {})
			}
		}
		if n != 200 {
			t.Errorf("%d functions ran of 200", n)
		}
	}},
	{name: "Stop in a callback", wrong: "it waits for itself", test: func(t *testing.T, make maker) {
		loop := make(config{})
		left := -1
		returns(t, "Run", func() {
			loop.Run(func(*goja.Runtime) {
				loop.setTimeout(func(*goja.Runtime) { left = loop.Stop() }, 0)
				loop.setTimeout(func(*goja.Runtime) { t.Error("a timer of an hour ran") }, time.Hour)
			})
		})
		if left != 1 {
			t.Errorf("Stop returned %d, want 1 for the timer of an hour", left)
		}
	}},
	{name: "an interval that clears itself leaves no goroutine", wrong: "the interval's goroutine hangs",
		test: func(t *testing.T, make maker) {
			before := len(leakcheck.Left(0))
			for range 10 {
				loop := make(config{})
				var i any
				i = loop.setInterval(func(*goja.Runtime) { loop.clearInterval(i) }, time.Millisecond)
				loop.Run(func(vm *goja.Runtime) {
					script(t, vm, `const i = setInterval(() => clearInterval(i), 1)`)
				})
			}
			expectGoroutines(t, before)
		}},
	{name: "a stopped loop that is forgotten leaves no goroutine", wrong: "timers and intervals hang",
		test: func(t *testing.T, make maker) {
			before := len(leakcheck.Left(0))
			for range 10 {
				loop := make(config{})
				loop.Start()
				loop.RunOnLoop(func(vm *goja.Runtime) {
					_ = vm.Set("stop", loop.StopNoWait) // the script refers to the loop
					script(t, vm, `setTimeout(stop, 1); setTimeout(stop, 2); setInterval(stop, 1)`)
				})
				loop.setInterval(func(*goja.Runtime) {}, time.Millisecond)
				finish(t, loop)
			}
			expectGoroutines(t, before)
		}},
	{name: "a timer that is cleared when it is due leaves no goroutine", wrong: "the timer's goroutine hangs",
		test: func(t *testing.T, make maker) {
			before := len(leakcheck.Left(0))
			loop := make(config{})
			loop.Run(func(vm *goja.Runtime) {
				_ = vm.Set("sleep", func() { time.Sleep(5 * time.Millisecond) }) // the timer falls due
				script(t, vm, `const t = setTimeout(() => {}, 1); sleep(); clearTimeout(t)`)
			})
			expectGoroutines(t, before)
		}},
}

// expectGoroutines fails the test if there are more goroutines than before, and stay.
func expectGoroutines(t *testing.T, before int) {
	t.Helper()
	end := time.Now().Add(deadline)
	for pause := time.Millisecond; ; pause *= 2 { // a goroutine that has done its work still has to be scheduled to end
		left := leakcheck.Left(0)
		if len(left) <= before {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d goroutines before, %d after:\n%s", before, len(left), left[0])
		}
		time.Sleep(pause)
	}
}
