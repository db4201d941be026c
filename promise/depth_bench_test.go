package promise_test

import (
	"context"
	"fmt"
	"testing"

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
		_, _ = p.Await(context.Background())
	})
}
