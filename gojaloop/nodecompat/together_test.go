package nodecompat_test

import (
	"testing"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

func TestTicksAndRejectionsOfAFunctionComeBeforeTheNextThatWaits(t *testing.T) {
	loop := makeOurs(config{})
	for _, src := range []string{
		`var got = []; process.on('unhandledRejection', (reason) => got.push(reason))`,
		`process.nextTick(() => { got.push('tick'); Promise.resolve().then(() => got.push('job of the tick')) }); got.push(1)`,
		`got.push(2)`,
		`Promise.reject('rejection'); got.push(3)`,
		`got.push(4)`,
		`process.nextTick(() => got.push('last tick'))`,
	} {
		loop.RunOnLoop(func(vm *goja.Runtime) { script(t, vm, src) })
	}
	loop.Run(func(*goja.Runtime) {})
	expectValue(t, loop, `got.join()`, "1,tick,job of the tick,2,3,rejection,4,last tick")
}

func TestFunctionsBehindOneWhoseScriptExitsDoNotRun(t *testing.T) {
	loop := nodecompat.NewEventLoop()
	loop.RunOnLoop(func(vm *goja.Runtime) { _, _ = vm.RunString(`process.exit(0)`) })
	for range 3 {
		loop.RunOnLoop(func(*goja.Runtime) { t.Error("a function ran behind it") })
	}
	returns(t, "StartInForeground", loop.StartInForeground)
}

func TestFunctionsBehindOneThatPanicsWaitForTheNextRun(t *testing.T) {
	loop := nodecompat.NewEventLoop()
	var got []int
	loop.RunOnLoop(func(*goja.Runtime) { panic("made by the test") })
	for i := range 3 {
		loop.RunOnLoop(func(*goja.Runtime) { got = append(got, i) })
	}
	if v := panicOf(loop.StartInForeground); v != "made by the test" {
		t.Fatalf("StartInForeground panicked with %v", v)
	}
	if len(got) != 0 {
		t.Errorf("functions %v ran in the run that had failed", got)
	}
	loop.Run(func(*goja.Runtime) {})
	if len(got) != 3 || got[0] != 0 || got[1] != 1 || got[2] != 2 {
		t.Errorf("functions %v ran in the next run, want 0, 1 and 2", got)
	}
}
