package promise_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func ExampleGo() {
	run(func(loop *eventloop.Loop) {
		ctx := context.Background()
		promise.Go(ctx, loop, func(c *promise.Coroutine) error {
			if _, err := promise.Await(c, promise.Sleep(ctx, loop, time.Millisecond)); err != nil {
				return err
			}
			fmt.Println("a millisecond later")
			return nil
		})
	})
	// Output: a millisecond later
}

// Three requests, of which two are under way at the same time.
func ExampleSemaphore() {
	run(func(loop *eventloop.Loop) {
		ctx, places := context.Background(), promise.NewSemaphore(2)
		running := 0
		for range 3 {
			promise.Go(ctx, loop, func(c *promise.Coroutine) error {
				if err := places.Acquire(c, 1); err != nil {
					return err
				}
				defer places.Release(1)
				running++
				fmt.Println("running:", running)
				defer func() { running-- }()
				_, err := promise.Await(c, promise.Sleep(ctx, loop, time.Millisecond))
				return err
			})
		}
	})
	// Output:
	// running: 1
	// running: 2
	// running: 2
}

func ExampleSemaphore_TryAcquire() {
	places := promise.NewSemaphore(1)
	fmt.Println(places.TryAcquire(1), places.TryAcquire(1))
	places.Release(1)
	// Output: true false
}

// A stage that reads faster than the next one writes waits for it.
func ExampleQueue() {
	run(func(loop *eventloop.Loop) {
		ctx, lines := context.Background(), promise.NewQueue[string](2)
		promise.Go(ctx, loop, func(c *promise.Coroutine) error {
			defer lines.Close()
			for line := range strings.Lines("one\ntwo\nthree\nfour") {
				if err := lines.Push(c, strings.TrimSpace(line)); err != nil {
					return err
				}
			}
			return nil
		})
		promise.Go(ctx, loop, func(c *promise.Coroutine) error {
			for line := range lines.All(c) {
				fmt.Println(line)
			}
			return c.Context().Err()
		})
	})
	// Output:
	// one
	// two
	// three
	// four
}

// A goroutine waits for an element: it waits for the promise of a coroutine that calls Pop.
func ExampleQueue_Pop() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()
	q := promise.NewQueue[int](1)
	first := promise.Spawn(ctx, loop, q.Pop)
	fmt.Println(q.TryPush(7))
	fmt.Println(first.Wait(ctx))
	q.Close()
	_, err := promise.Spawn(ctx, loop, q.Pop).Wait(ctx)
	fmt.Println(errors.Is(err, promise.ErrQueueClosed))
	check(loop.Shutdown(ctx))
	// Output:
	// true
	// 7 <nil>
	// true
}

// The limiter is of this test; in a program it is a *rate.Limiter of golang.org/x/time/rate.
func ExampleThrottle() {
	run(func(loop *eventloop.Loop) {
		ctx, limiter := context.Background(), &bucket{period: time.Millisecond}
		promise.Go(ctx, loop, func(c *promise.Coroutine) error {
			start := time.Now()
			for range 3 {
				if _, err := promise.Await(c, promise.Throttle(ctx, loop, limiter, 1)); err != nil {
					return err
				}
			}
			fmt.Println(time.Since(start) >= 2*time.Millisecond)
			return nil
		})
	})
	// Output: true
}

func ExampleMapSeq() {
	run(func(loop *eventloop.Loop) {
		names := slices.Values([]string{"gopher", "crab", "snake"})
		show("lengths", promise.MapSeq(context.Background(), loop, 2, names, func(_ context.Context, name string) *promise.Promise[int] {
			return promise.Resolve(loop, len(name))
		}))
	})
	// Output: lengths fulfilled: [6 4 5]
}

func ExampleMapChan() {
	run(func(loop *eventloop.Loop) {
		numbers := make(chan int)
		go func() {
			defer close(numbers)
			for n := range 4 {
				numbers <- n
			}
		}()
		show("squares", promise.MapChan(context.Background(), loop, 2, numbers, func(_ context.Context, n int) *promise.Promise[int] {
			return promise.Resolve(loop, n*n)
		}))
	})
	// Output: squares fulfilled: [0 1 4 9]
}
