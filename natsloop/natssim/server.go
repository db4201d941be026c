package natssim

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	port     = 4222
	lineMost = 1 << 20
)

// A packet is a line between a client and the server. Its kind says which fields it has.
type packet struct {
	Kind    string
	Number  int         `json:",omitempty"` // publish and published: of the request; pull: of messages
	Seq     uint64      `json:",omitempty"` // in the stream
	Times   uint64      `json:",omitempty"` // deliver: of the deliveries
	Subject string      `json:",omitempty"`
	Data    []byte      `json:",omitempty"`
	Header  nats.Header `json:",omitempty"`
	At      time.Time
	Delay   time.Duration `json:",omitempty"` // nak
	Known   bool          `json:",omitempty"` // published: the stream has it already
}

// The kinds of packets.
const (
	publish   = "publish"
	published = "published"
	pull      = "pull"
	deliver   = "deliver"
	ack       = "ack"
	nak       = "nak"
	progress  = "progress"
	term      = "term"
)

// A Server is a NATS server of a world. Its methods may be called from the world's callbacks, and at its end.
type Server struct {
	name     string
	config   jetstream.ConsumerConfig
	messages []*stored // the stream; sequence numbers begin at 1
	ids      map[string]uint64

	// These fields belong to the host's present life.
	h       *loopsim.Host
	next    int // in messages: the first that was never delivered
	again   []*stored
	pulling []*client
}

// A stored is a message of the stream.
type stored struct {
	packet
	pending bool // it was delivered, and is not settled
	settled bool
	queued  bool            // it is in again
	timer   eventloop.Timer // for the next delivery
}

// A client is a connection at the server.
type client struct {
	conn *loopnet.Conn
	room int // messages that it has asked for, and not got
}

// NewServer adds a host with a server to a world. AckWait and MaxAckPending of the consumer's configuration are used; they are 30 s and 1,000 by
// default.
func NewServer(w *loopsim.World, host string, config jetstream.ConsumerConfig) *Server {
	if config.AckWait <= 0 {
		config.AckWait = 30 * time.Second
	}
	if config.MaxAckPending <= 0 {
		config.MaxAckPending = 1000
	}
	s := &Server{name: host, config: config, ids: map[string]uint64{}}
	w.Host(host, s.boot)
	return s
}

// Unsettled is the number of messages without an acknowledgement, those that are terminated aside.
func (s *Server) Unsettled() int {
	n := 0
	for _, m := range s.messages {
		if !m.settled {
			n++
		}
	}
	return n
}

// Len is the number of messages in the stream.
func (s *Server) Len() int { return len(s.messages) }

func (s *Server) boot(h *loopsim.Host) {
	s.h, s.again, s.pulling = h, nil, nil
	for _, m := range s.messages {
		if m.queued = false; m.pending {
			s.redeliver(m, s.config.AckWait)
		}
	}
	_, err := h.Listen(port, func(conn *loopnet.Conn) {
		c := &client{conn: conn}
		conn.OnLines(lineMost, func(line []byte) {
			var p packet
			if json.Unmarshal(line, &p) == nil {
				s.handle(c, p)
			}
		})
		conn.OnClose(func(error) { s.pulling = slices.DeleteFunc(s.pulling, func(x *client) bool { return x == c }) })
	})
	if err != nil {
		h.World().Failf("natssim: %v", err)
	}
}

func (s *Server) handle(c *client, p packet) {
	switch p.Kind {
	case publish:
		s.publish(c, p)
	case pull:
		if c.room == 0 && p.Number > 0 {
			s.pulling = append(s.pulling, c)
		}
		c.room += p.Number
		s.deliver()
	default:
		if p.Seq < 1 || p.Seq > uint64(len(s.messages)) {
			return
		}
		if m := s.messages[p.Seq-1]; m.pending { // as the server does: an answer to an earlier delivery counts
			s.settle(m, p)
		}
	}
}

func (s *Server) publish(c *client, p packet) {
	id := p.Header.Get(jetstream.MsgIDHeader)
	seq, known := s.ids[id]
	if known = known && id != ""; !known {
		seq = uint64(len(s.messages) + 1)
		s.ids[id] = seq
		s.messages = append(s.messages, &stored{packet: packet{Kind: deliver, Seq: seq, Subject: p.Subject, Data: p.Data, Header: p.Header, At: s.h.Now()}})
	}
	c.send(packet{Kind: published, Number: p.Number, Seq: seq, Known: known})
	s.deliver()
}

func (s *Server) settle(m *stored, p packet) {
	switch p.Kind {
	case ack, term:
		m.pending, m.settled = false, true
		m.timer.Stop()
		s.again = slices.DeleteFunc(s.again, func(x *stored) bool { return x == m })
	case progress:
		if !m.queued {
			s.redeliver(m, s.config.AckWait)
		}
	case nak:
		if !m.queued {
			s.redeliver(m, p.Delay)
		}
	}
	s.deliver()
}

// redeliver has a message delivered again after a time.
func (s *Server) redeliver(m *stored, after time.Duration) {
	m.timer.Stop()
	queue := func() {
		m.queued = true
		s.again = append(s.again, m)
	}
	if after <= 0 {
		queue()
		return
	}
	m.timer, _ = s.h.Loop().ScheduleTimer(after, func() { queue(); s.deliver() })
}

// deliver sends messages to the clients that have asked for them, in turn. Messages that were delivered before come first.
func (s *Server) deliver() {
	for len(s.pulling) > 0 {
		m := s.first()
		if m == nil {
			return
		}
		c := s.pulling[0]
		s.pulling = s.pulling[1:]
		if c.room--; c.room > 0 {
			s.pulling = append(s.pulling, c)
		}
		m.Times++
		m.pending = true
		s.redeliver(m, s.config.AckWait)
		c.send(m.packet)
	}
}

// first takes the next message to deliver, or nil.
func (s *Server) first() *stored {
	if len(s.again) > 0 {
		m := s.again[0]
		s.again = s.again[1:]
		m.queued = false
		return m
	}
	pending := 0
	for _, m := range s.messages[:s.next] {
		if m.pending {
			pending++
		}
	}
	if s.next == len(s.messages) || pending >= s.config.MaxAckPending {
		return nil
	}
	s.next++
	return s.messages[s.next-1]
}

func (c *client) send(p packet) { c.conn.Write(encode(p)) }

func encode(p packet) []byte {
	line, _ := json.Marshal(p) // has only fields that can be encoded
	return append(line, '\n')
}
