package cookbook

import (
	"context"
	"errors"
	"fmt"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_first() {
	loop := eventloop.New()
	go func() { check(loop.Run(context.Background())) }()

	ctx, cancel := context.WithCancel(context.Background())
	ask := func(mirror string) *promise.Promise[string] {
		return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) {
			switch mirror {
			case "broken":
				return "", errors.New("connection refused")
			case "slow":
				<-ctx.Done() // cancelled when another has answered
				return "", ctx.Err()
			}
			return "answer of " + mirror, nil
		})
	}
	first := promise.Any(loop, ask("slow"), ask("broken"), ask("fast")).Finally(cancel)
	fmt.Println(first.Wait(context.Background()))
	check(loop.Shutdown(context.Background()))
	// Output: answer of fast <nil>
}
