package promise_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// atDepth benchmarks a call to a loop that answers at once, below so many calls: 60 are usual in HTTP middleware.
func atDepth(b *testing.B, call func(*eventloop.Loop)) {
	for _, depth := range []int{0, 20, 60} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			b.ReportAllocs()
			loop := eventloop.New()
			go func() { _ = loop.Run(context.Background()) }()
			deep(depth, func() {
				for b.Loop() {
					call(loop)
				}
			})
			_ = loop.Shutdown(context.Background())
		})
	}
}

func BenchmarkSubmitAndChannelAtDepth(b *testing.B) {
	atDepth(b, func(loop *eventloop.Loop) {
		done := make(chan struct{})
		_ = loop.Submit(func() { close(done) })
		<-done
	})
}

func BenchmarkDoAtDepth(b *testing.B) {
	atDepth(b, func(loop *eventloop.Loop) { _ = loop.Do(context.Background(), func() {}) })
}

func BenchmarkAwaitAtDepth(b *testing.B) {
	atDepth(b, func(loop *eventloop.Loop) {
		p, r := promise.WithResolvers[int](loop)
		_ = loop.Submit(func() { r.Resolve(1) })
		_, _ = p.Wait(context.Background())
	})
}

// BenchmarkShutdownAtDepth measures Shutdown of a loop with nothing to do. Making and starting the loop is not
// counted.
func BenchmarkShutdownAtDepth(b *testing.B) {
	newLoopAtDepth(b, "shutdown", func(loop *eventloop.Loop) { _ = loop.Shutdown(context.Background()) })
}

// This is the baseline for Shutdown: a callback on a new loop.
func BenchmarkSubmitAndChannelOfANewLoopAtDepth(b *testing.B) {
	newLoopAtDepth(b, "call", func(loop *eventloop.Loop) {
		done := make(chan struct{})
		_ = loop.Submit(func() { close(done) })
		<-done
	})
}

// newLoopAtDepth makes a loop for each operation, and reports the time of the part under test.
func newLoopAtDepth(b *testing.B, name string, part func(loop *eventloop.Loop)) {
	for _, depth := range []int{0, 20, 60} {
		b.Run(fmt.Sprint(depth), func(b *testing.B) {
			var took time.Duration
			deep(depth, func() {
				for b.Loop() {
					loop := eventloop.New()
					ended := make(chan struct{})
					go func() { _ = loop.Run(context.Background()); close(ended) }()
					_ = loop.Do(context.Background(), func() {})
					start := time.Now()
					part(loop)
					took += time.Since(start)
					_ = loop.Shutdown(context.Background())
					<-ended
				}
			})
			b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "ns/"+name)
		})
	}
}

// This does by hand the work of Await: it receives a value from a channel, and stops waiting when a context or the
// loop ends.
func BenchmarkSubmitAndSelectAtDepth(b *testing.B) {
	ctx := context.Background()
	atDepth(b, func(loop *eventloop.Loop) {
		answer := make(chan int, 1)
		_ = loop.Submit(func() { answer <- 1 })
		select {
		case <-answer:
		case <-ctx.Done():
		case <-loop.Done():
		}
	})
}
