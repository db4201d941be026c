package promise_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/promise"
)

// run calls body on a loop and returns when nothing is left to do.
func run(body func(loop *eventloop.Loop), opts ...eventloop.Option) {
	loop := eventloop.New(append(opts, eventloop.WithAutoExit())...)
	check(loop.Submit(func() { body(loop) }))
	check(loop.Run(context.Background()))
}

// show prints how a promise settles.
func show[T any](name string, p *promise.Promise[T]) {
	promise.Then(p, func(v T) (T, error) {
		fmt.Println(name, "fulfilled:", v)
		return v, nil
	}).Catch(func(err error) (v T, _ error) {
		fmt.Println(name, "rejected:", err)
		return v, nil
	})
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

func Example() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	text := promise.Promisify(ctx, loop, func(context.Context) (string, error) {
		return "42", nil // may block: this is another goroutine
	})
	number := promise.Then(text, strconv.Atoi) // on the loop
	fmt.Println(number.Wait(ctx))

	check(loop.Shutdown(ctx))
	// Output: 42 <nil>
}

func ExampleThen() {
	run(func(loop *eventloop.Loop) {
		p := promise.Resolve(loop, "7")
		n := promise.Then(p, strconv.Atoi)
		show("square", promise.Then(n, func(n int) (int, error) { return n * n, nil }))
	})
	// Output: square fulfilled: 49
}

func ExampleThenPromise() {
	run(func(loop *eventloop.Loop) {
		lookUp := func(name string) *promise.Promise[int] { return promise.Resolve(loop, len(name)) }
		show("length", promise.ThenPromise(promise.Resolve(loop, "gopher"), lookUp))
	})
	// Output: length fulfilled: 6
}

func ExamplePromise_Catch() {
	run(func(loop *eventloop.Loop) {
		n := promise.Then(promise.Resolve(loop, "seven"), strconv.Atoi)
		show("number", n.Catch(func(error) (int, error) { return -1, nil }))
	})
	// Output: number fulfilled: -1
}

func ExamplePromise_Finally() {
	run(func(loop *eventloop.Loop) {
		p := promise.Reject[int](loop, errors.New("no luck"))
		show("attempt", p.Finally(func() {
			r, _ := p.Result() // p is settled here
			fmt.Println("clean up after:", r.Err)
		}))
	})
	// Output:
	// clean up after: no luck
	// attempt rejected: no luck
}

func ExamplePromise_Result() {
	loop := eventloop.New()
	p, r := promise.WithResolvers[int](loop)
	fmt.Println(p.Result())
	r.Resolve(1)
	fmt.Println(p.Result())
	// Output:
	// {0 <nil>} false
	// {1 <nil>} true
}

func ExamplePromise_Loop() {
	loop := eventloop.New()
	fmt.Println(promise.Resolve(loop, 1).Loop() == loop)
	// Output: true
}

func ExamplePromise_Wait() {
	loop := eventloop.New()
	go func() { check(loop.Run(context.Background())) }()
	p, r := promise.WithResolvers[string](loop)
	go r.Resolve("hello from another goroutine")
	fmt.Println(p.Wait(context.Background()))
	check(loop.Shutdown(context.Background()))
	// Output: hello from another goroutine <nil>
}

func ExamplePromise_Channel() {
	loop := eventloop.New()
	go func() { check(loop.Run(context.Background())) }()
	select {
	case r := <-promise.Resolve(loop, 1).Channel():
		fmt.Println(r.Value, r.Err)
	case <-time.After(time.Minute):
	}
	check(loop.Shutdown(context.Background()))
	// Output: 1 <nil>
}

func ExampleWithResolvers() {
	run(func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[string](loop)
		show("p", p)
		fmt.Println(r.Resolve("first"), r.Resolve("second"))
	})
	// Output:
	// true false
	// p fulfilled: first
}

func ExampleResolver_Follow() {
	run(func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		show("p", p)
		r.Follow(promise.Resolve(loop, 7))
	})
	// Output: p fulfilled: 7
}

func ExampleResolve() {
	run(func(loop *eventloop.Loop) { show("p", promise.Resolve(loop, 1)) })
	// Output: p fulfilled: 1
}

func ExampleReject() {
	run(func(loop *eventloop.Loop) { show("p", promise.Reject[int](loop, errors.New("no"))) })
	// Output: p rejected: no
}

func ExampleTry() {
	run(func(loop *eventloop.Loop) {
		show("p", promise.Try(loop, func() (int, error) { return strconv.Atoi("x") }))
		show("q", promise.Try(loop, func() (int, error) { panic("a bug") }))
	})
	// Output:
	// p rejected: strconv.Atoi: parsing "x": invalid syntax
	// q rejected: eventloop: callback panicked: a bug
}

func ExampleAll() {
	run(func(loop *eventloop.Loop) {
		show("all", promise.All(loop, promise.Resolve(loop, 1), promise.Resolve(loop, 2)))
	})
	// Output: all fulfilled: [1 2]
}

func ExampleAllSettled() {
	run(func(loop *eventloop.Loop) {
		show("all", promise.AllSettled(loop, promise.Resolve(loop, 1), promise.Reject[int](loop, errors.New("no"))))
	})
	// Output: all fulfilled: [{1 <nil>} {0 no}]
}

func ExampleRace() {
	run(func(loop *eventloop.Loop) {
		slow, _ := promise.WithResolvers[string](loop)
		show("race", promise.Race(loop, slow, promise.Resolve(loop, "the hare")))
	})
	// Output: race fulfilled: the hare
}

func ExampleAny() {
	run(func(loop *eventloop.Loop) {
		no := promise.Reject[int](loop, errors.New("no"))
		show("any", promise.Any(loop, no, promise.Resolve(loop, 2)))
		show("none", promise.Any(loop, no, no))
	})
	// Output:
	// any fulfilled: 2
	// none rejected: promise: all 2 promises were rejected, the first with: no
}

func ExampleOn() {
	ctx := context.Background()
	here, there := eventloop.New(), eventloop.New()
	go func() { check(here.Run(ctx)) }()
	go func() { check(there.Run(ctx)) }()
	p := promise.Resolve(there, 1)
	q := promise.Then(promise.On(here, p), func(v int) (bool, error) { return adapter.Of(here).OnLoop(), nil })
	fmt.Println(q.Wait(ctx))
	check(errors.Join(here.Shutdown(ctx), there.Shutdown(ctx)))
	// Output: true <nil>
}

func ExamplePromisify() {
	run(func(loop *eventloop.Loop) {
		ctx, cancel := context.WithCancel(context.Background())
		p := promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) {
			<-ctx.Done() // something that blocks
			return 0, ctx.Err()
		})
		show("work", p)
		cancel()
	})
	// Output: work rejected: context canceled
}

func ExampleSleep() {
	run(func(loop *eventloop.Loop) {
		start := time.Now()
		promise.Then(promise.Sleep(context.Background(), loop, time.Millisecond), func(struct{}) (int, error) {
			fmt.Println(time.Since(start) >= time.Millisecond)
			return 0, nil
		})
	})
	// Output: true
}

func ExampleWithUnhandledRejection() {
	run(func(loop *eventloop.Loop) {
		promise.Reject[int](loop, errors.New("nobody listens"))
	}, promise.WithUnhandledRejection(func(r *promise.Rejection) {
		fmt.Println("unhandled:", r.Err)
	}))
	// Output: unhandled: nobody listens
}

func ExampleTraceCreation() {
	promise.TraceCreation(true)
	defer promise.TraceCreation(false)
	run(func(loop *eventloop.Loop) {
		promise.Reject[int](loop, errors.New("no"))
	}, promise.WithUnhandledRejection(func(r *promise.Rejection) {
		fmt.Println(r.Err, r.Stack() != "")
	}))
	// Output: no true
}

// celsius is a thenable: a value that a dynamic promise waits for.
type celsius struct{ degrees float64 }

func (c celsius) Then(r promise.DynamicResolver) error {
	r.Resolve(c.degrees*9/5 + 32)
	return nil
}

func ExampleResolveDynamic() {
	run(func(loop *eventloop.Loop) {
		show("fahrenheit", promise.ResolveDynamic(loop, celsius{100}).Promise())
	})
	// Output: fahrenheit fulfilled: 212
}

func ExampleRejectDynamic() {
	run(func(loop *eventloop.Loop) {
		promise.RejectDynamic(loop, 404).Catch(func(err error) (any, error) {
			fmt.Println(promise.Reason(err))
			return nil, nil
		})
	})
	// Output: 404
}

func ExampleWithDynamicResolver() {
	run(func(loop *eventloop.Loop) {
		d, r := promise.WithDynamicResolver(loop)
		show("d", d.Promise())
		r.Resolve(promise.Resolve(loop, "followed"))
	})
	// Output: d fulfilled: followed
}

func ExampleDynamic_Then() {
	run(func(loop *eventloop.Loop) {
		d := promise.ResolveDynamic(loop, 1).Then(func(v any) (any, error) {
			return promise.ResolveDynamic(loop, v.(int)+1), nil // a promise is followed
		}, nil)
		show("d", d.Promise())
	})
	// Output: d fulfilled: 2
}

func ExampleDynamic_Finally() {
	run(func(loop *eventloop.Loop) {
		d := promise.ResolveDynamic(loop, 1).Finally(func() (any, error) {
			return promise.ResolveDynamic(loop, "waited for, then dropped"), nil
		})
		show("d", d.Promise())
	})
	// Output: d fulfilled: 1
}

func ExampleThrow() {
	run(func(loop *eventloop.Loop) {
		promise.ResolveDynamic(loop, 1).Then(func(any) (any, error) {
			return nil, promise.Throw("not an error value")
		}, nil).Catch(func(err error) (any, error) {
			fmt.Println(promise.Reason(err))
			return nil, nil
		})
	})
	// Output: not an error value
}

func ExampleReason() {
	err := errors.New("an error is its own reason")
	fmt.Println(promise.Reason(promise.Throw(42)), promise.Reason(promise.Throw(err)))
	// Output: 42 an error is its own reason
}
