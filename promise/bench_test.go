package promise_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// onLoop runs body b.N times on a loop, each time as part of a callback of its own batch, and drains.
//
// All promises that body makes have settled, and their reactions have run, when the clock stops. The loop refuses
// timers while it drains the last batch, so promises that need a timer are rejected there.
func onLoop(b *testing.B, batch int, body func(loop *eventloop.Loop)) {
	b.ReportAllocs()
	loop := eventloop.New(quietly)
	left := b.N
	var step func()
	step = func() {
		n := min(left, batch)
		for range n {
			body(loop)
		}
		if left -= n; left > 0 {
			_ = loop.SubmitInternal(step)
		} else {
			_ = loop.Shutdown(context.Background())
		}
	}
	if err := loop.Submit(step); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if err := loop.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}

func addOne(v int) (int, error) { return v + 1, nil }

// Tournament is the published category: create a promise, attach two chained handlers, resolve it. As in all
// benchmarks of this file, the loop is drained before the clock stops, and the operations of a batch share a
// macrotask.
func BenchmarkTournament(b *testing.B) {
	for _, batch := range []int{1, 64} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			onLoop(b, batch, func(loop *eventloop.Loop) {
				p, r := promise.WithResolvers[int](loop)
				promise.Then(promise.Then(p, addOne), addOne)
				r.Resolve(1)
			})
		})
	}
}

func chain(loop *eventloop.Loop, depth int) {
	p, r := promise.WithResolvers[int](loop)
	for range depth {
		p = promise.Then(p, addOne)
	}
	r.Resolve(1)
}

// An operation is a chain of the given depth.
func BenchmarkChainDepth(b *testing.B) {
	for _, depth := range []int{10, 100} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			onLoop(b, 1, func(loop *eventloop.Loop) { chain(loop, depth) })
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*depth), "ns/link")
		})
	}
}

// The chain is not resolved but dropped.
func BenchmarkChainCreation_Depth100(b *testing.B) {
	onLoop(b, 1, func(loop *eventloop.Loop) {
		p, _ := promise.WithResolvers[int](loop)
		for range 100 {
			p = promise.Then(p, addOne)
		}
	})
}

func BenchmarkCheckResolved_Overhead(b *testing.B) {
	var p *promise.Promise[int]
	onLoop(b, 64, func(loop *eventloop.Loop) {
		if p == nil || p.Loop() != loop {
			p = promise.Resolve(loop, 1)
		}
		promise.Then(p, addOne)
	})
}

func BenchmarkFanOut_100(b *testing.B) {
	onLoop(b, 1, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		for range 100 {
			promise.Then(p, addOne)
		}
		r.Resolve(1)
	})
}

// The race of 100 pending promises is never decided; in the second benchmark it is.
func BenchmarkRace_100(b *testing.B) {
	ps := make([]*promise.Promise[int], 100)
	onLoop(b, 1, func(loop *eventloop.Loop) {
		for i := range ps {
			ps[i], _ = promise.WithResolvers[int](loop)
		}
		promise.Race(loop, ps...)
	})
}

func BenchmarkRace_100Decided(b *testing.B) {
	ps := make([]*promise.Promise[int], 100)
	onLoop(b, 1, func(loop *eventloop.Loop) {
		var r promise.Resolver[int]
		for i := range ps {
			ps[i], r = promise.WithResolvers[int](loop)
		}
		promise.Race(loop, ps...)
		r.Resolve(1)
	})
}

// Rejections cost more than values: one allocation for the reason.
func BenchmarkRejectCatch(b *testing.B) {
	err := errors.New("no")
	onLoop(b, 64, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		promise.Then(p, addOne).Catch(func(error) (int, error) { return 0, nil })
		r.Reject(err)
	})
}

func BenchmarkDynamicThenThen(b *testing.B) {
	same := func(v any) (any, error) { return v, nil }
	onLoop(b, 64, func(loop *eventloop.Loop) {
		d, r := promise.WithDynamicResolver(loop)
		d.Then(same, nil).Then(same, nil)
		r.Resolve(loop)
	})
}

// Another goroutine settles and waits, one promise after the other.
func BenchmarkAwaitFromOutside(b *testing.B) {
	b.ReportAllocs()
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	for b.Loop() {
		p, r := promise.WithResolvers[int](loop)
		q := promise.Then(p, addOne)
		r.Resolve(1)
		if _, err := q.Wait(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	_ = loop.Shutdown(context.Background())
}

func BenchmarkPromisify(b *testing.B) {
	b.ReportAllocs()
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	for b.Loop() {
		if _, err := promise.Promisify(context.Background(), loop, func(context.Context) (int, error) { return 1, nil }).Wait(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	_ = loop.Shutdown(context.Background())
}

func BenchmarkThenElse(b *testing.B) {
	onLoop(b, 64, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		promise.ThenElse(p, addOne, func(error) (int, error) { return 0, nil })
		r.Resolve(1)
	})
}

func BenchmarkFinally(b *testing.B) {
	onLoop(b, 64, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		p.Finally(func() {})
		r.Resolve(1)
	})
}

// The work's promise is fulfilled already.
func BenchmarkWithTimeout(b *testing.B) {
	onLoop(b, 64, func(loop *eventloop.Loop) {
		promise.WithTimeout(context.Background(), loop, 1<<40, func(context.Context) *promise.Promise[int] { return promise.Resolve(loop, 1) })
	})
}

// The first attempt succeeds, or the second, without a delay.
func BenchmarkRetry(b *testing.B) {
	err := errors.New("no")
	for failures := range 2 {
		b.Run(fmt.Sprintf("failures=%d", failures), func(b *testing.B) {
			onLoop(b, 64, func(loop *eventloop.Loop) {
				calls := 0
				promise.Retry(context.Background(), loop, promise.RetryPolicy{Delay: -1}, func(context.Context) *promise.Promise[int] {
					if calls++; calls <= failures {
						return promise.Reject[int](loop, err)
					}
					return promise.Resolve(loop, 1)
				})
			})
		})
	}
}

// An operation is a Map of 100 items, eight at a time.
func BenchmarkMap_100(b *testing.B) {
	items := make([]int, 100)
	onLoop(b, 1, func(loop *eventloop.Loop) {
		promise.Map(context.Background(), loop, 8, items, func(_ context.Context, v int) *promise.Promise[int] { return promise.Resolve(loop, v) })
	})
}

func BenchmarkMapSeq_100(b *testing.B) {
	items := slices.Values(make([]int, 100))
	onLoop(b, 1, func(loop *eventloop.Loop) {
		promise.MapSeq(context.Background(), loop, 8, items, func(_ context.Context, v int) *promise.Promise[int] { return promise.Resolve(loop, v) })
	})
}

// inCoroutines has each of the bodies called b.N times by a coroutine.
func inCoroutines(b *testing.B, bodies ...func(c *promise.Coroutine) error) {
	b.ReportAllocs()
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	var ends []*promise.Promise[struct{}]
	b.ResetTimer()
	for _, body := range bodies {
		ends = append(ends, promise.Go(context.Background(), loop, func(c *promise.Coroutine) error {
			for range b.N {
				if err := body(c); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	if _, err := promise.All(loop, ends...).Wait(context.Background()); err != nil {
		b.Fatal(err)
	}
	b.StopTimer()
	_ = loop.Shutdown(context.Background())
}

// An operation is an Acquire and a Release. The permit is free, or two coroutines take turns with it, and each waits
// for a microtask.
func BenchmarkSemaphore(b *testing.B) {
	s := promise.NewSemaphore(1)
	use := func(c *promise.Coroutine) error {
		err := s.Acquire(c, 1)
		s.Release(1)
		return err
	}
	turns := func(c *promise.Coroutine) error {
		if err := s.Acquire(c, 1); err != nil {
			return err
		}
		defer s.Release(1)
		_, err := promise.Await(c, promise.Resolve(c.Loop(), 1))
		return err
	}
	b.Run("free", func(b *testing.B) { inCoroutines(b, use) })
	b.Run("turns", func(b *testing.B) { inCoroutines(b, turns, turns) })
}

// An operation is a Push in one coroutine and a Pop in another, which wait for each other when the queue is full or empty.
func BenchmarkQueue(b *testing.B) {
	for _, capacity := range []int{0, 64} {
		q := promise.NewQueue[int](capacity)
		push := func(c *promise.Coroutine) error { return q.Push(c, 1) }
		pop := func(c *promise.Coroutine) error { _, err := q.Pop(c); return err }
		b.Run(fmt.Sprintf("capacity=%d", capacity), func(b *testing.B) { inCoroutines(b, push, pop) })
	}
}
