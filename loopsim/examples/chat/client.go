package chat

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/promise"
)

const (
	again   = 500 * time.Millisecond // between two attempts to connect
	ping    = time.Second
	silence = 3 * time.Second // after which a connection is given up
)

// A message is one that was not acknowledged.
type message struct {
	number int
	text   string
}

// A Client says messages, and shows what is said. It connects by itself.
type Client struct {
	h       *loopsim.Host
	bug     Bug
	conn    *loopnet.Conn
	pending []message
	number  int // of the last message
	seen    int // messages that were shown
	heard   time.Duration
	show    func(line string)
	acked   func(text string)
}

// Join runs a client: show is called with each message that is said, acked with each of its own that the server keeps.
func Join(h *loopsim.Host, bug Bug, show, acked func(string)) *Client {
	c := &Client{h: h, bug: bug, show: show, acked: acked}
	c.connect()
	if bug == NoLimit {
		return c
	}
	_, _ = h.Loop().ScheduleRepeating(ping, func() {
		switch {
		case c.conn == nil:
		case h.Uptime()-c.heard > silence:
			c.conn.Close()
		default:
			c.conn.Write([]byte("ping\n"))
		}
	})
	return c
}

// Say says something, now or when there is a connection.
func (c *Client) Say(text string) {
	c.number++
	c.pending = append(c.pending, message{c.number, text})
	c.send(c.pending[len(c.pending)-1:])
}

func (c *Client) send(messages []message) {
	for _, m := range messages {
		if c.conn != nil {
			c.conn.Write(fmt.Appendf(nil, "say %d %s\n", m.number, m.text))
		}
	}
}

func (c *Client) connect() {
	promise.ThenElse(c.h.Dial(context.Background(), "server:80"), func(conn *loopnet.Conn) (int, error) {
		c.conn, c.heard = conn, c.h.Uptime()
		conn.OnLines(lineMost, c.line)
		conn.OnClose(func(error) {
			c.conn = nil
			c.later()
		})
		conn.Write(fmt.Appendf(nil, "hello %s %d\n", c.h.Name(), c.seen))
		switch c.bug {
		case ForgetsSent:
			c.pending = nil
		case NewNumbers:
			for i := range c.pending {
				c.number++
				c.pending[i].number = c.number
			}
		}
		c.send(c.pending)
		return 0, nil
	}, func(error) (int, error) {
		c.later()
		return 0, nil
	})
}

func (c *Client) later() { _, _ = c.h.Loop().ScheduleTimer(again, c.connect) }

func (c *Client) line(line []byte) {
	c.heard = c.h.Uptime()
	kind, rest, _ := strings.Cut(string(line), " ")
	switch kind {
	case "said":
		number, text, _ := strings.Cut(rest, " ")
		n, _ := strconv.Atoi(number)
		c.seen = n
		c.show(text)
	case "ack":
		n, _ := strconv.Atoi(rest)
		for len(c.pending) > 0 && c.pending[0].number <= n {
			c.acked(c.pending[0].text)
			c.pending = c.pending[1:]
		}
	}
}
