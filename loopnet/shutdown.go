package loopnet

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// How long a shutdown waits for the other side of a connection. The times are real ones, since a loop that drains arms no timers.
const (
	drainLook = 100 * time.Millisecond // between two looks

	// drainStall is how many checks in a row may find that the other side has taken no waiting data.
	drainStall = 50

	// drainLinger is how many checks the other side has to close its direction when ours is closed, as with net/http.
	// Closing a connection that still receives may destroy data that the other side has not read.
	drainLinger = 5
)

// A progress is the progress of a connection in a shutdown.
type progress struct {
	waiting int // bytes at the last look
	looks   int // since something has changed
	lingers bool
}

// A drain looks after the connections that are shutting down. It is the loop's, but for the timer.
type drain struct {
	timer *time.Timer
	over  bool
}

func (d *drain) stop() {
	d.over = true
	if d.timer != nil {
		d.timer.Stop()
	}
}

// shutdown asks the connections of a listener, or all, to end.
func (g *group) shutdown(l *Listener) {
	for c := g.first; c != nil; c = c.after {
		if (l == nil || c.listener == l) && c.progress == nil {
			c.progress = new(progress)
			_ = g.loop.SubmitInternal(c.shutdown) // a task each: a panic of one does not affect the others
		}
	}
	if g.drain == nil && g.n > 0 {
		g.drain = new(drain)
		g.wait(g.drain)
	}
}

// shutdown calls the program's function, or ends the connection.
func (c *Conn) shutdown() {
	switch {
	case c.closed:
	case c.onShutdown != nil:
		c.orEnd(c.onShutdown)
	default:
		c.End()
	}
}

// wait has the loop look later.
func (g *group) wait(d *drain) {
	if !d.over {
		d.timer = time.AfterFunc(drainLook, func() { _ = g.loop.SubmitInternal(func() { g.look(d) }) })
	}
}

// look ends connections that have waited long enough.
func (g *group) look(d *drain) {
	busy := false
	for c := g.first; c != nil; c = c.after {
		if c.progress != nil {
			busy = true
			c.lookShutdown()
		}
	}
	if !busy {
		d.stop()
		g.drain = nil
		return
	}
	g.wait(d)
}

func (c *Conn) lookShutdown() {
	p, waiting := c.progress, c.Buffered()
	if waiting != p.waiting || c.finished != p.lingers {
		*p = progress{waiting: waiting, lingers: c.finished}
	}
	if c.finished && !c.closed && (c.paused || c.onData == nil) {
		c.OnData(func([]byte) {}) // read and drop the rest of the data, to find the end behind it
	}
	switch p.looks++; {
	case c.finished && p.looks > drainLinger, (waiting > 0 || c.blocked) && p.looks > drainStall:
		c.Fail(ErrShutdown)
	}
}

// Shutdown stops accepting, and ends the connections that the listener has accepted. It calls their OnShutdown
// functions, or End by default, and waits until all are closed. Data accepted by Write is sent first. When the other
// side has received all of it, it has half a second to close its direction too.
//
// When ctx ends, or when the other side has taken nothing for five seconds, a connection is closed with its unsent
// data. Then its OnClose gets an [*UnsentError]. The end of the loop does all this too, without a ctx; see
// [eventloop.WithDrainTimeout].
//
// Any goroutine may call it. If ctx ends first, the error matches ctx's error and its cause, and the connections are
// closed without waiting. Inside a callback the error is [eventloop.ErrOnLoop], because the connections cannot end
// before that returns; the shutdown has begun. The error of Close is possible too.
func (l *Listener) Shutdown(ctx context.Context) error {
	done := make(chan struct{})
	closed := l.Close()
	begun := l.loop.SubmitInternal(func() {
		l.waiters = append(l.waiters, done)
		l.group.shutdown(l)
		if l.n == 0 {
			l.wake()
		}
	})
	if begun != nil { // the loop has ended, and its connections with it
		return closed
	}
	stop := context.AfterFunc(ctx, func() {
		_ = l.loop.SubmitInternal(func() { l.abort(inside.ContextError(ctx)) })
	})
	select {
	case <-done:
		stop()
		return closed
	case <-l.loop.Done():
		stop()
		return closed
	default:
	}
	if l.group.hooks.OnLoop() {
		return eventloop.ErrOnLoop
	}
	select {
	case <-done:
	case <-l.loop.Done():
	case <-ctx.Done():
		return inside.ContextError(ctx)
	}
	stop()
	return closed
}

// abort closes the remaining connections.
func (l *Listener) abort(err error) {
	for c := l.group.first; c != nil; c = c.after {
		if c.listener == l {
			c.Fail(err)
		}
	}
}

// removed notes that a connection has reported its close.
func (l *Listener) removed() {
	if l.n--; l.n == 0 {
		l.wake()
	}
}

// wake lets those go on who wait for the end of the connections.
func (l *Listener) wake() {
	for _, done := range l.waiters {
		close(done)
	}
	l.waiters = nil
}
