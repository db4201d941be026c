package natssim

import (
	"context"
	"errors"
	"time"

	"github.com/eventloop-go/eventloop/natsloop"
	"github.com/eventloop-go/eventloop/natsloop/internal/simulated"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const stream = "SIMULATED"

// A consumer is a host's part of the server's.
type consumer struct {
	c        *Conn
	handling simulated.Consumption
	asked    int // messages that the server owes
	queued   bool
}

// Consume calls handle with the messages of the server's consumer, as [natsloop.Consume] does, until the host ends. It is called once for
// a connection.
func Consume[T any](c *Conn, handle func(jetstream.Msg) *promise.Promise[T], opts ...natsloop.Option) {
	some := make([]any, len(opts))
	for i, o := range opts {
		some[i] = o
	}
	c.consumer = &consumer{c: c}
	c.consumer.handling = simulated.Begin(c.h.Loop(), func(m jetstream.Msg) *promise.Promise[struct{}] {
		p := handle(m)
		if p == nil {
			return nil
		}
		return promise.Then(p, func(T) (struct{}, error) { return struct{}{}, nil })
	}, some)
	_, _ = c.h.Loop().ScheduleRepeating(c.server.config.AckWait/3, c.consumer.extend)
	c.consumer.pull()
}

// extend tells the server that the messages in flight are in progress.
func (s *consumer) extend() {
	for _, m := range s.handling.InFlight() {
		_ = m.InProgress() // of one that is settled meanwhile
	}
}

// pull asks for as many messages as there is room for.
func (s *consumer) pull() {
	s.queued = false
	n := s.handling.Limit - len(s.handling.InFlight()) - s.asked
	if n > 0 && s.c.conn != nil {
		s.asked += n
		s.c.send(packet{Kind: pull, Number: n})
	}
}

func (s *consumer) take(p packet) {
	s.asked = max(s.asked-1, 0)
	s.handling.Deliver(&message{s: s, packet: p})
}

// A message is a delivery, as handlers see it.
type message struct {
	s *consumer
	packet
	settled bool
}

var _ jetstream.Msg = (*message)(nil)

func (m *message) Metadata() (*jetstream.MsgMetadata, error) {
	return &jetstream.MsgMetadata{Stream: stream, Consumer: stream, NumDelivered: m.Times, Timestamp: m.At,
		Sequence: jetstream.SequencePair{Stream: m.Seq}}, nil
}

func (m *message) Data() []byte         { return m.packet.Data }
func (m *message) Headers() nats.Header { return m.Header }
func (m *message) Subject() string      { return m.packet.Subject }
func (m *message) Reply() string        { return "" }

// DoubleAck is not simulated: it waits.
func (m *message) DoubleAck(context.Context) error {
	return errors.New("natssim: DoubleAck is not simulated")
}

func (m *message) Ack() error                         { return m.settle(packet{Kind: ack}) }
func (m *message) Nak() error                         { return m.settle(packet{Kind: nak}) }
func (m *message) NakWithDelay(d time.Duration) error { return m.settle(packet{Kind: nak, Delay: d}) }
func (m *message) Term() error                        { return m.settle(packet{Kind: term}) }
func (m *message) TermWithReason(string) error        { return m.settle(packet{Kind: term}) }

func (m *message) InProgress() error {
	if m.settled {
		return jetstream.ErrMsgAlreadyAckd
	}
	m.s.c.send(packet{Kind: progress, Seq: m.Seq})
	return nil
}

func (m *message) settle(p packet) error {
	if m.settled {
		return jetstream.ErrMsgAlreadyAckd
	}
	m.settled = true
	p.Seq = m.Seq
	m.s.c.send(p)
	if s := m.s; !s.queued { // when it is out of flight
		s.queued = true
		_ = s.c.h.Loop().Submit(s.pull) // refused by a loop that is ending
	}
	return nil
}
