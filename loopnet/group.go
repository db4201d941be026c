package loopnet

import (
	"sync"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

// A group is the connections and listeners of a loop, which are ended with it.
//
// All but the listeners is the loop's. At the loop's end, the goroutine that ends it has it.
type group struct {
	loop  *eventloop.Loop
	hooks adapter.Hooks
	turn  turn
	vec   vector // for one system call
	first *Conn
	n     int // connections
	drain *drain

	joined []byte // for one call of TLS
	sealed []byte // records until they are sent

	mu        sync.Mutex
	listeners map[*Listener]bool
	over      bool
}

var groups struct {
	sync.Mutex
	of map[*eventloop.Loop]*group
}

// groupOf returns the group of a loop. The error says that the loop has begun to end.
func groupOf(loop *eventloop.Loop) (*group, error) {
	groups.Lock()
	defer groups.Unlock()
	if g := groups.of[loop]; g != nil {
		return g, nil
	}
	g := &group{loop: loop, hooks: adapter.Of(loop), listeners: map[*Listener]bool{}}
	g.turn.group = g
	if err := g.hooks.AtEnd(g.stop, g.end); err != nil {
		return nil, err
	}
	if groups.of == nil {
		groups.of = map[*eventloop.Loop]*group{}
	}
	groups.of[loop] = g
	return g, nil
}

// add adds a connection. As long as there is one, a graceful shutdown of the loop waits.
func (g *group) add(c *Conn) {
	if g.n++; g.n == 1 {
		g.hooks.Hold(1)
	}
	c.group = g
	if c.after = g.first; c.after != nil {
		c.after.before = c
	}
	g.first = c
}

func (g *group) remove(c *Conn) {
	if g.n--; g.n == 0 {
		g.hooks.Hold(-1)
	}
	if c.before != nil {
		c.before.after = c.after
	} else {
		g.first = c.after
	}
	if c.after != nil {
		c.after.before = c.before
	}
	c.before, c.after = nil, nil
	if c.listener != nil {
		c.listener.removed()
	}
}

// listen adds a listener, unless it is closed, or reports false if the loop is ending. stop sees the fields that
// accept has set.
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

// forgot reports whether a listener was closed.
func (g *group) forgot(l *Listener) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return l.closed
}

// closeListeners closes the listeners for good.
func (g *group) closeListeners() {
	g.mu.Lock()
	g.over = true
	var listeners []*Listener
	for l := range g.listeners {
		listeners = append(listeners, l)
	}
	g.mu.Unlock()
	for _, l := range listeners {
		_ = l.Close()
	}
}

// stop begins the end, while the loop drains.
func (g *group) stop() {
	g.closeListeners()
	g.shutdown(nil)
}

// end closes the remaining connections and listeners. The loop has run its last callback, and only this goroutine
// still uses the connections.
func (g *group) end() {
	groups.Lock()
	delete(groups.of, g.loop)
	groups.Unlock()
	g.closeListeners()
	if g.drain != nil {
		g.drain.stop()
	}
	g.endConns()
}

// endConns has each connection report its close. One that calls Goexit does not keep the others from it.
func (g *group) endConns() {
	if g.first == nil {
		return
	}
	defer g.endConns()
	g.first.close(ErrLoopEnded)
	g.hooks.Isolate(g.first.report)
}
