//go:build explore

package promise_test

import (
	"context"
	"errors"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/promise"
)

// scenery runs body with two loops and a context. The loops' coroutines share state. At any moment the context may be
// cancelled, and a loop may be closed or shut down.
func scenery(cancels, closes bool, body func(loops [2]*eventloop.Loop, ctx context.Context)) {
	loops := [2]*eventloop.Loop{eventloop.New(), eventloop.New()}
	ctx, cancel := context.WithCancelCause(context.Background())
	returned := 0
	for _, loop := range loops {
		explore.GoNamed("loop", func() { _ = loop.Run(context.Background()); returned++ })
	}
	body(loops, ctx)
	if cancels {
		explore.GoNamed("cancel", func() { explore.Point("cancel"); cancel(errProgram) })
	}
	if closes {
		explore.GoNamed("close", func() { explore.Point("close"); _ = loops[1].Close() })
	}
	explore.Quiet()
	for _, loop := range loops {
		_ = loop.Close()
	}
	explore.Until("loops", func() bool { return returned == 2 })
	cancel(nil)
}

// Permits are taken and given back by coroutines of two loops and by other goroutines. Never are more in use than there
// are, and in the end all are back.
func TestExploreASemaphore(t *testing.T) {
	for variant := range 4 {
		ran, failure := explore.Random(uint64(variant), 600, func() {
			s, used := promise.NewSemaphore(2), 0
			took := func(n int) {
				if used += n; used > 2 {
					explore.Fail("%d permits of 2 are in use", used)
				}
			}
			give := func(n int) { used -= n; s.Release(n) }
			scenery(variant&1 != 0, variant&2 != 0, func(loops [2]*eventloop.Loop, ctx context.Context) {
				for i, n := range []int{2, 1, 2, 1} {
					promise.Go(ctx, loops[i%2], func(c *promise.Coroutine) error {
						if err := s.Acquire(c, n); err != nil {
							if !errors.Is(err, errProgram) && err != eventloop.ErrLoopTerminated {
								explore.Fail("Acquire: %v", err)
							}
							return nil
						}
						took(n)
						defer give(n)
						_, _ = promise.Await(c, promise.Resolve(loops[1-i%2], 1))
						return nil
					}).Finally(func() {}).Catch(func(error) (struct{}, error) { return struct{}{}, nil })
				}
				explore.GoNamed("try", func() {
					if s.TryAcquire(1) {
						took(1)
						explore.Point("holds")
						give(1)
					}
				})
			})
			if used != 0 || !s.TryAcquire(2) {
				explore.Fail("%d permits are in use in the end", used)
			}
		})
		if failure != nil {
			t.Fatalf("variant %d, schedule %d: %s: %s", variant, ran, failure.Kind, failure.Message)
		}
	}
}

// Elements go through a queue between coroutines of two loops and other goroutines. Each accepted element is popped
// once or is in the queue at the end. Every consumer gets the elements of one producer in order.
func TestExploreAQueue(t *testing.T) {
	for variant := range 12 {
		ran, failure := explore.Random(uint64(variant), 600, func() {
			q := promise.NewQueue[int](variant / 4)
			pushed, popped := 0, map[int]bool{}
			popper := func() func(v int) {
				var last [3]int
				return func(v int) {
					if popped[v] {
						explore.Fail("element %d is popped twice", v)
					}
					popped[v] = true
					if p, n := v/100, v%100; n <= last[p] {
						explore.Fail("one popper gets element %d of producer %d after %d", n, p, last[p])
					} else {
						last[p] = n
					}
				}
			}
			scenery(variant&1 != 0, variant&2 != 0, func(loops [2]*eventloop.Loop, ctx context.Context) {
				for p := range 2 {
					promise.Go(ctx, loops[p], func(c *promise.Coroutine) error {
						for n := 1; n <= 3; n++ {
							if err := q.Push(c, 100*p+n); err != nil {
								return nil
							}
							pushed++
						}
						return nil
					}).Catch(func(error) (struct{}, error) { return struct{}{}, nil })
					promise.Go(ctx, loops[1-p], func(c *promise.Coroutine) error {
						pop := popper()
						for range 3 {
							v, err := q.Pop(c)
							if err != nil {
								return nil
							}
							pop(v)
						}
						return nil
					}).Catch(func(error) (struct{}, error) { return struct{}{}, nil })
				}
				explore.GoNamed("try", func() {
					pop := popper()
					for n := 1; n <= 2; n++ {
						if q.TryPush(200 + n) {
							pushed++
						}
						if v, ok := q.TryPop(); ok {
							pop(v)
						}
					}
					explore.Point("closes")
					q.Close()
				})
			})
			pop := popper()
			for v, ok := q.TryPop(); ok; v, ok = q.TryPop() {
				pop(v)
			}
			if len(popped) != pushed {
				explore.Fail("%d elements were pushed, and %d popped", pushed, len(popped))
			}
		})
		if failure != nil {
			t.Fatalf("variant %d, schedule %d: %s: %s", variant, ran, failure.Kind, failure.Message)
		}
	}
}
