package promise_test

import (
	"errors"
	"fmt"
	"io"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func ExampleResolver_Resolve() {
	run(func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		show("p", p)
		fmt.Println(r.Resolve(1), r.Resolve(2)) // the first call decides
	})
	// Output:
	// true false
	// p fulfilled: 1
}

func ExampleResolver_Reject() {
	run(func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		show("p", p)
		r.Reject(io.EOF)
	})
	// Output: p rejected: EOF
}

func ExampleAggregateError() {
	run(func(loop *eventloop.Loop) {
		none := promise.Any(loop, promise.Reject[int](loop, io.EOF), promise.Reject[int](loop, io.ErrClosedPipe))
		none.Catch(func(err error) (int, error) {
			var all *promise.AggregateError
			fmt.Println(errors.As(err, &all), errors.Is(err, io.ErrClosedPipe)) // it unwraps to each
			return 0, nil
		})
	})
	// Output: true true
}

func ExampleDynamic_Catch() {
	run(func(loop *eventloop.Loop) {
		d := promise.RejectDynamic(loop, "any value may be a reason").Catch(func(err error) (any, error) {
			return promise.Reason(err), nil
		})
		show("d", d.Promise())
	})
	// Output: d fulfilled: any value may be a reason
}

func ExampleDynamic_Promise() {
	run(func(loop *eventloop.Loop) {
		typed := promise.Then(promise.ResolveDynamic(loop, 20).Promise(), func(v any) (int, error) { return v.(int) + 1, nil })
		show("typed", typed)
	})
	// Output: typed fulfilled: 21
}

func ExampleDynamicResolver_Resolve() {
	run(func(loop *eventloop.Loop) {
		d, r := promise.WithDynamicResolver(loop)
		show("d", d.Promise())
		r.Resolve(promise.ResolveDynamic(loop, "followed"))
	})
	// Output: d fulfilled: followed
}

func ExampleDynamicResolver_Reject() {
	run(func(loop *eventloop.Loop) {
		d, r := promise.WithDynamicResolver(loop)
		show("d", d.Promise())
		r.Reject(io.EOF)
	})
	// Output: d rejected: EOF
}
