package loopsim

import (
	"io"
	"net"
	"os"
	"time"
)

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
