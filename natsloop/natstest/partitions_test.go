package natstest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// newPartitioned makes a stream with partitions, and how its group is joined.
func newPartitioned(t testing.TB, js jetstream.JetStream, partitions int, storage jetstream.StorageType, ackWait time.Duration) (*stream, natsloop.Partitions) {
	t.Helper()
	s, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: work, Subjects: []string{"work.*"}, Storage: storage,
		SubjectTransform: natsloop.PartitionBy("work.*", partitions)})
	if err != nil {
		t.Fatal(err)
	}
	return &stream{js: js, stream: s}, natsloop.Partitions{Stream: work, Group: "group", Config: jetstream.ConsumerConfig{AckWait: ackWait}}
}

// A joined member of a group, over a connection of its own.
type joined struct {
	js     jetstream.JetStream
	cancel context.CancelFunc
	result chan error
}

func joinGroup(t testing.TB, url string, p natsloop.Partitions, handle func(jetstream.Msg) *promise.Promise[struct{}], opts ...natsloop.Option) *joined {
	t.Helper()
	loop := run(t)
	ctx, cancel := context.WithCancel(context.Background())
	j := &joined{connect(t, url), cancel, make(chan error, 1)}
	t.Cleanup(cancel)
	go func() {
		j.result <- natsloop.ConsumePartitions(ctx, j.js, p, natsloop.On(loop), handle, append(opts, quiet)...)
	}()
	return j
}

func (j *joined) end(t testing.TB) {
	t.Helper()
	j.cancel()
	if err := testkit.Await(t, "result", j.result); err != nil {
		t.Errorf("ConsumePartitions: %v", err)
	}
}

// settledAll waits until nothing of a group is outstanding.
func (s *stream) settledAll(t testing.TB, p natsloop.Partitions, partitions int) {
	t.Helper()
	for i := range partitions {
		for {
			c, err := s.stream.Consumer(t.Context(), fmt.Sprintf("%s-%d", p.Group, i)) // a member may not have made it yet
			if err == nil && c.CachedInfo().NumPending == 0 && c.CachedInfo().NumAckPending == 0 {
				break
			}
			if err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Millisecond) // the server tells nobody of it
		}
	}
}

func TestMembersShareThePartitionsAndKeepTheOrderOfEachKey(t *testing.T) {
	url := serve(t, t.TempDir(), -1).ClientURL()
	s, p := newPartitioned(t, connect(t, url), 8, jetstream.MemoryStorage, 30*time.Second)
	const n, keys = 3000, 40
	var mu sync.Mutex
	last, running := map[string]uint64{}, map[string]bool{}
	handled := [3]atomic.Int64{}
	handler := func(member int) func(jetstream.Msg) *promise.Promise[struct{}] {
		var loop = run(t)
		return func(m jetstream.Msg) *promise.Promise[struct{}] {
			meta, err := m.Metadata()
			if err != nil {
				t.Error(err)
			}
			key := m.Subject()
			mu.Lock()
			if running[key] {
				t.Errorf("two of %s at a time", key)
			}
			if last[key] >= meta.Sequence.Stream {
				t.Errorf("%s: %d after %d", key, meta.Sequence.Stream, last[key])
			}
			running[key], last[key] = true, meta.Sequence.Stream
			mu.Unlock()
			return promise.Then(promise.Sleep(context.Background(), loop, 200*time.Microsecond), func(struct{}) (struct{}, error) {
				mu.Lock()
				running[key] = false
				mu.Unlock()
				handled[member].Add(1)
				return struct{}{}, nil
			})
		}
	}
	a := joinGroup(t, url, p, handler(0))
	b := joinGroup(t, url, p, handler(1))
	s.publish(t, n, keys)
	c := joinGroup(t, url, p, handler(2)) // the others give it some
	for handled[0].Load() == 0 || handled[1].Load() == 0 || handled[2].Load() == 0 {
		s.publish(t, keys, keys)
	}
	b.end(t)
	s.publish(t, n, keys)
	s.settledAll(t, p, 8)
	a.end(t)
	c.end(t)
	t.Logf("%d, %d and %d messages", handled[0].Load(), handled[1].Load(), handled[2].Load())
	if got := handled[0].Load() + handled[1].Load() + handled[2].Load(); got < 2*n {
		t.Errorf("%d messages were handled", got)
	}
}

func TestAMessageThatFailedComesAgainAfterItsDelayAndBlocksNoTakeover(t *testing.T) {
	url := serve(t, t.TempDir(), -1).ClientURL()
	s, p := newPartitioned(t, connect(t, url), 2, jetstream.MemoryStorage, 30*time.Second)
	loop := run(t)
	failedOnce := make(chan struct{})
	var once sync.Once
	a := joinGroup(t, url, p, func(m jetstream.Msg) *promise.Promise[struct{}] {
		once.Do(func() { close(failedOnce) })
		return promise.Reject[struct{}](loop, natsloop.RetryAfter(errors.New("later"), time.Hour))
	})
	s.publish(t, 1, 1)
	testkit.Await(t, "failedOnce", failedOnce)
	delivered := make(chan uint64, 1)
	b := joinGroup(t, url, p, func(m jetstream.Msg) *promise.Promise[struct{}] {
		meta, _ := m.Metadata()
		delivered <- meta.NumDelivered
		return nil
	})
	a.end(t)
	if n := testkit.Await(t, "delivered", delivered); n != 2 {
		t.Errorf("delivery number %d, want 2", n)
	}
	b.end(t)

	var tries atomic.Int64
	c := joinGroup(t, url, p, func(m jetstream.Msg) *promise.Promise[struct{}] {
		if tries.Add(1) == 1 {
			return promise.Reject[struct{}](loop, natsloop.RetryAfter(errors.New("soon"), 10*time.Millisecond))
		}
		return nil
	})
	s.publish(t, 1, 1)
	s.settledAll(t, p, 2)
	c.end(t)
	if n := tries.Load(); n != 2 {
		t.Errorf("%d tries", n)
	}
}

func TestAStreamWithoutPartitionsIsRefused(t *testing.T) {
	js := connect(t, serve(t, t.TempDir(), -1).ClientURL())
	newStream(t, js, jetstream.MemoryStorage, time.Minute)
	err := natsloop.ConsumePartitions(t.Context(), js, natsloop.Partitions{Stream: work, Group: "group"}, natsloop.On(run(t)),
		func(jetstream.Msg) *promise.Promise[struct{}] { return nil })
	if !errors.Is(err, natsloop.ErrNotPartitioned) {
		t.Error(err)
	}
}

func TestAMemberWithOtherSettingsIsRefused(t *testing.T) {
	url := serve(t, t.TempDir(), -1).ClientURL()
	s, p := newPartitioned(t, connect(t, url), 2, jetstream.MemoryStorage, 30*time.Second)
	nothing := func(jetstream.Msg) *promise.Promise[struct{}] { return nil }
	handled := make(chan struct{})
	a := joinGroup(t, url, p, func(jetstream.Msg) *promise.Promise[struct{}] { close(handled); return nil })
	s.publish(t, 1, 1)
	testkit.Await(t, "handled", handled)
	p.Config.AckWait = time.Minute
	b := joinGroup(t, url, p, nothing)
	if err := testkit.Await(t, "result", b.result); !errors.Is(err, jetstream.ErrConsumerExists) {
		t.Error(err)
	}
	a.end(t)
}

func TestPartitionByHashesTheWildcards(t *testing.T) {
	for source, want := range map[string]string{
		"payments.*":   "{{partition(8,1)}}.payments.{{wildcard(1)}}",
		"a.*.b.*":      "{{partition(8,1,2)}}.a.{{wildcard(1)}}.b.{{wildcard(2)}}",
		"payments.>":   "{{partition(8)}}.payments.>",
		">":            "{{partition(8)}}.>",
		"payments.*.>": "{{partition(8)}}.payments.{{wildcard(1)}}.>",
	} {
		if got := natsloop.PartitionBy(source, 8).Destination; got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
		js := connect(t, serve(t, t.TempDir(), -1).ClientURL())
		if source == ">" {
			continue // would be of the server's own subjects, too
		}
		if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: work, Subjects: []string{source}, SubjectTransform: natsloop.PartitionBy(source, 8)}); err != nil {
			t.Error(fmt.Errorf("%s: %w", source, err))
		}
	}
	if got, want := natsloop.PartitionBy("a.*.b.*", 8, 2).Destination, "{{partition(8,2)}}.a.{{wildcard(1)}}.b.{{wildcard(2)}}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
