// The memory of the race detector would count as the script's.

//go:build !race

package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/sandbox"
)

// A customer's script sets the price of an order. It cannot stop the server. The program's main function calls
// sandbox.Init first.
func Example() {
	stock := func(_ context.Context, args sandbox.Arguments) (any, error) {
		var item string
		if err := args.Decode(&item); err != nil {
			return nil, err
		}
		return len(item), nil
	}
	pool, err := sandbox.NewPool(sandbox.WithFunction("stock", stock))
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()

	for _, script := range []string{
		`async function price(item) { return 10 * await stock(item) }`,
		`function price(item) { for (const all = [];;) all.push(new Array(1e5)) }`,
		`function price(item) { return item.no.such.thing }`,
	} {
		err := pool.Do(context.Background(), func(s *sandbox.Sandbox) error {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := s.Run(ctx, "price.js", script); err != nil {
				return err
			}
			var price float64
			if err := s.Call(ctx, &price, "price", "tea"); err != nil {
				return err
			}
			fmt.Println("the price is", price)
			return nil
		})
		var limit *sandbox.LimitError
		if errors.As(err, &limit) {
			fmt.Println("stopped, limit:", limit.Limit)
		} else if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// the price is 30
	// stopped, limit: memory
	// TypeError: Cannot read property 'such' of undefined
}
