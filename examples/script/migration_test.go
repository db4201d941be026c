package main

import (
	"context"
	"fmt"

	"github.com/dop251/goja"
	"github.com/dop251/goja_nodejs/eventloop"
	product "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
	"github.com/eventloop-go/eventloop/gojaloop/nodecompat"
)

const greet = `
	setTimeout(() => print("timer"), 50)
	fetchUser(7).then((name) => print(name))
`

func show(text string) { fmt.Println(text) }

func Example_nodejsBefore() {
	loop := eventloop.NewEventLoop(eventloop.EnableConsole(false))
	loop.Run(func(vm *goja.Runtime) {
		check(vm.Set("print", show))
		check(vm.Set("fetchUser", func(id int) *goja.Promise {
			p, resolve, _ := vm.NewPromise()
			keep := loop.SetInterval(func(*goja.Runtime) {}, 1<<40) // or Run ends before the answer
			go func() {
				name := fmt.Sprint("user ", id) // slow work, away from the loop
				loop.RunOnLoop(func(*goja.Runtime) {
					loop.ClearInterval(keep)
					check(resolve(name))
				})
			}()
			return p
		}))
		_, err := vm.RunString(greet)
		check(err)
	})
	// Output:
	// user 7
	// timer
}

func Example_nodejsAfter() {
	rt := gojaloop.New(product.New())
	fetchUser := rt.Async(func(_ context.Context, args []any) (any, error) {
		return fmt.Sprint("user ", args[0]), nil // slow work, away from the loop
	})
	check(rt.RunMain(context.Background(), func(vm *goja.Runtime) error {
		check(vm.Set("print", show))
		check(vm.Set("fetchUser", fetchUser))
		_, err := vm.RunString(greet)
		return err
	}))
	// Output:
	// user 7
	// timer
}

func Example_nodejsSameInterface() {
	loop := nodecompat.NewEventLoop() // was eventloop.NewEventLoop
	loop.Run(func(vm *goja.Runtime) {
		check(vm.Set("print", show))
		_, err := vm.RunString(`setTimeout(() => print("timer"), 1)`)
		check(err)
	})
	// Output: timer
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
