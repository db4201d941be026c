//go:build explore

package promise_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/promise"
)

// A coroutine runs in the name of the loop's goroutine. It ends exactly once, before Run returns, whenever its
// context ends, its promise settles or the loop closes.
func TestExploreTheEndsOfACoroutine(t *testing.T) {
	ran, failure := explore.Random(1, 300, func() {
		loop := eventloop.New()
		p, r := promise.WithResolvers[int](loop)
		starts, ends := 0, 0
		promise.Spawn(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
			starts++
			defer func() { ends++ }()
			if v, err := promise.Await(c, p); v != 1 && err != eventloop.ErrLoopTerminated {
				explore.Fail("Await: %v, %v", v, err)
			}
			runtime.Goexit()
			return 0, nil
		})
		explore.Go(func() { r.Resolve(1) })
		explore.Go(func() { explore.Point("close"); _ = loop.Close() })
		_ = loop.Run(context.Background())
		if starts != ends {
			explore.Fail("it has started %d times and ended %d", starts, ends)
		}
	})
	if failure != nil {
		t.Fatalf("schedule %d: %s: %s", ran, failure.Kind, failure.Message)
	}
}
