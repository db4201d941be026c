package gojaloop_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop"
)

// started is a runtime on a loop that runs until stop is called.
func started(opts ...gojaloop.Option) (rt *gojaloop.Runtime, stop func()) {
	loop := eventloop.New()
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()
	return gojaloop.New(loop, opts...), func() {
		if err := errors.Join(loop.Shutdown(context.Background()), <-ended); err != nil {
			log.Println(err)
		}
	}
}

// A Go program calls functions that a script has defined, async ones too.
func ExampleRuntime_CallFunction() {
	rt, stop := started()
	defer stop()
	ctx := context.Background()
	if _, err := rt.Eval(ctx, `const handlers = { async greet(name) { return "hello " + name } }`); err != nil {
		log.Println(err)
	}
	fmt.Println(rt.CallFunction(ctx, "handlers.greet", "world"))
	_, err := rt.CallFunction(ctx, "handlers.leave")
	fmt.Println(err)
	// Output:
	// hello world <nil>
	// gojaloop: not a function: "handlers.leave"
}

// Results become values of Go's types; objects become structs.
func ExampleCall() {
	type order struct {
		Item  string  `json:"item"`
		Price float64 `json:"price"`
	}
	rt, stop := started()
	defer stop()
	ctx := context.Background()
	if _, err := rt.Eval(ctx, `const discount = (order) => ({ ...order, price: order.price * 0.9 })`); err != nil {
		log.Println(err)
	}
	cheaper, err := gojaloop.Call[order](ctx, rt, "discount", order{"book", 20})
	fmt.Println(cheaper, err)
	// Output: {book 18} <nil>
}

// Plug-ins: any number of goroutines call the script, and each call has a runtime of its own.
func ExamplePool() {
	ctx := context.Background()
	plugin := gojaloop.MustCompile("plugin.js", `function onRequest(path) { return "you asked for " + path }`)
	pool, err := gojaloop.NewPool(ctx, gojaloop.PoolConfig{Program: plugin, Size: 4, Timeout: 5 * time.Second})
	if err != nil {
		log.Fatal(err)
	}
	var calls sync.WaitGroup
	for _, path := range []string{"/a", "/b", "/c"} {
		calls.Go(func() { fmt.Println(gojaloop.Call[string](ctx, pool, "onRequest", path)) })
	}
	calls.Wait()
	fmt.Println(pool.Shutdown(ctx), pool.Stats().Uses)
	// Unordered output:
	// you asked for /a <nil>
	// you asked for /b <nil>
	// you asked for /c <nil>
	// <nil> 3
}

// Several calls of one use see the same runtime.
func ExamplePool_Do() {
	ctx := context.Background()
	counter := gojaloop.MustCompile("counter.js", `let n = 0; const add = (d) => n += d`)
	pool, err := gojaloop.NewPool(ctx, gojaloop.PoolConfig{Program: counter})
	if err != nil {
		log.Fatal(err)
	}
	err = pool.Do(ctx, func(ctx context.Context, rt *gojaloop.Runtime) error {
		if _, err := rt.CallFunction(ctx, "add", 2); err != nil {
			return err
		}
		n, err := gojaloop.Call[int](ctx, rt, "add", 3)
		fmt.Println(n)
		return err
	})
	fmt.Println(err, pool.Shutdown(ctx))
	// Output:
	// 5
	// <nil> <nil>
}

// Do runs a function on the loop, where the engine may be used.
func ExampleRuntime_Do() {
	rt, stop := started()
	defer stop()
	err := rt.Do(context.Background(), func(vm *goja.Runtime) error {
		if err := vm.Set("limit", 3); err != nil {
			return err
		}
		v, err := vm.RunString(`Array.from({ length: limit }, (_, i) => i * i).join()`)
		if err == nil {
			fmt.Println(v)
		}
		return err
	})
	fmt.Println(err)
	// Output:
	// 0,1,4
	// <nil>
}

// Eval waits for the promise that a script gives.
func ExampleRuntime_Eval() {
	rt, stop := started()
	defer stop()
	v, err := rt.Eval(context.Background(), `new Promise((resolve) => setTimeout(resolve, 1, { answer: 42 }))`)
	fmt.Println(v, err)
	_, err = rt.Eval(context.Background(), `missing.answer`)
	var thrown *gojaloop.ScriptError
	fmt.Println(errors.As(err, &thrown), err)
	// Output:
	// map[answer:42] <nil>
	// true gojaloop: the script threw ReferenceError: missing is not defined
}

// Await waits for a promise that Go code has got on the loop.
func ExampleRuntime_Await() {
	rt, stop := started()
	defer stop()
	v, err := rt.Await(context.Background(), func(vm *goja.Runtime) (goja.Value, error) {
		if err := vm.Set("name", "world"); err != nil {
			return nil, err
		}
		return vm.RunString(`(async () => "hello " + name)()`)
	})
	fmt.Println(v, err)
	// Output: hello world <nil>
}

// A script is compiled once, and run by as many runtimes as one likes.
func ExampleCompile() {
	prg, err := gojaloop.Compile("greet.js", `console.log("hello from", this.name)`)
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		err := gojaloop.New(eventloop.New()).RunMain(context.Background(), func(vm *goja.Runtime) error {
			if err := vm.Set("name", name); err != nil {
				return err
			}
			_, err := vm.RunProgram(prg)
			return err
		})
		if err != nil {
			log.Println(err)
		}
	}
	_, err = gojaloop.Compile("bad.js", "let = 1;;)")
	fmt.Println(err)
	// Output:
	// hello from one
	// hello from two
	// SyntaxError: bad.js: Line 1:10 Unexpected token )
}
