package natstest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// A losing client drops messages. On a machine that stalls the real one does so with those of a request it has given up.
type losing struct {
	jetstream.JetStream
	lose func(jetstream.Msg) bool
}

func (l losing) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	s, err := l.JetStream.Stream(ctx, name)
	return losingStream{s, l.lose}, err
}

type losingStream struct {
	jetstream.Stream
	lose func(jetstream.Msg) bool
}

func (l losingStream) CreateConsumer(ctx context.Context, config jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	c, err := l.Stream.CreateConsumer(ctx, config)
	return losingConsumer{c, l.lose}, err
}

type losingConsumer struct {
	jetstream.Consumer
	lose func(jetstream.Msg) bool
}

func (l losingConsumer) Fetch(batch int, opts ...jetstream.FetchOpt) (jetstream.MessageBatch, error) {
	b, err := l.Consumer.Fetch(batch, opts...)
	if err != nil {
		return nil, err
	}
	messages := make(chan jetstream.Msg)
	go func() {
		defer close(messages)
		for m := range b.Messages() {
			if !l.lose(m) {
				messages <- m
			}
		}
	}()
	return losingBatch{b, messages}, nil
}

type losingBatch struct {
	jetstream.MessageBatch
	messages <-chan jetstream.Msg
}

func (l losingBatch) Messages() <-chan jetstream.Msg { return l.messages }

func TestALostDeliveryIsWaitedForBeforeLaterMessagesOfItsKey(t *testing.T) {
	url := serve(t, t.TempDir(), -1).ClientURL()
	const n, keys = 300, 3
	js := connect(t, url)
	s, p := newPartitioned(t, js, 1, jetstream.MemoryStorage, time.Second)
	lost := 0
	member := losing{js, func(m jetstream.Msg) bool {
		meta, err := m.Metadata()
		loses := err == nil && meta.NumDelivered == 1 && meta.Sequence.Stream%71 == 0
		if loses {
			lost++
		}
		return loses
	}}
	var mu sync.Mutex
	last, handled := map[string]uint64{}, 0
	all := make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	loop := run(t)
	go func() {
		ended <- natsloop.ConsumePartitions(ctx, member, p, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			meta, err := m.Metadata()
			mu.Lock()
			defer mu.Unlock()
			if key := m.Subject(); err != nil || last[key] > meta.Sequence.Stream {
				t.Errorf("%s: %d after %d: %v", key, meta.Sequence.Stream, last[key], err)
			} else {
				last[key] = meta.Sequence.Stream
			}
			if handled++; handled == n {
				close(all)
			}
			return nil
		}, quiet)
	}()
	s.publish(t, n, keys)
	testkit.Await(t, "messages", all)
	cancel()
	if err := testkit.Await(t, "ConsumePartitions", ended); err != nil {
		t.Error(err)
	}
	if lost != n/71 {
		t.Errorf("%d deliveries were lost", lost)
	}
}
