package loopnet

import (
	"context"
	"os"
	"sync"

	"github.com/eventloop-go/eventloop"
)

var errDeadline = os.ErrDeadlineExceeded

// A group is the connections and listeners of a loop, which are closed when it ends.
type group struct {
	mu        sync.Mutex
	first     *Conn
	listeners map[*Listener]bool
	over      bool
}

var groups struct {
	sync.Mutex
	of map[*eventloop.Loop]*group
}

// groupOf returns the group of a loop.
func groupOf(loop *eventloop.Loop) *group {
	groups.Lock()
	defer groups.Unlock()
	g := groups.of[loop]
	if g == nil {
		g = &group{listeners: map[*Listener]bool{}}
		if groups.of == nil {
			groups.of = map[*eventloop.Loop]*group{}
		}
		groups.of[loop] = g
		context.AfterFunc(loop.Context(), func() {
			groups.Lock()
			delete(groups.of, loop)
			groups.Unlock()
			g.end()
		})
	}
	return g
}

// add adds a connection, or reports false if the loop has ended.
func (g *group) add(c *Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return false
	}
	c.group = g
	if c.after = g.first; c.after != nil {
		c.after.before = c
	}
	g.first = c
	return true
}

func (g *group) remove(c *Conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.before != nil {
		c.before.after = c.after
	} else if g.first == c {
		g.first = c.after
	}
	if c.after != nil {
		c.after.before = c.before
	}
	c.before, c.after = nil, nil
}

// listen adds a listener, unless it is closed, or reports false if the loop has ended. What accept has set is seen by end.
func (g *group) listen(l *Listener) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.over && !l.closed {
		g.listeners[l] = true
	}
	return !g.over
}

func (g *group) forget(l *Listener) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l.closed = true
	delete(g.listeners, l)
}

// end closes what is left. The loop has ended, so nobody else uses the connections.
func (g *group) end() {
	g.mu.Lock()
	g.over = true
	var left []*Conn
	for c := g.first; c != nil; c = c.after {
		left = append(left, c)
	}
	var listeners []*Listener
	for l := range g.listeners {
		listeners = append(listeners, l)
	}
	g.mu.Unlock()
	for _, c := range left {
		c.release()
	}
	for _, l := range listeners {
		_ = l.Close()
	}
}
