package natsloop_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func TestAMessagesIDIsThePublishersOrItsPlaceInTheStream(t *testing.T) {
	for _, test := range []struct {
		m    *message
		want string
	}{
		{&message{sequence: 42}, "STREAM:42"},
		{&message{sequence: 42, headers: nats.Header{jetstream.MsgIDHeader: {"order 7"}}}, "order 7"},
		{&message{}, ""},
	} {
		if got := natsloop.MessageID(test.m); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestDeduplicateHandlesAgainOnlyWhatHasNotSucceededWithinItsWindow(t *testing.T) {
	loop := eventloop.New()
	go func() { _ = loop.Run(context.Background()) }()
	defer func() { _ = loop.Shutdown(context.Background()) }()
	failed := errors.New("failed")
	var calls []uint64
	outcomes := map[string]func() outcome{
		"nothing": func() outcome { return nil },
		"settled": func() outcome { return promise.Resolve(loop, struct{}{}) },
		"later":   func() outcome { return promise.Sleep(context.Background(), loop, time.Millisecond) },
		"failed":  func() outcome { return promise.Reject[struct{}](loop, failed) },
		"fails later": func() outcome {
			return promise.Then(promise.Sleep(context.Background(), loop, time.Millisecond), func(struct{}) (struct{}, error) { return struct{}{}, failed })
		},
	}
	handle := natsloop.Deduplicate(2, func(m jetstream.Msg) outcome {
		meta, _ := m.Metadata()
		calls = append(calls, meta.Sequence.Stream)
		return outcomes[string(m.Data())]()
	})
	deliver := func(seq uint64, data string) {
		settled := make(chan struct{})
		_ = loop.Submit(func() {
			p := handle(&message{sequence: seq, data: data})
			if p == nil {
				close(settled)
				return
			}
			promise.ThenElse(p, func(struct{}) (struct{}, error) { close(settled); return struct{}{}, nil },
				func(error) (struct{}, error) { close(settled); return struct{}{}, nil })
		})
		testkit.Await(t, "settled", settled)
	}
	for i, step := range []struct {
		seq  uint64
		data string
		call bool
	}{
		{1, "nothing", true}, {1, "nothing", false},
		{2, "settled", true}, {2, "settled", false}, {1, "nothing", false},
		{3, "later", true}, {3, "later", false}, {2, "settled", false},
		{1, "nothing", true}, // 2 and 3 have displaced it
		{4, "failed", true}, {4, "fails later", true}, {4, "later", true}, {4, "later", false},
	} {
		before := len(calls)
		deliver(step.seq, step.data)
		if called := len(calls) > before; called != step.call {
			t.Errorf("step %d: handled: %v, want %v", i, called, step.call)
		}
	}
	if !slices.Equal(calls, []uint64{1, 2, 3, 1, 4, 4, 4}) {
		t.Error(calls)
	}
}

func ExampleDeduplicate() {
	loop := eventloop.New()
	handle := natsloop.Deduplicate(10_000, func(m jetstream.Msg) *promise.Promise[struct{}] {
		fmt.Println("handled:", natsloop.MessageID(m))
		return nil
	})
	var m jetstream.Msg = &message{sequence: 1}
	_ = loop.Submit(func() { handle(m) })
	_ = loop.Submit(func() { handle(m) }) // delivered again
	_ = loop.Submit(func() { _ = loop.Shutdown(context.Background()) })
	_ = loop.Run(context.Background())
	// Output: handled: STREAM:1
}
