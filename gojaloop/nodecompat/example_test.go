package nodecompat_test

import (
	"errors"
	"fmt"
	"log"
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
		if err := vm.Set("print", func(s string) { fmt.Println(s) }); err != nil {
			log.Println(err)
		}
		_, err := vm.RunString(`
			setTimeout(() => print("timer"), 5);
			setImmediate(() => print("immediate"));
			Promise.resolve().then(() => print("promise"));
			print("script")`)
		if err != nil {
			log.Println(err)
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
		doneErr := vm.Set("done", func(s string) { go func() { done <- s }() })
		lookUpErr := vm.Set("lookUp", func(key string) *goja.Promise {
			p, resolve, _ := vm.NewPromise()
			go func() { // somewhere else, for as long as it takes
				value := "value of " + key
				loop.RunOnLoop(func(*goja.Runtime) {
					if err := resolve(value); err != nil {
						log.Println(err)
					}
				})
			}()
			return p
		})
		_, err := vm.RunString(`lookUp("key").then(done)`)
		if err := errors.Join(doneErr, lookUpErr, err); err != nil {
			log.Println(err)
		}
	})
	fmt.Println(<-done)
	// Output: value of key
}

// A loop can be stopped and started again: pending timers and functions wait.
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
		setErr := vm.Set("fail", func() { panic("no such device") })
		_, err := vm.RunString(`setTimeout(() => fail(), 1)`)
		if err := errors.Join(setErr, err); err != nil {
			log.Println(err)
		}
	})
	defer func() { fmt.Println("recovered:", recover()) }()
	loop.StartInForeground()
	// Output: recovered: no such device
}
