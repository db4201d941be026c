package loopsim

import (
	"io"
	"net"
	"os"
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

// A segment is a piece of the stream on its way.
type segment struct {
	p   []byte
	end bool // of our direction
}

// A waiter is a blocking call that waits for a connection.
type waiter struct {
	t        *task
	number   int
	deadline int64 // on the host's clock; 0 means none
}

func (x *waiter) wake() {
	if t := x.t; t != nil {
		n := x.number
		t.h.w.at(t.h.w.now, func() { t.resume(n) })
	}
}

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

// send takes what there is room for.
func (c *conn) send(p []byte) (n int, err error) {
	switch {
	case c.h.dead:
		return 0, crash{c.h.Name()}
	case c.failed != nil:
		return 0, c.failed
	case c.closed:
		return 0, net.ErrClosed
	case c.ended:
		return 0, syscall.EPIPE
	}
	n = min(len(p), c.h.w.cfg.Network.Window-c.unacked)
	if n < len(p) {
		c.full = true
	}
	if n > 0 {
		c.unacked += n
		c.transmit(segment{p: append([]byte(nil), p[:n]...)})
	}
	return n, nil
}

// transmit sends a segment on its way.
func (c *conn) transmit(s segment) {
	w, from, to := c.h.w, c.h.machine, c.peer.h.machine
	now := c.h.local()
	if len(s.p) > 0 {
		w.note(kindSend, from.id, now, uint64(c.id), hashBytes(s.p))
	}
	c.arrives = max(c.arrives+1, from.delay(to, now, len(s.p)+60))
	w.record(entry{at: now, took: c.arrives - now, kind: kindSend, host: from.id, peer: to.id, id: w.notes}, "#%d %s", c.id, preview(s.p, s.end))
	w.at(c.arrives, func() { c.arrive(s) })
}

// retransmit is how long a sender waits before it sends a segment again.
const (
	retransmitFirst = int64(200 * time.Millisecond)
	retransmitMost  = int64(5 * time.Second)
)

// arrive is a segment at the other side, or where the way is cut.
func (c *conn) arrive(s segment) {
	if c.failed != nil || c.peer.failed != nil && c.peer.h.dead {
		return
	}
	if len(c.stalled) > 0 {
		c.stalled = append(c.stalled, s)
		return
	}
	if !c.pass(&s) {
		c.stalled = append(c.stalled, s)
		c.since, c.rto = c.h.w.now, retransmitFirst
		c.retryLater()
	}
}

func (c *conn) retryLater() {
	c.h.w.at(c.h.w.now+c.rto, c.retry)
	c.rto = min(2*c.rto, retransmitMost)
}

// retry sends the stalled segments again.
func (c *conn) retry() {
	if c.failed != nil || len(c.stalled) == 0 || c.h.dead {
		return
	}
	for len(c.stalled) > 0 {
		if !c.pass(&c.stalled[0]) {
			if c.h.w.now-c.since >= int64(c.h.w.cfg.Network.Timeout) {
				c.fail(syscall.ETIMEDOUT)
			} else {
				c.retryLater()
			}
			return
		}
		if len(c.stalled) > 0 { // it was not reset
			c.stalled = c.stalled[1:]
		}
	}
}

// pass hands a segment to the other side. It reports false if it does not arrive, or the acknowledgement does not come back.
func (c *conn) pass(s *segment) bool {
	from, to := c.h.machine, c.peer.h.machine
	if !from.reaches(to) || !to.reaches(from) && !c.h.dead {
		if from.reaches(to) { // one direction only: it is received, and its acknowledgement is lost
			c.peer.receive(s)
		}
		return false
	}
	if c.peer.h.dead || c.peer.over() {
		if !c.h.dead && len(s.p) > 0 { // a reset comes back
			w := c.h.w
			w.at(to.delay(from, w.now, 60), func() { c.fail(syscall.ECONNRESET) })
		}
		return true
	}
	c.peer.receive(s)
	return true
}

// receive takes a segment.
func (c *conn) receive(s *segment) {
	w := c.h.w
	if c.over() || c.h.dead {
		return
	}
	if len(s.p) > 0 {
		w.note(kindDeliver, c.h.machine.id, w.now, uint64(c.id), uint64(len(s.p)))
		c.in = append(c.in, s.p)
		s.p = nil // a copy that is sent again is dropped
	}
	if s.end {
		c.end = true
	}
	c.wakeReader()
}

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

// Read waits for data, in a blocking call.
func (c *conn) Read(p []byte) (int, error) {
	t, err := c.h.blocking()
	if err != nil {
		return 0, err
	}
	for {
		switch {
		case c.closed:
			return 0, net.ErrClosed
		case c.failed != nil:
			return 0, c.failed
		case len(c.in) > 0:
			n := copy(p, c.in[0])
			if c.in[0] = c.in[0][n:]; len(c.in[0]) == 0 {
				c.in = c.in[1:]
			}
			c.took(n)
			return n, nil
		case c.end:
			return 0, io.EOF
		}
		if err := c.reader.wait(t); err != nil {
			return 0, err
		}
	}
}

// Write waits until all is sent, in a blocking call.
func (c *conn) Write(p []byte) (int, error) {
	t, err := c.h.blocking()
	if err != nil {
		return 0, err
	}
	sent := 0
	for {
		n, err := c.send(p[sent:])
		if sent += n; err != nil || sent == len(p) {
			return sent, err
		}
		if err := c.writer.wait(t); err != nil {
			return sent, err
		}
	}
}

// wait waits for a wake-up, or the deadline.
func (x *waiter) wait(t *task) error {
	h := t.h
	x.t, x.number = t, t.wait
	if x.deadline != 0 {
		due := h.machine.clock.when(x.deadline)
		if due <= h.w.now {
			x.t = nil
			return os.ErrDeadlineExceeded
		}
		n := t.wait
		h.w.at(due, func() { t.resume(n) })
	}
	t.park()
	x.t = nil
	return nil
}

func (c *conn) LocalAddr() net.Addr  { return c.local }
func (c *conn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline limits blocking reads and writes, by a date of [Host.Now].
func (c *conn) SetDeadline(d time.Time) error {
	_ = c.SetReadDeadline(d)
	return c.SetWriteDeadline(d)
}

func (c *conn) SetReadDeadline(d time.Time) error {
	c.reader.deadline = c.h.uptimeOf(d)
	c.reader.wake()
	return nil
}

func (c *conn) SetWriteDeadline(d time.Time) error {
	c.writer.deadline = c.h.uptimeOf(d)
	c.writer.wake()
	return nil
}

// uptimeOf is the time of a date on the clock that does not jump; 0 for none.
func (h *Host) uptimeOf(d time.Time) int64 {
	if d.IsZero() {
		return 0
	}
	return max(1, int64(d.Sub(epoch))-h.machine.clock.jump)
}

// preview is data as the time line shows it.
func preview(p []byte, end bool) string {
	if end {
		return "end"
	}
	const most = 48
	b := make([]byte, 0, most+3)
	for i, c := range p {
		if i == most {
			return string(b) + "…"
		}
		if c < ' ' || c > '~' {
			c = '.'
		}
		b = append(b, c)
	}
	return string(b)
}
