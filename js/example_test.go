package js_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/js"
)

// run runs body as the main script of a loop, until nothing is left to do.
func run(body func(env *js.Env), opts ...eventloop.Option) {
	loop := eventloop.New(append(opts, eventloop.WithAutoExit())...)
	check(loop.Submit(func() { body(js.New(loop)) }))
	if err := loop.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
}

// check logs an error. No example should cause one.
func check(err error) {
	if err != nil {
		log.Println(err)
	}
}

// must is check for a call that also returns a value.
func must[T any](v T, err error) T {
	check(err)
	return v
}

func ExampleEnv_SetTimeout() {
	run(func(env *js.Env) {
		never := must(env.SetTimeout(func() { fmt.Println("never") }, 5))
		must(env.SetTimeout(func() { fmt.Println("timeout") }, 10))
		env.ClearTimeout(never)
		check(env.QueueMicrotask(func() { fmt.Println("microtask") }))
		check(env.NextTick(func() { fmt.Println("nextTick") }))
		must(env.SetImmediate(func() { fmt.Println("immediate") }))
	})
	// Output:
	// nextTick
	// microtask
	// immediate
	// timeout
}

func ExampleEnv_SetInterval() {
	run(func(env *js.Env) {
		var id uint64
		n := 0
		id, _ = env.SetInterval(func() {
			n++
			fmt.Println(n)
			if n == 3 {
				env.ClearInterval(id)
			}
		}, 1)
	})
	// Output:
	// 1
	// 2
	// 3
}

func ExampleEventTarget() {
	run(func(env *js.Env) {
		door := env.NewEventTarget()
		check(door.AddEventListener("knock", js.NewListener(func(e *js.Event) { fmt.Println("who is it?", e.Detail()) })))
		check(door.AddEventListener("knock", js.NewListener(func(e *js.Event) {
			fmt.Println("the first time only")
			e.PreventDefault()
		}), js.WithOnce()))
		for range 2 {
			opened := must(door.DispatchEvent(env.NewCustomEvent("knock", "me", js.WithCancelable())))
			fmt.Println("opened:", opened)
		}
	})
	// Output:
	// who is it? me
	// the first time only
	// opened: false
	// who is it? me
	// opened: true
}

func ExampleWithSignal() {
	run(func(env *js.Env) {
		target, done := env.NewEventTarget(), env.NewAbortController()
		for _, name := range []string{"a", "b"} {
			check(target.AddEventListener("x", js.NewListener(func(*js.Event) { fmt.Println(name) }), js.WithSignal(done.Signal())))
		}
		must(target.DispatchEvent(env.NewEvent("x")))
		check(done.Abort(nil)) // removes both
		must(target.DispatchEvent(env.NewEvent("x")))
	})
	// Output:
	// a
	// b
}

func ExampleAbortController() {
	run(func(env *js.Env) {
		c := env.NewAbortController()
		check(c.Signal().AddEventListener("abort", js.NewListener(func(*js.Event) { fmt.Println("reason:", c.Signal().Reason()) })))
		step := func() error { return c.Signal().ThrowIfAborted() }
		fmt.Println(step())
		check(c.Abort(errors.New("not needed any more")))
		fmt.Println(step())
	})
	// Output:
	// <nil>
	// reason: not needed any more
	// not needed any more
}

// The signal aborts at a timeout or when the user gives up, whichever comes first.
func ExampleEnv_AbortSignalAny() {
	run(func(env *js.Env) {
		user := env.NewAbortController()
		timeout := must(env.AbortSignalTimeout(10))
		signal := env.AbortSignalAny(user.Signal(), timeout)
		check(signal.AddEventListener("abort", js.NewListener(func(*js.Event) {
			fmt.Println(signal.Reason(), errors.Is(signal.Reason(), js.ErrTimeout))
		})))
		must(env.SetTimeout(func() {}, 20)) // a timeout alone does not keep the loop open
	})
	// Output: TimeoutError: The operation was aborted due to timeout true
}

func ExampleEnv_AbortSignalAbort() {
	env := js.New(eventloop.New())
	fmt.Println(env.AbortSignalAbort(nil).Reason())
	// Output: AbortError: This operation was aborted
}

// A signal ends work of Go code that takes a context.
func ExampleAbortSignal_Context() {
	env := js.New(eventloop.New())
	c := env.NewAbortController()
	ctx, cancel := c.Signal().Context(context.Background())
	defer cancel()
	check(c.Abort(errors.New("closed")))
	<-ctx.Done()
	fmt.Println(context.Cause(ctx))
	// Output: closed
}

// A context aborts operations that wait for a signal.
func ExampleEnv_AbortSignalFromContext() {
	loop := eventloop.New()
	env := js.New(loop)
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	signal, stop := env.AbortSignalFromContext(ctx)
	defer stop()
	check(signal.AddEventListener("abort", js.NewListener(func(*js.Event) {
		fmt.Println(signal.Reason())
		_ = loop.Close()
	})))
	if err := loop.Run(context.Background()); !errors.Is(err, eventloop.ErrLoopClosed) {
		check(err)
	}
	// Output: context deadline exceeded
}

func ExamplePerformance_Measure() {
	p := js.New(eventloop.New()).NewPerformance()
	must(p.Mark("parsed", js.WithStartTime(2)))
	must(p.Mark("run", js.WithStartTime(5)))
	must(p.Measure("parsing", js.WithEndMark("parsed")))
	must(p.Measure("compiling", js.WithStartMark("parsed"), js.WithEndMark("run"), js.WithDetail("main.js")))
	for _, e := range p.GetEntriesByType("measure") {
		fmt.Println(e.Name, e.StartTime, e.Duration, e.Detail)
	}
	_, err := p.Measure("linking", js.WithStartMark("linked"))
	fmt.Println(err)
	p.ClearMarks()
	p.ClearMeasures("parsing")
	fmt.Println(len(p.GetEntries()))
	// Output:
	// parsing 0 2 <nil>
	// compiling 2 3 main.js
	// SyntaxError: The "linked" performance mark has not been set
	// 1
}

func ExamplePerformance_EventLoopUtilization() {
	run(func(env *js.Env) {
		p := env.NewPerformance()
		before := p.EventLoopUtilization()
		must(env.SetTimeout(func() {
			during := p.EventLoopUtilization().Since(before)
			fmt.Println(during.Idle+during.Active >= 50*time.Millisecond, during.Utilization > 0)
		}, 50))
	}, inspect.WithMetrics())
	// Output: true true
}

func ExamplePerformance_MonitorEventLoopDelay() {
	run(func(env *js.Env) {
		delay := must(env.NewPerformance().MonitorEventLoopDelay(1))
		must(delay.Enable())
		must(env.SetTimeout(func() { time.Sleep(20 * time.Millisecond) }, 5)) // keeps the loop busy
		var look func()
		look = func() {
			if delay.Count() < 5 {
				must(env.SetTimeout(look, 5))
				return
			}
			delay.Disable()
			p50 := must(delay.Percentile(50))
			fmt.Println(delay.Max() >= 20*time.Millisecond, p50 > 0)
		}
		must(env.SetTimeout(look, 30))
	})
	// Output: true true
}
