package cookbook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_timeout() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	stopped := make(chan error, 1)
	report := promise.WithTimeout(ctx, loop, time.Millisecond, func(ctx context.Context) *promise.Promise[string] {
		return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) {
			<-ctx.Done() // a query that takes hours, and honours its context
			stopped <- ctx.Err()
			return "", ctx.Err()
		})
	})
	_, err := report.Wait(ctx)
	fmt.Println(err, errors.Is(err, context.DeadlineExceeded))
	fmt.Println("the query has ended:", <-stopped != nil)
	check(loop.Shutdown(ctx))
	// Output:
	// promise: timeout true
	// the query has ended: true
}
