package natsloop_test

import (
	"context"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkWithoutAServer measures a message's way through natsloop alone: the client hands messages over as fast as they are
// taken, and acknowledging does nothing. "loop" is a handler that returns nil, "promise" one whose promise is fulfilled later in
// the turn.
func BenchmarkWithoutAServer(b *testing.B) {
	for _, name := range []string{"loop", "promise"} {
		b.Run(name, func(b *testing.B) {
			loop := eventloop.New()
			go func() { _ = loop.Run(context.Background()) }()
			handle := func(jetstream.Msg) outcome { return nil }
			if name == "promise" {
				handle = func(jetstream.Msg) outcome {
					p, r := promise.WithResolvers[struct{}](loop)
					_ = loop.ScheduleMicrotask(func() { r.Resolve(struct{}{}) })
					return p
				}
			}
			c := newConsumer()
			ctx, cancel := context.WithCancel(context.Background())
			result := make(chan error, 1)
			go func() { result <- natsloop.Consume(ctx, c, natsloop.On(loop), handle) }()
			<-c.began
			messages := make([]silent, 100)
			for i := range messages {
				messages[i].subject = string(rune('a' + i))
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				c.handler(&messages[i%len(messages)])
			}
			cancel()
			if err := <-result; err != nil {
				b.Error(err)
			}
			b.StopTimer()
			_ = loop.Shutdown(context.Background())
		})
	}
}

// A silent message is acknowledged by doing nothing.
type silent struct {
	jetstream.Msg
	subject string
}

func (s *silent) Subject() string { return s.subject }
func (s *silent) Ack() error      { return nil }
func (s *silent) Nak() error      { return nil }
