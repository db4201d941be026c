package promise_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestAQueueWaitsBothWaysAndKeepsTheOrder(t *testing.T) {
	for capacity := range 4 {
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			q := promise.NewQueue[int](capacity)
			pushed := 0
			push := promise.Go(bg, loop, func(c *promise.Coroutine) error {
				defer q.Close()
				for n := range 10 {
					if err := q.Push(c, n); err != nil {
						return err
					}
					pushed++
				}
				return nil
			})
			synctest.Wait()
			if pushed != capacity || q.Len() != capacity {
				t.Errorf("capacity %d: %d are pushed, %d are in the queue", capacity, pushed, q.Len())
			}
			var got []int
			pop := promise.Go(bg, loop, func(c *promise.Coroutine) error {
				for n := range q.All(c) {
					got = append(got, n)
					if n%3 == 0 {
						_, _ = promise.Await(c, promise.Sleep(bg, loop, time.Second))
					}
				}
				_, err := q.Pop(c)
				return err
			})
			if _, err := push.Wait(bg); err != nil {
				t.Error(err)
			}
			if _, err := pop.Wait(bg); err != promise.ErrQueueClosed || !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
				t.Errorf("capacity %d: %v, %v", capacity, got, err)
			}
		})
	}
}

func TestAClosedQueueRefusesAndIsEmptied(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		q := promise.NewQueue[int](1)
		push := func(n int) *promise.Promise[struct{}] {
			return promise.Go(bg, loop, func(c *promise.Coroutine) error { return q.Push(c, n) })
		}
		first, second := push(1), push(2)
		synctest.Wait()
		if q.TryPush(3) {
			t.Error("there is no room")
		}
		q.Close()
		q.Close()
		if _, err := first.Wait(bg); err != nil {
			t.Error(err)
		}
		for _, p := range []*promise.Promise[struct{}]{second, push(4)} {
			if _, err := p.Wait(bg); err != promise.ErrQueueClosed {
				t.Errorf("got %v", err)
			}
		}
		if q.TryPush(5) {
			t.Error("TryPush into a closed queue")
		}
		if v, ok := q.TryPop(); v != 1 || !ok {
			t.Errorf("got %v, %v", v, ok)
		}
		if _, ok := q.TryPop(); ok {
			t.Error("there is another")
		}
		empty := promise.NewQueue[int](1)
		waits := promise.Spawn(bg, loop, empty.Pop)
		synctest.Wait()
		empty.Close()
		if _, err := waits.Wait(bg); err != promise.ErrQueueClosed {
			t.Errorf("got %v", err)
		}
	})
}

func TestAQueueLosesNothingWhenAContextOrALoopEnds(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		q := promise.NewQueue[int](0)
		ctx, cancel := context.WithCancelCause(bg)
		gone, stays := promise.Spawn(ctx, loop, q.Pop), promise.Spawn(bg, loop, q.Pop)
		synctest.Wait()
		cancel(errOops)
		synctest.Wait()
		if err := result(t, gone).Err; !errors.Is(err, errOops) {
			t.Errorf("got %v", err)
		}
		if !q.TryPush(1) {
			t.Error("nobody takes the element")
		}
		if v, err := stays.Wait(bg); v != 1 || err != nil {
			t.Errorf("got %v, %v", v, err)
		}
		push := promise.Go(bg, loop, func(c *promise.Coroutine) error { return q.Push(c, 2) })
		synctest.Wait()
		_ = loop.Shutdown(bg)
		synctest.Wait()
		if err := result(t, push).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("got %v", err)
		}
		if v, ok := q.TryPop(); ok {
			t.Errorf("got %v of a coroutine that has ended", v)
		}
	})
}

// Many goroutines, coroutines of two loops and expiring contexts share a queue and a semaphore. Every pushed element
// is popped once, and every permit comes back.
func TestQueuesAndSemaphoresUnderLoadLoseNothing(t *testing.T) {
	here, there := beside(t, quietly), beside(t, quietly)
	const producers, each = 8, 300
	q, s := promise.NewQueue[int](3), promise.NewSemaphore(4)
	sums := make(chan int, producers)
	var releases sync.WaitGroup
	var ends []*promise.Promise[struct{}]
	for p := range producers {
		loop := []*eventloop.Loop{here, there}[p%2]
		ends = append(ends, promise.Go(bg, loop, func(c *promise.Coroutine) error {
			for n := range each {
				if err := q.Push(c, n); err != nil {
					return err
				}
			}
			return nil
		}))
		promise.Go(bg, loop, func(c *promise.Coroutine) error {
			sum := 0
			for n := range q.All(c) {
				sum += n
				ctx, cancel := context.WithCancel(bg)
				taken := promise.Go(ctx, loop, func(c *promise.Coroutine) error {
					if err := s.Acquire(c, 1+n%4); err != nil {
						return err
					}
					releases.Go(func() { s.Release(1 + n%4) })
					return nil
				})
				if rand.IntN(2) == 0 {
					go cancel()
				}
				_, err := promise.Await(c, taken)
				cancel()
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			}
			sums <- sum
			return nil
		})
	}
	for _, p := range ends {
		if _, err := p.Wait(bg); err != nil {
			t.Error(err)
		}
	}
	q.Close()
	total := 0
	for range producers {
		total += <-sums
	}
	if want := producers * each * (each - 1) / 2; total != want {
		t.Errorf("the sum is %d, want %d", total, want)
	}
	releases.Wait()
	if !s.TryAcquire(4) {
		t.Error("a permit is lost")
	}
}
