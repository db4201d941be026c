package nodecompat_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

// Goroutines call everything on a loop at the same time. Each function that it has accepted runs once, one at a time,
// and in the end nothing is pending.
func TestAcceptedFunctionsRunOnceWhileTheLoopIsStartedStoppedAndTerminated(t *testing.T) {
	const goroutines, rounds = 6, 300
	loop := nodecompat.NewEventLoop()
	var accepted, inside atomic.Int64
	ran := 0 // only functions on the loop touch it
	fn := func(vm *goja.Runtime) {
		if inside.Add(1) != 1 {
			t.Error("two functions run at the same time")
		}
		ran++
		inside.Add(-1)
	}
	operations := []func(){
		func() {
			if loop.RunOnLoop(fn) {
				accepted.Add(1)
			}
		},
		func() { _ = panicOf(loop.Start) }, // it may be started already
		func() { _ = panicOf(func() { loop.Run(func(*goja.Runtime) {}) }) },
		func() { loop.Stop() },
		loop.StopNoWait,
		loop.Terminate,
		func() {
			loop.ClearTimeout(loop.SetTimeout(func(*goja.Runtime) { t.Error("a cleared timer ran") }, time.Hour))
		},
		func() {
			// A short run must not wait for an interval for ever: the interval clears itself.
			var i *nodecompat.Interval
			ready := make(chan struct{})
			i = loop.SetInterval(func(*goja.Runtime) { <-ready; loop.ClearInterval(i) }, time.Microsecond)
			close(ready)
		},
	}
	returns(t, "every operation", func() {
		var wg sync.WaitGroup
		for g := range goroutines {
			wg.Go(func() {
				for i := range rounds {
					operations[(i*i+g*7+i/5)%len(operations)]()
					operations[0]()
				}
			})
		}
		wg.Wait()
		loop.Terminate()
	})
	if int64(ran) != accepted.Load() {
		t.Errorf("%d functions ran, %d were accepted", ran, accepted.Load())
	}
	if n := loop.Stop(); n != 0 {
		t.Errorf("%d are pending", n)
	}
	loop.Run(func(*goja.Runtime) { ran = -1 })
	if ran != -1 {
		t.Error("the loop cannot be started any more")
	}
}
