package cookbook

import (
	"context"
	"fmt"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_twoLoops() {
	ctx := context.Background()
	store, session := eventloop.New(), eventloop.New()
	go func() { check(store.Run(ctx)) }()
	go func() { check(session.Run(ctx)) }()

	prices := map[string]int{"tea": 3} // the store's
	price := func(item string) *promise.Promise[int] {
		answer, resolver := promise.WithResolvers[int](store)
		check(store.Submit(func() { resolver.Resolve(prices[item]) })) // runs on the store's loop
		return answer
	}

	bill := 0 // the session's
	total := promise.Spawn(ctx, session, func(c *promise.Coroutine) (int, error) {
		p, err := promise.Await(c, price("tea")) // the session's loop goes on meanwhile
		bill += p
		return bill, err
	})
	fmt.Println(total.Wait(ctx))
	check(session.Shutdown(ctx))
	check(store.Shutdown(ctx))
	// Output: 3 <nil>
}
