package loopsim

import (
	"net"
	"syscall"
	"time"
)

// A segment is a piece of the stream on its way.
type segment struct {
	p   []byte
	end bool // of our direction
}

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
