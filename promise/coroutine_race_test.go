//go:build race

package promise_test

import (
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// The coroutine waits meanwhile, so the race detector itself has nothing to say.
func TestAwaitOnAnotherGoroutineWhileTheCoroutineRunsPanics(t *testing.T) {
	onALoop(t, func(loop *eventloop.Loop) {
		p := promise.Resolve(loop, 1)
		start(loop, func(c *promise.Coroutine) {
			said := make(chan any)
			go func() {
				defer func() { said <- recover() }()
				_, _ = promise.Await(c, p)
			}()
			if v, _ := (<-said).(string); !strings.Contains(v, "outside its coroutine") {
				t.Errorf("Await on another goroutine: %q", v)
			}
		})
	})
}
