package natstest

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkConsume has the same messages consumed by the plain client and by natsloop. The plain client's callback
// counts and acknowledges. One handler of natsloop counts and is done; another returns a promise that a later
// callback fulfils. They take turns, and the server is in the same process. The metrics are medians over the rounds:
// b.N of them. A ratio compares a way with the mean of the two plain ones in the same round.
func BenchmarkConsume(b *testing.B) {
	const each, keys = 20_000, 100
	s := serve(b, b.TempDir(), -1)
	stream := newStream(b, connect(b, s.ClientURL()), jetstream.MemoryStorage, time.Minute)
	loop := run(b)
	consumer, err := connect(b, s.ClientURL()).Consumer(b.Context(), work, work) // over a connection of its own
	if err != nil {
		b.Fatal(err)
	}
	var count atomic.Int64
	var all chan struct{}
	handled := func() {
		if count.Add(1) == each {
			close(all)
		}
	}
	plain := func() (stop func()) {
		consuming, err := consumer.Consume(func(m jetstream.Msg) {
			handled()
			_ = m.Ack()
		})
		if err != nil {
			b.Fatal(err)
		}
		return func() { consuming.Drain(); <-consuming.Closed() } // so that none of the next round is lost with its buffer
	}
	onLoop := func(handle func(jetstream.Msg) *promise.Promise[struct{}]) func() (stop func()) {
		return func() (stop func()) {
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- natsloop.Consume(ctx, consumer, natsloop.On(loop), handle) }()
			return func() {
				cancel()
				if err := <-ended; err != nil {
					b.Error(err)
				}
			}
		}
	}
	done := func(jetstream.Msg) *promise.Promise[struct{}] { handled(); return nil }
	ways := []struct {
		name  string
		begin func() func()
	}{
		{"plain", plain},
		{"loop", onLoop(done)},
		{"promise", onLoop(later(loop, handled))},
		{"plain-again", plain}, // what two of the same differ by
	}
	took := make([][]float64, len(ways))
	for range b.N {
		for i, way := range ways {
			stream.publish(b, each, keys)
			runtime.GC()
			count.Store(0)
			all = make(chan struct{})
			began := time.Now()
			stop := way.begin()
			<-all
			stream.idle(b)
			took[i] = append(took[i], float64(time.Since(began))/each)
			stop()
		}
	}
	for _, i := range []int{1, 2} {
		ratios := make([]float64, b.N)
		for round := range ratios {
			ratios[round] = 2 * took[i][round] / (took[0][round] + took[3][round])
		}
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], ways[i].name+"-ratio")
	}
	for i, way := range ways {
		slices.Sort(took[i])
		b.ReportMetric(took[i][len(took[i])/2], way.name+"-ns/message")
	}
	b.ReportMetric(0, "ns/op")
}

// later is a handler whose promises are fulfilled by one callback for all of a turn.
func later(loop *eventloop.Loop, handled func()) func(jetstream.Msg) *promise.Promise[struct{}] {
	var waiting []promise.Resolver[struct{}]
	return func(jetstream.Msg) *promise.Promise[struct{}] {
		p, r := promise.WithResolvers[struct{}](loop)
		if len(waiting) == 0 {
			_ = loop.ScheduleImmediate(func() {
				for _, r := range waiting {
					handled()
					r.Resolve(struct{}{})
				}
				waiting = waiting[:0]
			})
		}
		waiting = append(waiting, r)
		return p
	}
}
