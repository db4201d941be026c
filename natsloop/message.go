package natsloop

import (
	"strconv"
	"sync"

	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go/jetstream"
)

// MessageID returns a name of the message that is the same in each of its deliveries. It is the header Nats-Msg-Id if
// the publisher has set one. Otherwise it is the stream's name and the message's sequence in it, such as
// "PAYMENTS:42". For a message without either, which is not of JetStream, it is "".
func MessageID(m jetstream.Msg) string {
	if id := m.Headers().Get(jetstream.MsgIDHeader); id != "" {
		return id
	}
	meta, err := m.Metadata()
	if err != nil {
		return ""
	}
	return meta.Stream + ":" + strconv.FormatUint(meta.Sequence.Stream, 10)
}

// Deduplicate returns a handler for [Consume] or [ConsumePartitions] that calls handle once for messages of equal [MessageID]
// among the last window messages that succeeded. A message that succeeded before is acknowledged, and handle is not called.
//
// A message counts as succeeded when handle has returned nil or its promise is fulfilled; one that failed is handled again. The
// window is in the memory of this process: a message whose acknowledgement is lost with the process is handled again by the
// next one. Work that must happen once records the message's ID together with its effect, in one transaction.
//
// It keeps window IDs, about 100 bytes each; window below 1 counts as 1. The returned handler may be used on any number of
// loops. It relies on deliveries of one message being of one key.
func Deduplicate[T any](window int, handle func(jetstream.Msg) *promise.Promise[T]) func(jetstream.Msg) *promise.Promise[T] {
	done := &recent{order: make([]string, max(window, 1)), known: map[string]struct{}{}}
	return func(m jetstream.Msg) *promise.Promise[T] {
		id := MessageID(m)
		if id == "" {
			return handle(m)
		}
		if done.has(id) {
			return nil
		}
		p := handle(m)
		if p == nil {
			done.add(id)
			return nil
		}
		if r, ok := p.Result(); ok {
			if r.Err == nil {
				done.add(id)
			}
			return p
		}
		return promise.Then(p, func(v T) (T, error) { done.add(id); return v, nil })
	}
}

// recent is the last IDs that were added, as many as order holds.
type recent struct {
	mu    sync.Mutex
	known map[string]struct{}
	order []string // a ring: the oldest is at next when it is full
	next  int
}

func (r *recent) has(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.known[id]
	return ok
}

func (r *recent) add(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.known[id]; ok {
		return
	}
	if oldest := r.order[r.next]; oldest != "" {
		delete(r.known, oldest)
	}
	r.order[r.next] = id
	r.known[id] = struct{}{}
	r.next = (r.next + 1) % len(r.order)
}
