package cookbook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func Example_afterFuncBefore() {
	var mu sync.Mutex
	sessions := map[string]bool{"ann": true}
	expired := make(chan struct{})

	timer := time.AfterFunc(time.Millisecond, func() { // runs on a goroutine of its own
		mu.Lock()
		defer mu.Unlock()
		delete(sessions, "ann")
		close(expired)
	})
	defer timer.Stop()

	<-expired
	mu.Lock()
	fmt.Println(len(sessions), "sessions")
	mu.Unlock()
	// Output: 0 sessions
}

func Example_afterFuncAfter() {
	loop := eventloop.New(eventloop.WithAutoExit())
	sessions := map[string]bool{"ann": true} // the loop's

	timer, err := loop.ScheduleTimer(time.Millisecond, func() { // runs on the loop
		delete(sessions, "ann")
		fmt.Println(len(sessions), "sessions")
	})
	check(err)
	defer timer.Stop()

	check(loop.Run(context.Background()))
	// Output: 0 sessions
}

func Example_selectBefore() {
	adds, asks := make(chan int), make(chan chan int)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		total := 0 // this goroutine's
		report := time.NewTicker(time.Hour)
		defer report.Stop()
		for {
			select {
			case n := <-adds:
				total += n
			case reply := <-asks:
				reply <- total
			case <-report.C:
				fmt.Println("report", total)
			case <-ctx.Done():
				return
			}
		}
	}()

	adds <- 1
	adds <- 2
	reply := make(chan int)
	asks <- reply
	fmt.Println(<-reply)
	cancel()
	<-done
	// Output: 3
}

func Example_selectAfter() {
	ctx, cancel := context.WithCancel(context.Background())
	loop := eventloop.New()
	go func() { _ = loop.Run(ctx) }() // returns the error of ctx
	total := 0                        // the loop's
	schedule(loop.ScheduleRepeating(time.Hour, func() { fmt.Println("report", total) }))

	check(loop.Submit(func() { total += 1 }))
	check(loop.Submit(func() { total += 2 }))
	fmt.Println(eventloop.Call(ctx, loop, func() (int, error) { return total, nil }))
	cancel()
	<-loop.Done()
	// Output: 3 <nil>
}

func Example_errgroupBefore() {
	ctx := context.Background()
	load := func(_ context.Context, id int) (string, error) { return fmt.Sprint("user ", id), nil }

	ids := []int{1, 2, 3}
	users := make([]string, len(ids))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for i, id := range ids {
		group.Go(func() (err error) {
			users[i], err = load(ctx, id)
			return err
		})
	}
	err := group.Wait()
	fmt.Println(users, err)
	// Output: [user 1 user 2 user 3] <nil>
}

func Example_errgroupAfter() {
	ctx := context.Background()
	load := func(_ context.Context, id int) (string, error) { return fmt.Sprint("user ", id), nil }
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	ids := []int{1, 2, 3}
	users, err := promise.Map(ctx, loop, 2, ids, func(ctx context.Context, id int) *promise.Promise[string] {
		return promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) { return load(ctx, id) })
	}).Wait(ctx)
	fmt.Println(users, err)
	check(loop.Shutdown(ctx))
	// Output: [user 1 user 2 user 3] <nil>
}

func Example_asyncAwait() {
	run := func(ctx context.Context, loop *eventloop.Loop) *promise.Promise[string] {
		return promise.Spawn(ctx, loop, func(c *promise.Coroutine) (name string, err error) { // async function
			defer func() { // try … finally
				fmt.Println("finally")
			}()
			if _, err := promise.Await(c, promise.Sleep(ctx, loop, time.Millisecond)); err != nil { // await sleep(1)
				return "", err
			}
			name, err = promise.Await(c, promise.Reject[string](loop, errors.New("no name")))
			if err != nil { // catch
				name = "anonymous"
			}
			return name, nil
		})
	}

	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()
	fmt.Println(run(ctx, loop).Wait(ctx))
	check(loop.Shutdown(ctx))
	// Output:
	// finally
	// anonymous <nil>
}
