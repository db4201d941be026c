package natssim

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	reconnectWait  = 500 * time.Millisecond
	pingInterval   = 5 * time.Second
	publishTimeout = 5 * time.Second
)

// A Conn is a connection to a server, which is made again whenever it fails. It keeps what it could not send meanwhile. It must be used on the
// loop of its host.
type Conn struct {
	h        *loopsim.Host
	server   *Server
	address  string
	conn     *loopnet.Conn // nil while it is down
	waiting  []packet
	asked    int
	answers  map[int]promise.Resolver[*jetstream.PubAck]
	consumer *consumer
}

// Connect makes a connection of a host to a server.
func Connect(h *loopsim.Host, server *Server) *Conn {
	c := &Conn{h: h, server: server, address: fmt.Sprintf("%s:%d", server.name, port), answers: map[int]promise.Resolver[*jetstream.PubAck]{}}
	c.connect()
	return c
}

func (c *Conn) connect() {
	promise.ThenElse(c.h.Dial(context.Background(), c.address), func(conn *loopnet.Conn) (int, error) {
		c.conn = conn
		conn.OnLines(lineMost, func(line []byte) {
			var p packet
			if json.Unmarshal(line, &p) == nil {
				c.handle(p)
			}
		})
		conn.OnClose(func(error) {
			if c.conn == conn {
				c.conn = nil
				c.again()
			}
		})
		for _, p := range c.waiting {
			conn.Write(encode(p))
		}
		c.waiting = nil
		if c.consumer != nil {
			c.consumer.asked = 0
			c.consumer.pull()
		}
		c.ping(conn)
		return 0, nil
	}, func(error) (int, error) { c.again(); return 0, nil })
}

func (c *Conn) again() { _, _ = c.h.Loop().ScheduleTimer(reconnectWait, c.connect) }

// ping finds out whether a silent server is there.
func (c *Conn) ping(conn *loopnet.Conn) {
	_, _ = c.h.Loop().ScheduleTimer(pingInterval, func() {
		if c.conn == conn {
			conn.Write(encode(packet{Kind: pull}))
			c.ping(conn)
		}
	})
}

func (c *Conn) send(p packet) {
	if c.conn == nil {
		c.waiting = append(c.waiting, p)
		return
	}
	c.conn.Write(encode(p))
}

func (c *Conn) handle(p packet) {
	switch p.Kind {
	case published:
		if r, waits := c.answers[p.Number]; waits {
			delete(c.answers, p.Number)
			r.Resolve(&jetstream.PubAck{Stream: stream, Sequence: p.Seq, Duplicate: p.Known})
		}
	case deliver:
		if c.consumer != nil {
			c.consumer.take(p)
		}
	}
}

// Publish stores a message in the stream. The promise rejects if no answer has come within 5 s. The message may be stored
// then: one with a header Nats-Msg-Id can be published again.
func (c *Conn) Publish(m *nats.Msg) *promise.Promise[*jetstream.PubAck] {
	return promise.WithTimeout(context.Background(), c.h.Loop(), publishTimeout, func(context.Context) *promise.Promise[*jetstream.PubAck] {
		p, r := promise.WithResolvers[*jetstream.PubAck](c.h.Loop())
		c.asked++
		c.answers[c.asked] = r
		c.send(packet{Kind: publish, Number: c.asked, Subject: m.Subject, Data: m.Data, Header: m.Header})
		return p
	})
}
