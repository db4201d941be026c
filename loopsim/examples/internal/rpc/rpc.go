// Package rpc sends requests of a line over connections of loops, and brings the answers back.
package rpc

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/loopnet"
	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/promise"
)

// lineMost is how long a request or an answer may be.
const lineMost = 1 << 16

// Serve has handle called with each request to a port. It may answer at once, later, or never.
func Serve(h *loopsim.Host, port int, handle func(request string, answer func(string))) error {
	_, err := h.Listen(port, func(c *loopnet.Conn) {
		c.OnLines(lineMost, func(line []byte) {
			number, request, _ := strings.Cut(string(line), " ")
			handle(request, func(s string) { c.Write([]byte(number + " " + s + "\n")) })
		})
	})
	return err
}

// A Client asks a server. It connects when it has to, and again when the connection has failed or an answer has not come in time.
type Client struct {
	h       *loopsim.Host
	address string
	link    *link
	asked   int
}

// A link is a connection of a client, or an attempt to get one.
type link struct {
	ready  *promise.Promise[*loopnet.Conn]
	cancel context.CancelFunc
	conn   *loopnet.Conn
	calls  []call
	over   bool
}

// A call is a request that waits for its answer.
type call struct {
	number string
	answer promise.Resolver[string]
}

var errClosed = errors.New("rpc: the connection is closed")

// NewClient makes a client of the server at an address.
func NewClient(h *loopsim.Host, address string) *Client { return &Client{h: h, address: address} }

// Call asks, and returns the promise of the answer. It rejects when no answer has come in time. The request may have arrived.
func (c *Client) Call(request string, limit time.Duration) *promise.Promise[string] {
	l := c.link
	if l == nil {
		l = c.connect()
	}
	answer := promise.WithTimeout(context.Background(), c.h.Loop(), limit, func(context.Context) *promise.Promise[string] {
		return promise.ThenPromise(l.ready, func(conn *loopnet.Conn) *promise.Promise[string] {
			p, r := promise.WithResolvers[string](c.h.Loop())
			if l.over {
				r.Reject(errClosed)
				return p
			}
			c.asked++
			number := strconv.Itoa(c.asked)
			l.calls = append(l.calls, call{number, r})
			conn.Write([]byte(number + " " + request + "\n"))
			return p
		})
	})
	return answer.Catch(func(err error) (string, error) {
		c.drop(l, err)
		return "", err
	})
}

func (c *Client) connect() *link {
	ctx, cancel := context.WithCancel(context.Background())
	l := &link{cancel: cancel}
	c.link = l
	l.ready = promise.Then(c.h.Dial(ctx, c.address), func(conn *loopnet.Conn) (*loopnet.Conn, error) {
		if l.over {
			conn.Close()
			return nil, errClosed
		}
		l.conn = conn
		conn.OnLines(lineMost, func(line []byte) {
			number, text, _ := strings.Cut(string(line), " ")
			i := slices.IndexFunc(l.calls, func(x call) bool { return x.number == number })
			if i >= 0 {
				answer := l.calls[i].answer
				l.calls = slices.Delete(l.calls, i, i+1)
				answer.Resolve(text)
			}
		})
		conn.OnClose(func(error) { c.drop(l, errClosed) })
		return conn, nil
	})
	return l
}

// drop gives a link up: what waits for it fails, and the next call connects again.
func (c *Client) drop(l *link, err error) {
	if c.link == l {
		c.link = nil
	}
	if l.over {
		return
	}
	l.over = true
	l.cancel()
	if l.conn != nil {
		l.conn.Close()
	}
	for _, x := range l.calls {
		x.answer.Reject(err)
	}
	l.calls = nil
}
