package cookbook

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// A cache loads each key once, however many ask for it meanwhile. An error is not kept.
type cache struct {
	loop  *eventloop.Loop
	load  func(ctx context.Context, key string) (string, error) // blocks
	pages map[string]*promise.Promise[string]                   // the loop's
}

// get is called on the loop.
func (c *cache) get(key string) *promise.Promise[string] {
	if page, ok := c.pages[key]; ok {
		return page
	}
	page := promise.Promisify(context.Background(), c.loop, func(ctx context.Context) (string, error) { return c.load(ctx, key) })
	c.pages[key] = page
	return page.Finally(func() {
		if r, _ := page.Result(); r.Err != nil {
			delete(c.pages, key)
		}
	})
}

func Example_once() {
	ctx := context.Background()
	loop := eventloop.New()
	go func() { check(loop.Run(ctx)) }()

	var loads atomic.Int32
	c := &cache{loop: loop, pages: map[string]*promise.Promise[string]{}}
	c.load = func(_ context.Context, key string) (string, error) { loads.Add(1); return "page " + key, nil }

	var asked []*promise.Promise[string]
	check(loop.Do(ctx, func() { asked = append(asked, c.get("a"), c.get("b"), c.get("a")) }))
	fmt.Println(promise.All(loop, asked...).Wait(ctx))
	fmt.Println("loads", loads.Load())
	check(loop.Shutdown(ctx))
	// Output:
	// [page a page b page a] <nil>
	// loads 2
}
