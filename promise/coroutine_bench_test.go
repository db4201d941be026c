package promise_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// inACoroutine runs body as a coroutine of a loop of its own, with the clock running.
func inACoroutine(b *testing.B, ctx context.Context, body func(c *promise.Coroutine)) {
	b.ReportAllocs()
	loop := eventloop.New(eventloop.WithAutoExit())
	promise.Async(ctx, loop, func(c *promise.Coroutine) (struct{}, error) {
		b.ResetTimer()
		body(c)
		b.StopTimer()
		return struct{}{}, nil
	})
	if err := loop.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// The promise awaited is settled already.
func BenchmarkCoroutineAwait(b *testing.B) {
	inACoroutine(b, context.Background(), func(c *promise.Coroutine) {
		p := promise.Resolve(c.Loop(), 1)
		for range b.N {
			if _, err := promise.Await(c, p); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkCoroutineAwaitWithContext(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	inACoroutine(b, ctx, func(c *promise.Coroutine) {
		p := promise.Resolve(c.Loop(), 1)
		for range b.N {
			if _, err := promise.Await(c, p); err != nil {
				b.Error(err)
			}
		}
	})
}

// A promise is made, awaited and settled by a microtask, as in each step of async code. The allocations are the
// promise's.
func BenchmarkCoroutineAwaitPending(b *testing.B) {
	inACoroutine(b, context.Background(), func(c *promise.Coroutine) {
		var r promise.Resolver[int]
		settle := func() { r.Resolve(1) }
		for range b.N {
			var p *promise.Promise[int]
			p, r = promise.WithResolvers[int](c.Loop())
			_ = c.Loop().ScheduleMicrotask(settle)
			if _, err := promise.Await(c, p); err != nil {
				b.Error(err)
			}
		}
	})
}

// The same by Then: a chain that goes on by attaching to the next promise.
func BenchmarkThenPending(b *testing.B) {
	b.ReportAllocs()
	loop := eventloop.New(eventloop.WithAutoExit())
	var r promise.Resolver[int]
	settle := func() { r.Resolve(1) }
	n := b.N
	var next func(int) (int, error)
	step := func() {
		var p *promise.Promise[int]
		p, r = promise.WithResolvers[int](loop)
		_ = loop.ScheduleMicrotask(settle)
		promise.Then(p, next)
	}
	next = func(v int) (int, error) {
		if n--; n > 0 {
			step()
		}
		return v, nil
	}
	_ = loop.Submit(step)
	b.ResetTimer()
	if err := loop.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// A goroutine that gets each value through a channel from another, which waits for its word.
func BenchmarkGoroutineChannel(b *testing.B) {
	b.ReportAllocs()
	ask, answer := make(chan struct{}), make(chan int)
	go func() {
		for range ask {
			answer <- 1
		}
	}()
	for b.Loop() {
		ask <- struct{}{}
		<-answer
	}
	close(ask)
}

func benchmarkStart(b *testing.B, ctx context.Context, body func(*promise.Coroutine) (int, error)) {
	b.ReportAllocs()
	loop := eventloop.New()
	left := b.N
	var step func()
	step = func() {
		for range min(left, 64) {
			promise.Async(ctx, loop, body)
		}
		if left -= min(left, 64); left > 0 {
			_ = loop.SubmitInternal(step)
		} else {
			_ = loop.Shutdown(context.Background())
		}
	}
	_ = loop.Submit(step)
	b.ResetTimer()
	if err := loop.Run(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// A coroutine is started and returns without waiting.
func BenchmarkCoroutineStart(b *testing.B) {
	benchmarkStart(b, context.Background(), func(*promise.Coroutine) (int, error) { return 1, nil })
}

func BenchmarkCoroutineStartWithContext(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	benchmarkStart(b, ctx, func(*promise.Coroutine) (int, error) { return 1, nil })
}

// BenchmarkCoroutineMemory measures the memory of a waiting coroutine. Run it with -benchtime 1000000x for a million
// of them.
func BenchmarkCoroutineMemory(b *testing.B) {
	for name, body := range map[string]func(*promise.Coroutine, *promise.Promise[int]) (int, error){
		"shallow": func(c *promise.Coroutine, p *promise.Promise[int]) (int, error) { return promise.Await(c, p) },
		"formats": func(c *promise.Coroutine, p *promise.Promise[int]) (int, error) {
			_ = fmt.Sprintf("%v %v", c.Context(), 1.5)
			return promise.Await(c, p)
		},
	} {
		b.Run(name, func(b *testing.B) {
			loop := eventloop.New(eventloop.WithAutoExit())
			ended := 0
			_ = loop.Submit(func() {
				resolvers := make([]promise.Resolver[int], b.N)
				before := occupied()
				b.ResetTimer()
				for i := range resolvers {
					var p *promise.Promise[int]
					p, resolvers[i] = promise.WithResolvers[int](loop)
					promise.Async(context.Background(), loop, func(c *promise.Coroutine) (int, error) {
						v, err := body(c, p)
						ended++
						return v, err
					})
				}
				b.StopTimer()
				b.ReportMetric((occupied()-before)/float64(b.N), "B/coroutine")
				b.StartTimer()
				for _, r := range resolvers {
					r.Resolve(1)
				}
			})
			if err := loop.Run(context.Background()); err != nil || ended != b.N {
				b.Fatal(err, ended)
			}
		})
	}
}

func occupied() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc + m.StackInuse + m.OtherSys)
}
