package cookbook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// crawl visits first and all that is linked from there, and returns the addresses in order: at most parallel requests at the
// same time, and no more than limiter allows.
func crawl(ctx context.Context, loop *eventloop.Loop, parallel int, limiter *rate.Limiter, first string, links func(context.Context, string) ([]string, error)) *promise.Promise[[]string] {
	return promise.Spawn(ctx, loop, func(c *promise.Coroutine) ([]string, error) {
		places, pages := promise.NewSemaphore(parallel), promise.NewQueue[[]string](1)
		seen, left := map[string]bool{}, 0 // only coroutines of this loop use them
		found := []string{first}
		for {
			for _, address := range found {
				if seen[address] {
					continue
				}
				seen[address] = true
				left++
				promise.Go(ctx, loop, func(c *promise.Coroutine) error {
					if err := places.Acquire(c, 1); err != nil {
						return err
					}
					defer places.Release(1)
					if _, err := promise.Await(c, promise.Throttle(ctx, loop, limiter, 1)); err != nil {
						return err
					}
					page := promise.Promisify(ctx, loop, func(ctx context.Context) ([]string, error) { return links(ctx, address) })
					linked, err := promise.Await(c, page)
					if err != nil {
						fmt.Println(address, err)
					}
					return pages.Push(c, linked)
				})
			}
			if left == 0 {
				break
			}
			var err error
			if found, err = pages.Pop(c); err != nil {
				return nil, err
			}
			left--
		}
		addresses := []string{}
		for address := range seen {
			addresses = append(addresses, address)
		}
		slices.Sort(addresses)
		return addresses, nil
	})
}

func Example_crawler() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	site := map[string][]string{"/": {"/a", "/b"}, "/a": {"/", "/b", "/c"}, "/b": nil, "/c": {"/a"}}
	limiter := rate.NewLimiter(rate.Every(time.Millisecond), 2) // a thousand a second, two at once
	all := crawl(ctx, loop, 2, limiter, "/", func(_ context.Context, address string) ([]string, error) { return site[address], nil })
	fmt.Println(all.Wait(ctx))
	check(loop.Shutdown(ctx))
	// Output: [/ /a /b /c] <nil>
}
