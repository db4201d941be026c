package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// onLoop makes a runtime, calls fn on its loop, and runs that until nothing is left.
func onLoop(t *testing.T, fn func(rt *gojaloop.Runtime), opts ...gojaloop.Option) *gojaloop.Runtime {
	t.Helper()
	loop := eventloop.New(eventloop.WithAutoExit())
	rt := gojaloop.New(loop, opts...)
	if err := loop.Submit(func() { fn(rt) }); err != nil {
		t.Fatal(err)
	}
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return rt
}

func TestCallHasPromiseJobsRunWhenAScriptReturns(t *testing.T) {
	var got []string
	onLoop(t, func(rt *gojaloop.Runtime) {
		ok := rt.Call(func(vm *goja.Runtime) {
			_ = vm.Set("log", func(s string) { got = append(got, s) })
			for _, src := range []string{
				`Promise.resolve().then(() => log("job")); process.nextTick(log, "tick"); log("script")`,
				`Promise.reject("rejection"); process.on("unhandledRejection", log); log("second script")`,
			} {
				if _, err := vm.RunString(src); err != nil {
					t.Error(err)
				}
				got = append(got, "Go")
			}
		})
		if !ok {
			t.Error("Call says that the runtime has stopped")
		}
		got = append(got, "after Call")
	})
	want := []string{"script", "job", "Go", "second script", "Go", "tick", "rejection", "after Call"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPanicPassesThroughCallAndLeavesTheRuntimeAsItIs(t *testing.T) {
	made := errors.New("made by the test")
	onLoop(t, func(rt *gojaloop.Runtime) {
		func() {
			defer func() {
				if v := recover(); v != made {
					t.Errorf("Call panicked with %v, want %v", v, made)
				}
			}()
			rt.Call(func(vm *goja.Runtime) {
				_ = vm.Set("fail", func() { panic(made) })
				_, _ = vm.RunString(`[1].map(() => fail())`)
			})
		}()
		var v goja.Value
		if !rt.Call(func(vm *goja.Runtime) { v, _ = vm.RunString(`let n = 0; Promise.resolve().then(() => { n++ }); n`) }) {
			t.Error("the runtime has stopped")
		}
		rt.Call(func(vm *goja.Runtime) { v, _ = vm.RunString(`n`) })
		if v == nil || v.ToInteger() != 1 {
			t.Errorf("a promise job ran %v times after the panic, want once", v)
		}
	})
}

func TestStopIsReported(t *testing.T) {
	for src, want := range map[string]error{
		`process.exit(0)`:                      nil,
		`process.exit(3)`:                      &gojaloop.ExitError{},
		`setTimeout(() => process.exit(3), 1)`: &gojaloop.ExitError{},
		`setTimeout(() => fail(), 1)`:          &gojaloop.EngineError{},
		`process.on("uncaughtException", () => { throw 2 }); setImmediate(() => { throw 1 })`: &gojaloop.UncaughtError{},
	} {
		reports := 0
		rt := onLoop(t, func(rt *gojaloop.Runtime) {
			rt.Call(func(vm *goja.Runtime) {
				_ = vm.Set("fail", func() { panic("made by the test") })
				_, _ = vm.RunString(src) // process.exit interrupts it
			})
		}, gojaloop.WithStop(func(err error) {
			reports++
			if reflect.TypeOf(err) != reflect.TypeOf(want) {
				t.Errorf("%s: reported was %v", src, err)
			}
		}))
		if reports != 1 {
			t.Errorf("%s: %d reports, want one", src, reports)
		}
		if rt.Call(func(*goja.Runtime) { t.Errorf("%s: a function ran in a stopped runtime", src) }) {
			t.Errorf("%s: Call says that the runtime has not stopped", src)
		}
	}
}

func TestStackOverflowOutsideAProgramIsReportedAndNotTheEnd(t *testing.T) {
	var reported []error
	after := false
	onLoop(t, func(rt *gojaloop.Runtime) {
		rt.Call(func(vm *goja.Runtime) {
			_ = vm.Set("after", func() { after = true })
			_, _ = vm.RunString(`const f = () => 1 + f(); setTimeout(f, 1); setTimeout(after, 2)`)
		})
	}, gojaloop.WithMaxStack(100), gojaloop.WithUncaught(func(err error) { reported = append(reported, err) }))
	var overflow *goja.StackOverflowError
	if len(reported) != 1 || !errors.As(reported[0], &overflow) || !after {
		t.Errorf("reported was %v; the timer behind it ran: %t", reported, after)
	}
}

func TestRuntimeMovesToAnotherLoop(t *testing.T) {
	var got []string
	rt := onLoop(t, func(rt *gojaloop.Runtime) {
		rt.Call(func(vm *goja.Runtime) {
			_ = vm.Set("log", func(s string) { got = append(got, s) })
			if _, err := vm.RunString(`setTimeout(() => { log("timer"); Promise.resolve("promise").then(log) }, 1).unref()`); err != nil {
				t.Error(err)
			}
		})
	})
	if len(got) > 0 {
		t.Fatalf("%q ran, though nothing kept the loop open", got)
	}
	second := eventloop.New(eventloop.WithAutoExit())
	if err := rt.Move(second); err != nil {
		t.Fatal(err)
	}
	if err := rt.Run(context.Background(), `setTimeout(log, 20, "program")`); err != nil {
		t.Error(err)
	}
	if want := []string{"timer", "promise", "program"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRuntimeWithAnOperationUnderWayDoesNotMove(t *testing.T) {
	release := make(chan struct{})
	onLoop(t, func(rt *gojaloop.Runtime) {
		rt.Call(func(vm *goja.Runtime) {
			_ = vm.Set("wait", rt.Async(func(context.Context, []any) (any, error) { <-release; return nil, nil }))
			if _, err := vm.RunString(`wait()`); err != nil {
				t.Error(err)
			}
		})
		if err := rt.Move(eventloop.New()); !errors.Is(err, gojaloop.ErrRunning) {
			t.Errorf("Move returned %v, want %v", err, gojaloop.ErrRunning)
		}
		close(release)
	})
}

// A script gets a copy of the result of an asynchronous function: Go code may go on to use its own.
func TestResultsOfAsyncAreCopies(t *testing.T) {
	type pair struct {
		A int
		B []string `json:"b"`
	}
	shared := map[string]any{"list": []int{1, 2}, "n": 1, "p": &pair{A: 1, B: []string{"x"}}, "nothing": nil}
	data := []byte{1, 2}
	rt := running(t, ``)
	if err := rt.Do(t.Context(), func(vm *goja.Runtime) error {
		return errors.Join(
			vm.Set("get", rt.Async(func(context.Context, []any) (any, error) { return shared, nil })),
			vm.Set("bytes", rt.Async(func(context.Context, []any) (any, error) { return data, nil })),
			vm.Set("live", rt.Async(func(context.Context, []any) (any, error) { return gojaloop.Live(shared), nil })),
			vm.Set("bad", rt.Async(func(context.Context, []any) (any, error) { return make(chan int), nil })))
	}); err != nil {
		t.Fatal(err)
	}
	v, err := rt.Eval(t.Context(), `(async () => {
		const o = await get(), b = new Uint8Array(await bytes());
		const seen = [JSON.stringify(o), Object.getPrototypeOf(o) === Object.prototype, Array.isArray(o.list), b.join()];
		o.n = 7; o.list[0] = 9; o.p.A = 8; o.extra = 1; delete o.nothing; b[0] = 9;
		(await live()).marked = true;
		return seen.concat(await bad().catch((e) => e.name)).join(' ');
	})()`)
	if want := `{"list":[1,2],"n":1,"nothing":null,"p":{"A":1,"b":["x"]}} true true 1,2 Error`; err != nil || v != want {
		t.Errorf("%v, %v", v, err)
	}
	if got := fmt.Sprint(shared["list"], shared["n"], shared["p"].(*pair).A, shared["extra"], shared["marked"], data); got != "[1 2] 1 1 <nil> true [1 2]" {
		t.Errorf("Go's values are now %s", got)
	}
}
