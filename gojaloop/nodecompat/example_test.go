package nodecompat_test

import (
	"fmt"
	"time"

	"github.com/dop251/goja"
	// The import of before:
	//
	//	"github.com/dop251/goja_nodejs/eventloop"
	eventloop "github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

// A program changes over by its import alone.
func Example() {
	loop := eventloop.NewEventLoop()
	loop.Run(func(vm *goja.Runtime) {
		_ = vm.Set("print", func(s string) { fmt.Println(s) })
		_, err := vm.RunString(`
			setTimeout(() => print("timer"), 5);
			setImmediate(() => print("immediate"));
			Promise.resolve().then(() => print("promise"));
			print("script")`)
		if err != nil {
			fmt.Println(err)
		}
	})
	// Output:
	// script
	// promise
	// immediate
	// timer
}

// Go code settles a promise that a script waits for.
func ExampleEventLoop_RunOnLoop() {
	loop := eventloop.NewEventLoop()
	loop.Start()
	defer loop.Stop()

	done := make(chan string)
	loop.RunOnLoop(func(vm *goja.Runtime) {
		_ = vm.Set("done", func(s string) { go func() { done <- s }() })
		_ = vm.Set("lookUp", func(key string) *goja.Promise {
			p, resolve, _ := vm.NewPromise()
			go func() { // somewhere else, for as long as it takes
				value := "value of " + key
				loop.RunOnLoop(func(*goja.Runtime) { _ = resolve(value) })
			}()
			return p
		})
		if _, err := vm.RunString(`lookUp("key").then(done)`); err != nil {
			fmt.Println(err)
		}
	})
	fmt.Println(<-done)
	// Output: value of key
}

// A loop can be stopped and started again: what is pending waits.
func ExampleEventLoop_Stop() {
	loop := eventloop.NewEventLoop()
	loop.Start()
	loop.SetTimeout(func(*goja.Runtime) { fmt.Println("timer") }, time.Millisecond)
	loop.RunOnLoop(func(*goja.Runtime) {
		fmt.Println("stopping")
		loop.StopNoWait()
	})
	loop.Stop()

	fmt.Println("stopped")
	loop.Run(func(*goja.Runtime) {})
	// Unordered output:
	// stopping
	// stopped
	// timer
}

// Panics of Go functions that scripts call reach the caller of StartInForeground.
func ExampleEventLoop_StartInForeground() {
	loop := eventloop.NewEventLoop()
	loop.RunOnLoop(func(vm *goja.Runtime) {
		_ = vm.Set("fail", func() { panic("no such device") })
		_, _ = vm.RunString(`setTimeout(() => fail(), 1)`)
	})
	defer func() { fmt.Println("recovered:", recover()) }()
	loop.StartInForeground()
	// Output: recovered: no such device
}
