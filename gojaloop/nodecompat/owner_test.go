package nodecompat_test

import (
	"sync"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

// More runs exist at a time than there are functions that distinguish runs without a loop. The runs above have a loop
// from the beginning.
func TestStopInACallbackDoesNotWaitHoweverManyRunsThereAre(t *testing.T) {
	const runs = 12
	var inside, ended sync.WaitGroup
	inside.Add(runs)
	for range runs {
		loop := nodecompat.NewEventLoop()
		ended.Go(func() {
			loop.Run(func(*goja.Runtime) {
				inside.Done()
				inside.Wait()
				loop.SetInterval(func(*goja.Runtime) {}, time.Hour)
				loop.Stop()
			})
			if n := loop.Stop(); n != 1 {
				t.Errorf("%d are pending, want 1", n)
			}
		})
	}
	returns(t, "every Run", ended.Wait)
}

func TestStopInACallbackOfAnotherLoopWaits(t *testing.T) {
	outer, inner := nodecompat.NewEventLoop(), nodecompat.NewEventLoop()
	began, release, ran := signal(), signal(), false
	inner.Start()
	inner.RunOnLoop(func(*goja.Runtime) {
		close(began)
		<-release
		ran = true
	})
	await(t, began, "the function begins")
	returns(t, "Run", func() {
		outer.Run(func(*goja.Runtime) {
			nested := nodecompat.NewEventLoop()
			nested.Run(func(*goja.Runtime) {
				nested.Stop()
				outer.Stop()
				close(release)
				inner.Stop()
				if !ran {
					t.Error("Stop has not waited for a loop on another goroutine")
				}
			})
		})
	})
}

func TestStopInACallbackBelowManyFramesDoesNotWait(t *testing.T) {
	loop := nodecompat.NewEventLoop()
	var deep func(n int)
	deep = func(n int) {
		if n > 0 {
			deep(n - 1)
			return
		}
		loop.Stop()
	}
	returns(t, "Run", func() { loop.Run(func(*goja.Runtime) { deep(5000) }) })
}

func TestUnreferencedTimersRunOnALoopThatStays(t *testing.T) {
	loop := nodecompat.NewEventLoop()
	loop.Start()
	ran := signal()
	loop.RunOnLoop(func(vm *goja.Runtime) {
		_ = vm.Set("ran", func() { close(ran) })
		script(t, vm, `setTimeout(ran, 1).unref()`)
	})
	await(t, ran, "the timer runs")
	loop.Terminate()
}

func TestFunctionsThatQueueOthersDoNotHoldTimersUp(t *testing.T) {
	loop := nodecompat.NewEventLoop()
	ended := false
	var again func(*goja.Runtime)
	again = func(*goja.Runtime) {
		if !ended {
			loop.RunOnLoop(again)
		}
	}
	returns(t, "Run", func() {
		loop.Run(func(vm *goja.Runtime) {
			_ = vm.Set("end", func() { ended = true })
			script(t, vm, `setImmediate(end)`)
			loop.RunOnLoop(again)
		})
	})
}

// A script may declare console itself, and give it another value.
func TestConsoleIsLikeAnyGlobal(t *testing.T) {
	loop := makeOurs(config{})
	for _, c := range []struct{ src, want string }{
		{`var console = console || 'none'; typeof console.log`, "function"},
		{`Object.keys(globalThis).includes('console')`, "true"},
		{`console === require('console')`, "true"},
		{`console = 1; var console; console`, "1"},
		{`delete globalThis.console; typeof console`, "undefined"},
	} {
		loop.Run(func(vm *goja.Runtime) {
			if got := script(t, vm, c.src); got != nil && got.String() != c.want {
				t.Errorf("%s is %s, want %s", c.src, got, c.want)
			}
		})
	}
}
