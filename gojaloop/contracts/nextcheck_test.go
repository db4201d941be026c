package contracts_test

import (
	"context"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// A chain of immediates is run without returning to the loop in between where nothing else waits there.
func TestWhateverWaitsRunsBetweenImmediatesThatSetEachOther(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"nothing":                  {`setImmediate(next)`, "1 2 3"},
		"a task":                   {`setImmediate(next); task()`, "1 task 2 task 3 task"},
		"an internal task":         {`setImmediate(next); internal()`, "1 internal 2 internal 3 internal"},
		"a timer of Go code":       {`setImmediate(next); timer()`, "1 timer 2 timer 3 timer"},
		"a close callback":         {`setImmediate(next); close()`, "1 close 2 close 3 close"},
		"an immediate of Go, then": {`immediate(); setImmediate(next)`, "1 immediate 2 immediate 3 immediate"},
		"an immediate of Go":       {`setImmediate(next); immediate()`, "1 2 immediate 3 immediate immediate"},
		"a tick":                   {`setImmediate(next); process.nextTick(say, 'tick')`, "1 tick 2 tick 3 tick"},
		"a promise job":            {`setImmediate(next); Promise.resolve('job').then(say)`, "1 job 2 job 3 job"},
		"an immediate of another batch": {`setImmediate(say, 'first'); setImmediate(next); setImmediate(say, 'last')`,
			"1 first 2 last first 3 last first last"},
		"an immediate without reference": {`setImmediate(say, 'unreferenced').unref(); setImmediate(next)`,
			"1 unreferenced 2 unreferenced 3 unreferenced"},
		"an exception": {`setImmediate(next); throw 1`, "1 uncaught 2 uncaught 3 uncaught"},
	} {
		t.Run(name, func(t *testing.T) {
			loop := eventloop.New()
			var got []string
			say := func(s string) func() { return func() { got = append(got, s) } }
			rt := gojaloop.New(loop)
			err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
				for name, fn := range map[string]any{
					"say":       func(s string) { got = append(got, s) },
					"task":      func() error { return loop.Submit(say("task")) },
					"internal":  func() error { return loop.SubmitInternal(say("internal")) },
					"close":     func() error { return adapter.Of(loop).ScheduleClose(say("close")) },
					"immediate": func() error { return loop.ScheduleImmediate(say("immediate")) },
					"timer": func() error {
						_, err := loop.ScheduleTimer(0, say("timer"))
						return err
					},
				} {
					if err := vm.Set(name, fn); err != nil {
						return err
					}
				}
				_, err := vm.RunString(`
					process.on('uncaughtException', () => say('uncaught'));
					let n = 0;
					const next = () => { if (n++ < 3) { say(String(n)); ` + c.src + ` } };
					setImmediate(next)`)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("callbacks ran in the order\n%s, want\n%s", s, c.want)
			}
		})
	}
}

func TestAContextEndsImmediatesThatSetEachOther(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	rt := gojaloop.New(eventloop.New())
	n := 0
	err := rt.RunMain(ctx, func(vm *goja.Runtime) error {
		_ = vm.Set("count", func() {
			if n++; n == 1000 {
				cancel()
			}
		})
		_, err := vm.RunString(`(function next() { count(); setImmediate(next) })()`)
		return err
	})
	if _, ok := err.(*gojaloop.InterruptError); !ok || n < 1000 {
		t.Errorf("Run returned %v after %d immediates", err, n)
	}
}

func TestATaskOfAnotherGoroutineRunsAmongImmediatesThatSetEachOther(t *testing.T) {
	loop := eventloop.New()
	rt := gojaloop.New(loop)
	err := rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		stop := false
		_ = vm.Set("stopped", func() bool { return stop })
		go func() { _ = loop.Submit(func() { stop = true }) }()
		_, err := vm.RunString(`(function next() { if (!stopped()) setImmediate(next) })()`)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
