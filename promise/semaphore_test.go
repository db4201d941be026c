package promise_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestASemaphoreServesFirstComeFirstServed(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		s := promise.NewSemaphore(3)
		var log []string
		var all []*promise.Promise[struct{}]
		for i, n := range []int{2, 3, 1, 1, 2} {
			all = append(all, promise.Go(bg, loop, func(c *promise.Coroutine) error {
				if err := s.Acquire(c, n); err != nil {
					return err
				}
				defer s.Release(n)
				log = append(log, fmt.Sprint("+", i))
				_, err := promise.Await(c, promise.Sleep(bg, loop, time.Duration(i+1)*time.Second))
				log = append(log, fmt.Sprint("-", i))
				return err
			}))
		}
		if _, err := promise.All(loop, all...).Wait(bg); err != nil {
			t.Fatal(err)
		}
		if want := strings.Fields("+0 -0 +1 -1 +2 +3 -2 +4 -3 -4"); !slices.Equal(log, want) {
			t.Errorf("got %v, want %v", log, want)
		}
		if !s.TryAcquire(3) || s.TryAcquire(1) {
			t.Error("not all permits are back")
		}
	})
}

func TestASemaphoreTakesNothingOnAnError(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		s := promise.NewSemaphore(2)
		s.TryAcquire(1)
		ctx, cancel := context.WithCancelCause(bg)
		acquire := func(ctx context.Context, n int) *promise.Promise[struct{}] {
			return promise.Go(ctx, loop, func(c *promise.Coroutine) error { return s.Acquire(c, n) })
		}
		many := acquire(ctx, 2)
		synctest.Wait()
		one := acquire(bg, 1) // behind the one that gives up
		synctest.Wait()
		if _, ok := one.Result(); ok {
			t.Error("it went past the one in front")
		}
		cancel(errOops)
		if _, err := many.Wait(bg); !errors.Is(err, errOops) {
			t.Errorf("got %v", err)
		}
		if _, err := one.Wait(bg); err != nil {
			t.Error(err)
		}
		for _, n := range []int{-1, 0, 3} {
			if _, err := acquire(bg, n).Wait(bg); !errors.Is(err, eventloop.ErrInvalid) {
				t.Errorf("%d permits: %v", n, err)
			}
			if s.TryAcquire(n) {
				t.Errorf("TryAcquire(%d) succeeds", n)
			}
		}
		last := acquire(bg, 1)
		synctest.Wait()
		_ = loop.Shutdown(bg)
		synctest.Wait()
		if err := result(t, last).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("got %v", err)
		}
		s.Release(2)
		if !s.TryAcquire(2) {
			t.Error("a permit went to a loop that has ended")
		}
	})
}

func panicsWith(t *testing.T, what, with string, fn func()) {
	t.Helper()
	defer func() {
		if s, _ := recover().(string); !strings.Contains(s, with) {
			t.Errorf("%s panics with %q", what, s)
		}
	}()
	fn()
}

func TestMistakesWithSemaphoresAndQueuesPanicWithAdvice(t *testing.T) {
	panicsWith(t, "a semaphore of 0", "must be positive", func() { promise.NewSemaphore(0) })
	panicsWith(t, "a queue of -1", "must not be negative", func() { promise.NewQueue[int](-1) })
	s, q := promise.NewSemaphore(1), promise.NewQueue[int](1)
	panicsWith(t, "Release", "Release of 1 permits, and 0 are taken", func() { s.Release(1) })
	c := new(promise.Coroutine)
	panicsWith(t, "Acquire", "outside its coroutine", func() { _ = s.Acquire(c, 1) })
	panicsWith(t, "Push", "outside its coroutine", func() { _ = q.Push(c, 1) })
	panicsWith(t, "Pop", "outside its coroutine", func() { _, _ = q.Pop(c) })
}
