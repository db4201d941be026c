package nodecompat_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/dop251/goja"
)

var running = []behaviour{
	{name: "Run returns when the timers have run", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Run(func(vm *goja.Runtime) {
			script(t, vm, `var called = ''; setTimeout(() => { called += 'a'; setTimeout(() => called += 'b', 2) }, 2)`)
		})
		expectValue(t, loop, "called", "ab")
	}},
	{name: "Run with nothing to do returns", test: func(t *testing.T, make maker) {
		called := false
		returns(t, "Run", func() { make(config{}).Run(func(*goja.Runtime) { called = true }) })
		if !called {
			t.Error("the function was not called")
		}
	}},
	{name: "Run runs functions and timers of before", test: func(t *testing.T, make maker) {
		loop := make(config{})
		var got []string
		loop.RunOnLoop(func(*goja.Runtime) { got = append(got, "function") })
		loop.setTimeout(func(*goja.Runtime) { got = append(got, "timer") }, 0)
		loop.Run(func(*goja.Runtime) { got = append(got, "main") })
		if want := []string{"main", "function", "timer"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}},
	{name: "Run calls functions on the goroutine of its caller", test: func(t *testing.T, make maker) {
		loop := make(config{})
		caller, timer := goroutine(), ""
		loop.Run(func(*goja.Runtime) {
			loop.setTimeout(func(*goja.Runtime) { timer = goroutine() }, time.Millisecond)
		})
		if timer != caller {
			t.Errorf("a timer ran on %s, Run was called on %s", timer, caller)
		}
	}},
	{name: "Start runs until Stop", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		for range 3 {
			ran := signal()
			loop.RunOnLoop(func(*goja.Runtime) { close(ran) })
			await(t, ran, "the function runs")
		}
		if n := loop.Stop(); n != 0 {
			t.Errorf("Stop returned %d, nothing was pending", n)
		}
	}},
	{name: "StartInForeground runs until Stop", test: func(t *testing.T, make maker) {
		loop := make(config{})
		returned, ran := signal(), signal()
		go func() {
			loop.StartInForeground()
			close(returned)
		}()
		loop.RunOnLoop(func(*goja.Runtime) { close(ran) })
		await(t, ran, "the function runs")
		loop.Stop()
		await(t, returned, "StartInForeground returns")
	}},
	{name: "a loop that is started panics if it is started again", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		defer loop.Stop()
		for name, start := range map[string]func(){
			"Start":             loop.Start,
			"StartInForeground": loop.StartInForeground,
			"Run":               func() { loop.Run(func(*goja.Runtime) { t.Error("Run ran its function") }) },
		} {
			if panicOf(start) == nil {
				t.Errorf("%s did not panic", name)
			}
		}
		ran := signal()
		loop.RunOnLoop(func(*goja.Runtime) { close(ran) })
		await(t, ran, "the loop goes on")
	}},
	{name: "functions run in order", test: func(t *testing.T, make maker) {
		loop := make(config{})
		var got []int
		for i := range 5 {
			if !loop.RunOnLoop(func(*goja.Runtime) { got = append(got, i) }) {
				t.Errorf("function %d was refused", i)
			}
		}
		loop.Start()
		for i := 5; i < 3000; i++ {
			loop.RunOnLoop(func(*goja.Runtime) { got = append(got, i) })
		}
		finish(t, loop)
		if len(got) != 3000 || !slices.IsSorted(got) {
			t.Errorf("%d functions ran, in order: %t", len(got), slices.IsSorted(got))
		}
	}},
	{name: "any goroutine may use the loop", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		n := 0
		var producers sync.WaitGroup
		for range 8 {
			producers.Go(func() {
				for range 200 {
					loop.RunOnLoop(func(*goja.Runtime) { n++ })
					loop.clearTimeout(loop.setTimeout(func(*goja.Runtime) { t.Error("a timer of an hour ran") }, time.Hour))
					loop.clearInterval(loop.setInterval(func(*goja.Runtime) { t.Error("an interval of an hour ran") }, time.Hour))
				}
			})
		}
		producers.Wait()
		finish(t, loop)
		if left := loop.Stop(); n != 1600 || left != 0 {
			t.Errorf("%d functions ran of 1600; %d timers are left of none", n, left)
		}
		loop.Terminate()
	}},
	{name: "the last timer may set another", wrong: "Run returns, and the timer waits for the next",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			var got []string
			loop.setTimeout(func(*goja.Runtime) {
				got = append(got, "first")
				loop.setTimeout(func(*goja.Runtime) { got = append(got, "second") }, 0)
			}, 0)
			loop.Run(func(*goja.Runtime) {})
			if want := []string{"first", "second"}; !slices.Equal(got, want) {
				t.Errorf("when Run had returned, these had run: %q, want %q", got, want)
			}
		}},
	{name: "the last timer may queue a function", wrong: "Run returns, and the function waits for the next",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			ran := false
			loop.setTimeout(func(*goja.Runtime) {
				loop.RunOnLoop(func(*goja.Runtime) { ran = true })
			}, 0)
			loop.Run(func(*goja.Runtime) {})
			if !ran {
				t.Error("Run returned before the function had run")
			}
		}},
}

// finish waits until all queued functions have run, and stops the loop.
func finish(t *testing.T, loop subject) {
	t.Helper()
	ran := signal()
	loop.RunOnLoop(func(*goja.Runtime) { close(ran) })
	await(t, ran, "the last function runs")
	loop.Stop()
}
