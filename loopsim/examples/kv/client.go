package kv

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/loopsim"
	"github.com/eventloop-go/eventloop/loopsim/examples/internal/rpc"
	"github.com/eventloop-go/eventloop/promise"
)

// A Client asks the servers, one after the other, until the leader has answered.
type Client struct {
	h       *loopsim.Host
	names   []string
	servers []*rpc.Client
	leader  int // the server to ask
}

// NewClient makes a client of the servers of these names.
func NewClient(h *loopsim.Host, names []string) *Client {
	c := &Client{h: h, names: names}
	for _, name := range names {
		c.servers = append(c.servers, rpc.NewClient(h, name+":80"))
	}
	return c
}

// Do asks for an operation, and calls done with the value of the key. The id must be that of no other request.
func (c *Client) Do(id, op string, done func(value string)) {
	promise.Async(context.Background(), c.h.Loop(), func(co *promise.Coroutine) (int, error) {
		question, err := json.Marshal(message{Kind: "do", ID: id, Op: op})
		if err != nil {
			return 0, err
		}
		for {
			asked := c.leader
			var a answer
			patience := time.Duration(500+c.h.Rand.IntN(3000)) * time.Millisecond // the server may be slow, and may be gone
			text, err := promise.Await(co, c.servers[asked].Call(string(question), patience))
			if err == nil {
				err = json.Unmarshal([]byte(text), &a)
			}
			if err == nil && a.OK {
				done(a.Value)
				return 0, nil
			}
			if c.leader == asked { // no other request has learnt more
				if c.leader = slices.Index(c.names, a.Leader); c.leader < 0 || a.Leader == c.names[asked] {
					c.leader = (asked + 1) % len(c.names)
				}
			}
			wait := time.Duration(c.h.Rand.IntN(100)) * time.Millisecond
			if _, err := promise.Await(co, promise.Sleep(context.Background(), c.h.Loop(), wait)); err != nil {
				return 0, nil // the host ends
			}
		}
	})
}
