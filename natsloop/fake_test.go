package natsloop_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A consumer is a jetstream.Consumer without a server: it delivers what send is given, as the client does, on one goroutine.
type consumer struct {
	jetstream.Consumer
	config jetstream.ConsumerConfig
	gone   error // what Info returns

	mu      sync.Mutex
	handler jetstream.MessageHandler
	began   chan struct{} // closed when Consume was called
	ended   chan struct{}
	drained sync.Once
	log     []string // messages to the server: word and data
	change  chan struct{}
}

func newConsumer() *consumer {
	return &consumer{config: jetstream.ConsumerConfig{AckPolicy: jetstream.AckExplicitPolicy, AckWait: 30 * time.Second},
		began: make(chan struct{}), ended: make(chan struct{}), change: make(chan struct{})}
}

func (c *consumer) CachedInfo() *jetstream.ConsumerInfo {
	return &jetstream.ConsumerInfo{Config: c.config}
}

func (c *consumer) Info(context.Context) (*jetstream.ConsumerInfo, error) {
	return c.CachedInfo(), c.gone
}

func (c *consumer) Consume(h jetstream.MessageHandler, _ ...jetstream.PullConsumeOpt) (jetstream.ConsumeContext, error) {
	c.handler = h
	close(c.began)
	return c, nil
}

func (c *consumer) Stop()                   { c.Drain() }
func (c *consumer) Drain()                  { c.drained.Do(func() { close(c.ended) }) }
func (c *consumer) Closed() <-chan struct{} { return c.ended }

// send delivers messages of a subject.
func (c *consumer) send(subject string, data ...string) {
	<-c.began
	for _, d := range data {
		c.handler(&message{consumer: c, subject: subject, data: d})
	}
}

func (c *consumer) told(word string, m *message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log = append(c.log, word+" "+m.data)
	close(c.change)
	c.change = make(chan struct{})
	return nil
}

// expect waits until the server has as many messages, in any order if that is sorted, and fails if they differ.
func (c *consumer) expect(t *testing.T, want ...string) {
	t.Helper()
	for {
		c.mu.Lock()
		log, change := c.log, c.change
		c.mu.Unlock()
		if len(log) >= len(want) {
			if got, want := strings.Join(log, ", "), strings.Join(want, ", "); got != want {
				t.Errorf("the server was told %s; want %s", got, want)
			}
			return
		}
		select {
		case <-change:
		case <-time.After(testkit.Patience):
			t.Fatalf("the server was told only %v; want %v", log, want)
		}
	}
}

type message struct {
	jetstream.Msg
	consumer      *consumer
	subject, data string
	headers       nats.Header
	sequence      uint64
}

func (m *message) Headers() nats.Header { return m.headers }

func (m *message) Metadata() (*jetstream.MsgMetadata, error) {
	if m.sequence == 0 {
		return nil, jetstream.ErrNotJSMessage
	}
	return &jetstream.MsgMetadata{Stream: "STREAM", Sequence: jetstream.SequencePair{Stream: m.sequence}}, nil
}

func (m *message) Subject() string   { return m.subject }
func (m *message) Data() []byte      { return []byte(m.data) }
func (m *message) Ack() error        { return m.consumer.told("ack", m) }
func (m *message) Nak() error        { return m.consumer.told("nak", m) }
func (m *message) InProgress() error { return m.consumer.told("in progress", m) }

func (m *message) NakWithDelay(d time.Duration) error {
	return m.consumer.told(fmt.Sprint("nak after ", d), m)
}

func (m *message) TermWithReason(reason string) error {
	return m.consumer.told("term because of "+reason, m)
}

// quiet keeps errors that a test brings about out of the log.
var quiet = natsloop.WithErrorHandler(func(jetstream.Msg, error) {})
