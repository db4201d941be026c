package loopsim

import (
	"net"
	"syscall"
	"time"

	"github.com/eventloop-go/eventloop/internal/stream"
)

// A conn is a side of a connection. It serves a loop, by the calls of package stream, or blocking calls, by those of net.Conn.
type conn struct {
	h      *Host
	peer   *conn
	id     int
	local  address
	remote address

	// What we send.
	unacked int   // bytes that the other side's program has not taken
	arrives int64 // when the last segment arrives: they keep their order
	stalled []segment
	since   int64 // when the first of these stalled
	rto     int64
	ended   bool // our direction is closed
	full    bool // the program waits for room

	// What we receive.
	in       [][]byte
	end      bool // the other side has closed its direction
	told     bool // and the program knows
	attached stream.Events
	wanted   bool // the program takes data
	queued   bool // a delivery is queued on the loop
	deliverF func()
	reader   waiter
	writer   waiter
	failed   error
	closed   bool
}

var _ stream.Conn = (*conn)(nil)

// connect makes a connection.
func (w *World) connect(a, b *Host, from, to address) (ours, theirs *conn) {
	w.conns++
	ours = &conn{h: a, id: w.conns, local: from, remote: to}
	theirs = &conn{h: b, id: w.conns, local: to, remote: from}
	ours.peer, theirs.peer = theirs, ours
	for _, c := range []*conn{ours, theirs} {
		c.deliverF = c.deliver
		c.h.keepConn(c)
	}
	w.note(kindConn, a.machine.id, w.now, uint64(w.conns), uint64(b.machine.id))
	return ours, theirs
}

// keepConn adds a connection to those of the host, and now and then forgets those that are over.
func (h *Host) keepConn(c *conn) {
	if n := len(h.conns); n >= 16 && n&(n-1) == 0 {
		kept := h.conns[:0]
		for _, old := range h.conns {
			if !old.over() {
				kept = append(kept, old)
			}
		}
		clear(h.conns[len(kept):])
		h.conns = kept
	}
	h.conns = append(h.conns, c)
}

func (c *conn) over() bool { return c.closed || c.failed != nil }

// wakeReader has the program take the received data.
func (c *conn) wakeReader() {
	if c.attached == nil {
		c.reader.wake()
		return
	}
	if c.queued || !c.wanted || len(c.in) == 0 && (!c.end || c.told) {
		return
	}
	c.queued = true
	if slow := c.h.machine.slowTo; slow > c.h.w.now {
		c.h.w.at(c.h.w.now+c.h.machine.wire.below(int64(time.Second)), c.submit)
		return
	}
	c.submit()
}

func (c *conn) submit() {
	if !c.h.dead {
		_ = c.h.loop.SubmitInternal(c.deliverF) // refused by a loop that is ending
	}
}

// deliver runs on the loop.
func (c *conn) deliver() {
	c.queued = false
	defer c.wakeReader() // what is left after a panic
	for c.wanted && !c.over() && len(c.in) > 0 {
		p := c.in[0]
		c.in = c.in[1:]
		if !c.attached.Received(p) {
			c.in = append([][]byte{p}, c.in...)
			c.wanted = false
			return
		}
		c.took(len(p))
	}
	if c.wanted && !c.over() && len(c.in) == 0 && c.end && !c.told {
		c.told = true
		c.attached.Ended()
	}
}

// took makes room at the sender.
func (c *conn) took(n int) {
	s := c.peer
	s.unacked -= n
	if !s.full || s.over() || s.h.dead {
		return
	}
	w := c.h.w
	w.at(c.h.machine.delay(s.h.machine, w.now, 60), func() {
		if s.full && !s.over() && !s.h.dead {
			s.full = false
			if s.attached != nil {
				_ = s.h.loop.SubmitInternal(s.attached.Writable)
			}
			s.writer.wake()
		}
	})
}

// fail ends a side, unless it has ended.
func (c *conn) fail(err error) {
	if c.over() || c.h.dead {
		return
	}
	w := c.h.w
	w.note(kindConn, c.h.machine.id, w.now, uint64(c.id), 1)
	w.record(entry{at: w.now, kind: kindConn, host: c.h.machine.id, peer: -1}, "#%d fails: %v", c.id, err)
	c.failed = &net.OpError{Op: "read", Net: "tcp", Source: c.local, Addr: c.remote, Err: err}
	c.stalled, c.in = nil, nil
	if c.attached != nil {
		failed := c.failed
		_ = c.h.loop.SubmitInternal(func() { c.attached.Failed(failed) })
	}
	c.reader.wake()
	c.writer.wake()
}

// resetPeers has the other sides of a host's connections learn that it is gone.
func (h *Host) resetPeers() {
	for _, c := range h.conns {
		peer := c.peer
		if c.over() || peer.over() || peer.h.dead || !h.machine.reaches(peer.h.machine) {
			continue
		}
		h.w.at(h.machine.delay(peer.h.machine, h.w.now, 60), func() { peer.fail(syscall.ECONNRESET) })
	}
}

// Attach is stream.Conn.Attach.
func (c *conn) Attach(e stream.Events) { c.attached = e }

// Receive is stream.Conn.Receive.
func (c *conn) Receive(on bool) {
	c.wanted = on
	if on {
		if c.failed != nil {
			failed := c.failed
			_ = c.h.loop.SubmitInternal(func() { c.attached.Failed(failed) })
			return
		}
		c.wakeReader()
	}
}

// Send is stream.Conn.Send.
func (c *conn) Send(p []byte) (int, error) { return c.send(p) }

// CloseWrite is stream.Conn.CloseWrite.
func (c *conn) CloseWrite() error {
	if c.over() || c.ended || c.h.dead {
		return nil
	}
	c.ended = true
	c.transmit(segment{end: true})
	return nil
}

// Close closes both directions. Unread data is lost, and then the other side gets a reset.
func (c *conn) Close() error {
	if c.closed || c.h.dead {
		return nil
	}
	unread := len(c.in) > 0
	if c.failed == nil && !c.ended && !unread {
		c.transmit(segment{end: true})
	}
	c.ended, c.closed = true, true
	c.in = nil
	if peer := c.peer; unread && c.failed == nil && c.h.machine.reaches(peer.h.machine) {
		c.h.w.at(c.h.machine.delay(peer.h.machine, c.h.local(), 60), func() { peer.fail(syscall.ECONNRESET) })
	}
	c.reader.wake()
	c.writer.wake()
	return nil
}
