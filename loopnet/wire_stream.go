package loopnet

import "github.com/eventloop-go/eventloop/internal/stream"

// A streamWire is a connection that calls back on the loop by itself.
type streamWire struct {
	c       *Conn
	s       stream.Conn
	release func() // what keeps the loop open
	buf     []byte // for Send
}

// adoptStream makes c a connection of s.
func adoptStream(c *Conn, s stream.Conn) error {
	g, err := groupOf(c.loop)
	if err != nil {
		return err
	}
	release, err := c.loop.KeepAlive()
	if err != nil {
		return err
	}
	w := &streamWire{c: c, s: s, release: release}
	c.wire = w
	g.add(c)
	s.Attach(w)
	s.Receive(c.wants())
	return nil
}

// Received is stream.Events.Received.
func (w *streamWire) Received(p []byte) bool {
	c := w.c
	if c.onData == nil {
		c.unread = true
	}
	if !c.wants() || c.onData == nil {
		return false
	}
	c.received(p)
	return true
}

// Ended is stream.Events.Ended.
func (w *streamWire) Ended() { w.c.endOfStream() }

// Writable is stream.Events.Writable.
func (w *streamWire) Writable() {
	if w.c.blocked {
		w.c.writable()
	}
}

// Failed is stream.Events.Failed.
func (w *streamWire) Failed(err error) {
	if !w.c.closed {
		w.c.broken = true
		w.c.Fail(err)
	}
}

func (w *streamWire) reading() error {
	w.s.Receive(w.c.wants())
	return nil
}

func (w *streamWire) write(o *output) error {
	for o.size > 0 {
		w.buf = o.appendTo(w.buf[:0], netWrite)
		n, err := w.s.Send(w.buf)
		if err != nil {
			return err
		}
		o.sent(n)
		if n < len(w.buf) {
			return nil
		}
	}
	return nil
}

func (w *streamWire) busy() int { return 0 }

func (w *streamWire) closeWrite() error { return w.s.CloseWrite() }

func (w *streamWire) close() {
	_ = w.s.Close()
	w.release()
}
