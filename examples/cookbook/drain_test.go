package cookbook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_drain() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	saved := 0 // the loop's
	var pending []*promise.Promise[int]
	for n := range 3 {
		write := promise.Promisify(ctx, loop, func(context.Context) (int, error) { return n, nil })
		pending = append(pending, promise.Then(write, func(int) (int, error) { saved++; return saved, nil }))
	}

	// Shutdown waits for accepted work, not for goroutines: wait for these first.
	grace, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := promise.AllSettled(loop, pending...).Wait(grace)
	check(err)
	check(loop.Submit(func() { fmt.Println("saved", saved) })) // accepted, so it runs
	if err := loop.Shutdown(grace); err != nil {
		check(loop.Close()) // the time is up: drop the rest, which Dropped counts
	}
	fmt.Println(errors.Is(loop.Submit(func() {}), eventloop.ErrLoopTerminated), loop.Dropped().Callbacks())
	// Output:
	// saved 3
	// true 0
}
