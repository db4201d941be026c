package loopnet

import (
	"io"
	"net"

	"github.com/eventloop-go/eventloop/internal/stream"
)

// A netWire is a connection with methods of its own, with a goroutine that reads and one that writes. Neither touches the Conn.
type netWire struct {
	c       *Conn
	net     net.Conn
	release func()        // what keeps the loop open
	resume  chan struct{} // the reader goes on; capacity 1
	out     chan []byte   // for the writer; capacity 1; nil is the end of our direction
	done    chan struct{} // closed by close

	kept   func() // delivers data that came in during a pause
	waits  bool   // the reader waits for resume
	flight int    // bytes that the writer has
	ending bool   // the writer closes our direction
}

// netRead and netReadMost are the sizes of a reader's buffer, at first and at most, and netWrite how much a writer gets at a time.
const (
	netRead     = 2 << 10
	netReadMost = 32 << 10
	netWrite    = 64 << 10
)

// adoptNet makes c a connection of n, with goroutines.
func adoptNet(c *Conn, n net.Conn) error {
	if s, ok := n.(stream.Conn); ok {
		return adoptStream(c, s)
	}
	g, err := groupOf(c.loop)
	if err != nil {
		return err
	}
	release, err := c.loop.KeepAlive()
	if err != nil {
		return err
	}
	w := &netWire{
		c: c, net: n, release: release,
		resume: make(chan struct{}, 1), out: make(chan []byte, 1), done: make(chan struct{}),
	}
	c.wire = w
	g.add(c)
	go w.read()
	go w.send()
	return nil
}

// read hands the data that it has read to the loop, and waits until the loop wants more.
func (w *netWire) read() {
	buf := make([]byte, netRead)
	for {
		n, err := w.net.Read(buf)
		delivered := w.c.loop.SubmitInternal(func() { w.deliver(buf[:n], err) })
		if err != nil || delivered != nil {
			return
		}
		select {
		case <-w.resume:
		case <-w.done:
			return
		}
		if n == len(buf) && n < netReadMost {
			buf = make([]byte, min(2*n, netReadMost))
		}
	}
}

func (w *netWire) deliver(p []byte, err error) {
	c := w.c
	if c.closed {
		return
	}
	if c.onData == nil && len(p) > 0 {
		c.unread = true
	}
	if !c.wants() {
		w.kept = func() { w.deliver(p, err) }
		return
	}
	defer w.delivered(err) // also if a callback panics
	if len(p) > 0 {
		c.received(p)
	}
}

// delivered lets the reader go on, now that nobody uses its buffer, or tells why it has ended.
func (w *netWire) delivered(err error) {
	switch {
	case err == nil:
		w.waits = true
		w.wakeReader()
	case err == io.EOF:
		w.c.endOfStream()
	default:
		w.c.Fail(err)
	}
}

func (w *netWire) wakeReader() {
	if w.waits && w.c.wants() {
		w.waits = false
		w.resume <- struct{}{}
	}
}

// send writes what the loop hands over.
func (w *netWire) send() {
	for {
		select {
		case p := <-w.out:
			n, err := 0, error(nil)
			if p != nil {
				if n, err = w.net.Write(p); err == nil && n < len(p) {
					err = io.ErrShortWrite
				}
			} else if half, ok := w.net.(interface{ CloseWrite() error }); ok {
				err = half.CloseWrite()
			} else {
				err = io.EOF
			}
			if w.c.loop.SubmitInternal(func() { w.sent(n, err) }) != nil {
				return
			}
		case <-w.done:
			return
		}
	}
}

func (w *netWire) sent(n int, err error) {
	c := w.c
	if c.closed {
		return
	}
	w.flight -= n
	switch {
	case w.ending && err == io.EOF: // the other side sees our end only if it is that of all
		c.Close()
	case err != nil:
		c.broken = true
		c.Fail(err)
	case !w.ending:
		w.flight = 0
		c.active(sent)
		c.writable()
	}
}

func (w *netWire) reading() error {
	if kept := w.kept; kept != nil && w.c.wants() {
		w.kept = nil
		return w.c.loop.SubmitInternal(kept)
	}
	w.wakeReader()
	return nil
}

func (w *netWire) write(o *output) error {
	p := o.appendTo(make([]byte, 0, min(o.size, netWrite)), netWrite)
	o.sent(len(p))
	w.flight = len(p)
	w.out <- p
	return nil
}

func (w *netWire) busy() int { return w.flight }

func (w *netWire) closeWrite() error {
	w.ending = true
	w.out <- nil
	return nil
}

// close lets a goroutine close the connection, since that may take time: TLS tells the other side.
func (w *netWire) close() {
	close(w.done)
	go func() { _ = w.net.Close() }()
	w.release()
}
