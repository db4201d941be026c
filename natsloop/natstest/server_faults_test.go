package natstest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// fast has the client notice soon that the server is away.
var fast = natsloop.WithPullOptions(jetstream.PullExpiry(2*time.Second), jetstream.PullHeartbeat(500*time.Millisecond))

// quiet keeps errors that a test brings about out of the log.
var quiet = natsloop.WithErrorHandler(func(jetstream.Msg, error) {})

func TestRejectedMessagesAreDeliveredAgain(t *testing.T) {
	stream := newStream(t, connect(t, serve(t, t.TempDir(), -1).ClientURL()), jetstream.MemoryStorage, time.Minute)
	const n = 1000
	stream.publish(t, n, 50)
	loop := run(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result := make(chan error, 1)
	deliveries, done := map[uint64]uint64{}, 0
	go func() {
		result <- natsloop.Consume(ctx, stream.consumer, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			meta, err := m.Metadata()
			if err != nil {
				return promise.Reject[struct{}](loop, err)
			}
			deliveries[meta.Sequence.Stream]++
			switch {
			case meta.NumDelivered < 3 && meta.Sequence.Stream%2 == 0:
				return promise.Reject[struct{}](loop, errors.New("again"))
			case meta.Sequence.Stream%7 == 0:
				err = natsloop.Terminate(errors.New("never"))
			}
			if done++; done == n {
				defer cancel()
			}
			if err != nil {
				return promise.Reject[struct{}](loop, err)
			}
			return nil
		}, quiet)
	}()
	if err := testkit.Await(t, "result", result); err != nil {
		t.Error(err)
	}
	stream.idle(t)
	for sequence, times := range deliveries {
		if want := 1 + 2*(1-sequence%2); times != want {
			t.Errorf("message %d was delivered %d times, want %d", sequence, times, want)
		}
	}
	if len(deliveries) != n {
		t.Errorf("%d messages", len(deliveries))
	}
}

func TestAHandlerMayTakeLongerThanAckWait(t *testing.T) {
	stream := newStream(t, connect(t, serve(t, t.TempDir(), -1).ClientURL()), jetstream.MemoryStorage, 5*time.Second)
	stream.publish(t, 2, 1)
	loop := run(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	began := 0
	result := make(chan error, 1)
	go func() {
		result <- natsloop.Consume(ctx, stream.consumer, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			began++
			if began > 1 { // it has waited for longer than AckWait
				cancel()
				return nil
			}
			return promise.Sleep(context.Background(), loop, 6*time.Second)
		})
	}()
	if err := testkit.Await(t, "result", result); err != nil {
		t.Error(err)
	}
	stream.idle(t)
	if began != 2 {
		t.Errorf("two messages were handled %d times", began)
	}
}

func TestConsumingGoesOnWhenTheServerIsBack(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, dir, -1)
	stream := newStream(t, connect(t, s.ClientURL()), jetstream.FileStorage, time.Second)
	const n = 2000
	stream.publish(t, n, 50)
	loop := run(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	half, all := make(chan struct{}), make(chan struct{})
	handled := map[uint64]bool{}
	result := make(chan error, 1)
	go func() {
		result <- natsloop.Consume(ctx, stream.consumer, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			meta, err := m.Metadata()
			if err != nil {
				return promise.Reject[struct{}](loop, err)
			}
			if !handled[meta.Sequence.Stream] { // an acknowledgement may have been lost with the server
				handled[meta.Sequence.Stream] = true
				switch len(handled) {
				case n / 2:
					close(half)
				case n:
					close(all)
				}
			}
			return promise.Sleep(context.Background(), loop, time.Millisecond)
		}, fast, quiet)
	}()
	testkit.Await(t, "half", half)
	port := stop(s)
	serve(t, dir, port)
	testkit.Await(t, "all", all)
	stream.idle(t)
	cancel()
	if err := testkit.Await(t, "result", result); err != nil {
		t.Error(err)
	}
}

func TestConsumingEndsWhenThereIsNothingToConsumeFromAnyMore(t *testing.T) {
	for name, remove := range map[string]func(jetstream.JetStream) error{
		"consumer":   func(js jetstream.JetStream) error { return js.DeleteConsumer(context.Background(), work, work) },
		"stream":     func(js jetstream.JetStream) error { return js.DeleteStream(context.Background(), work) },
		"connection": func(js jetstream.JetStream) error { js.Conn().Close(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			stream := newStream(t, connect(t, serve(t, t.TempDir(), -1).ClientURL()), jetstream.MemoryStorage, time.Minute)
			stream.publish(t, 3, 3)
			loop := run(t)
			var begun atomic.Int64
			result := make(chan error, 1)
			removed := make(chan error, 1)
			go func() {
				result <- natsloop.Consume(context.Background(), stream.consumer, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
					if begun.Add(1) == 3 {
						go func() { removed <- remove(stream.js) }()
					}
					return promise.Sleep(context.Background(), loop, 50*time.Millisecond)
				}, fast, quiet)
			}()
			if err := testkit.Await(t, "removed", removed); err != nil {
				t.Error(err)
			}
			if err := testkit.Await(t, "result", result); err == nil {
				t.Error("Consume returned no error")
			}
		})
	}
}

func TestAConsumerThatIsGoneWhenTheServerIsBackIsMissed(t *testing.T) {
	s := serve(t, t.TempDir(), -1)
	stream := newStream(t, connect(t, s.ClientURL()), jetstream.MemoryStorage, time.Minute)
	stream.publish(t, 1, 1)
	loop := run(t)
	result := make(chan error, 1)
	begun := make(chan struct{})
	go func() {
		result <- natsloop.Consume(context.Background(), stream.consumer, natsloop.On(loop), func(m jetstream.Msg) *promise.Promise[struct{}] {
			close(begun)
			return nil
		}, fast, quiet)
	}()
	testkit.Await(t, "begun", begun)
	port := stop(s)
	serve(t, t.TempDir(), port)
	if err := testkit.Await(t, "result", result); !errors.Is(err, jetstream.ErrConsumerNotFound) && !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Error(err)
	}
}
