package nodecompat_test

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/dop251/goja"
)

var errMade = errors.New("made by the test")

var panicking = []behaviour{
	{name: "a panic in the function of Run reaches its caller", test: func(t *testing.T, make maker) {
		loop := make(config{})
		expectPanic(t, func() { loop.Run(func(*goja.Runtime) { panic(errMade) }) })
	}},
	{name: "a panic on the loop reaches the caller of Run", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.RunOnLoop(func(*goja.Runtime) { panic(errMade) })
		expectPanic(t, func() { loop.Run(func(*goja.Runtime) {}) })
	}},
	{name: "a panic in a timer reaches the caller of StartInForeground", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.setTimeout(func(*goja.Runtime) { panic(errMade) }, time.Millisecond)
		expectPanic(t, loop.StartInForeground)
	}},
	{name: "an exception that a function lets through reaches the caller of Run", test: func(t *testing.T, make maker) {
		loop := make(config{})
		v := panicOf(func() { loop.Run(func(vm *goja.Runtime) { panic(vm.ToValue("thrown")) }) })
		if v, ok := v.(goja.Value); !ok || v.String() != "thrown" {
			t.Errorf("Run panicked with %v, want the value thrown", v)
		}
	}},
	{name: "a panic of a Go function that a timer of a script calls", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.RunOnLoop(func(vm *goja.Runtime) {
			_ = vm.Set("fail", func() { panic(errMade) })
			script(t, vm, `setTimeout(() => fail(), 1)`)
		})
		expectPanic(t, loop.StartInForeground)
	}},
	{name: "a panic of a Go function that a promise job calls", test: func(t *testing.T, make maker) {
		loop := make(config{})
		expectPanic(t, func() {
			loop.Run(func(vm *goja.Runtime) {
				_ = vm.Set("fail", func() { panic(errMade) })
				script(t, vm, `setTimeout(() => Promise.resolve().then(() => fail()), 1)`)
			})
		})
	}},
	{name: "an interrupt ends a script and not the loop", test: func(t *testing.T, make maker) {
		loop := make(config{})
		loop.Start()
		var err error
		loop.RunOnLoop(func(vm *goja.Runtime) {
			_ = vm.Set("interrupt", func() { vm.Interrupt("made by the test") })
			_, err = vm.RunString(`interrupt(); for (;;) {}`)
		})
		ran := signal()
		loop.RunOnLoop(func(vm *goja.Runtime) { script(t, vm, "1 + 1"); close(ran) })
		await(t, ran, "the loop goes on")
		loop.Terminate()
		var interrupted *goja.InterruptedError
		if !errors.As(err, &interrupted) {
			t.Errorf("the script ended with %v", err)
		}
	}},
	{name: "exceptions in timers end neither the loop nor the process", test: func(t *testing.T, make maker) {
		quiet(t)
		loop := make(config{})
		loop.Run(func(vm *goja.Runtime) {
			script(t, vm, `
				var called = '';
				setTimeout(() => { throw new Error('made by the test') }, 1);
				Promise.reject(new Error('made by the test'));
				setTimeout(() => called += 'timer', 2)`)
		})
		expectValue(t, loop, "called", "timer")
	}},
	{name: "a stack overflow in a timer does not end the loop", test: func(t *testing.T, make maker) {
		quiet(t)
		loop := make(config{})
		loop.Run(func(vm *goja.Runtime) {
			vm.SetMaxCallStackSize(100)
			script(t, vm, `
				var called = '';
				function overflow() { overflow() }
				setTimeout(overflow, 1);
				setTimeout(() => called += 'timer', 2)`)
		})
		expectValue(t, loop, "called", "timer")
	}},
	{name: "a loop that has panicked is stopped", wrong: "it counts as started for ever: Stop hangs and Run panics",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			var got string
			loop.RunOnLoop(func(*goja.Runtime) { panic(errMade) })
			loop.RunOnLoop(func(*goja.Runtime) { got += "behind the panic" })
			expectPanic(t, func() { loop.Run(func(*goja.Runtime) {}) })
			if got != "" {
				t.Errorf("this ran after the panic: %s", got)
			}
			returns(t, "Stop", func() { loop.Stop() })
			loop.Run(func(*goja.Runtime) { got += "main, " })
			if got != "main, behind the panic" {
				t.Errorf("when it was started again, %q ran", got)
			}
		}},
	{name: "a callback that ends its goroutine stops the loop", wrong: "it counts as started for ever: Stop hangs",
		test: func(t *testing.T, make maker) {
			loop := make(config{})
			ended := signal()
			go func() { // as t.FailNow does in a test
				defer close(ended)
				loop.Run(func(*goja.Runtime) { runtime.Goexit() })
				t.Error("Run returned to a goroutine that had to end")
			}()
			await(t, ended, "the goroutine of Run ends")
			returns(t, "Stop", func() { loop.Stop() })
			returns(t, "Terminate", loop.Terminate)
		}},
}

func expectPanic(t *testing.T, fn func()) {
	t.Helper()
	if v := panicOf(fn); v != errMade {
		t.Errorf("it panicked with %v, want %v", v, errMade)
	}
}
