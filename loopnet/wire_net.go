package loopnet

import (
	"errors"
	"io"
	"net"

	"github.com/eventloop-go/eventloop"
)

// A netWire is a connection of package net, with a goroutine that reads and one that writes. Neither touches the Conn.
type netWire struct {
	c      *Conn
	net    net.Conn
	alive  *eventloop.KeepAlive
	resume chan struct{} // the reader goes on; capacity 1
	out    chan []byte   // for the writer; capacity 1; nil is the end of our direction
	done   chan struct{} // closed by close

	on      bool   // received may be called
	kept    func() // delivers what came in while it might not
	waits   bool   // the reader waits for resume
	writing bool   // the writer has something
}

// adoptNet makes c a connection of n, with goroutines.
func adoptNet(c *Conn, n net.Conn) error {
	alive, err := c.loop.KeepAlive()
	if err != nil {
		return err
	}
	w := &netWire{
		c: c, net: n, alive: alive, waits: true,
		resume: make(chan struct{}, 1), out: make(chan []byte, 1), done: make(chan struct{}),
	}
	c.wire = w
	if !groupOf(c.loop).add(c) {
		_ = alive.Release()
		return ErrLoopEnded
	}
	go w.read()
	go w.send()
	return nil
}

// read hands what it has read to the loop, and waits until the loop wants more.
func (w *netWire) read() {
	var buf []byte
	for {
		select {
		case <-w.resume:
		case <-w.done:
			return
		}
		if buf == nil {
			buf = make([]byte, 32<<10)
		}
		n, err := w.net.Read(buf)
		delivered := w.c.loop.SubmitInternal(func() { w.deliver(buf[:n], err) })
		if err != nil || delivered != nil {
			return
		}
	}
}

func (w *netWire) deliver(p []byte, err error) {
	if !w.on && !w.c.closed {
		w.kept = func() { w.deliver(p, err) }
		return
	}
	defer w.delivered(err) // also if a callback panics
	if len(p) > 0 {
		w.c.received(p)
	}
}

// delivered lets the reader go on, now that nobody uses its buffer, or tells why it has ended.
func (w *netWire) delivered(err error) {
	w.waits = true
	c := w.c
	switch {
	case err == nil:
		w.wakeReader()
	case err == io.EOF:
		c.endOfStream()
	case !errors.Is(err, net.ErrClosed):
		c.Fail(err)
	}
}

func (w *netWire) wakeReader() {
	if w.on && w.waits && !w.c.closed && !w.c.ended {
		w.waits = false
		w.resume <- struct{}{}
	}
}

// send writes what the loop hands over.
func (w *netWire) send() {
	for {
		select {
		case p := <-w.out:
			err := error(nil)
			if p != nil {
				_, err = w.net.Write(p)
			} else if half, ok := w.net.(interface{ CloseWrite() error }); ok {
				err = half.CloseWrite()
			}
			if w.c.loop.SubmitInternal(func() { w.sent(p != nil, err) }) != nil {
				return
			}
		case <-w.done:
			return
		}
	}
}

func (w *netWire) sent(data bool, err error) {
	w.writing = false
	switch {
	case w.c.closed:
	case err != nil:
		w.c.Fail(err)
	case data:
		w.c.writable()
	}
}

func (w *netWire) reading(on bool) error {
	w.on = on
	if on && w.kept != nil {
		kept := w.kept
		w.kept = nil
		return w.c.loop.SubmitInternal(kept)
	}
	w.wakeReader()
	return nil
}

func (w *netWire) write(p []byte) (int, error) {
	if w.writing || len(p) == 0 {
		return 0, nil
	}
	w.writing = true
	p = append(make([]byte, 0, min(len(p), DefaultHighWater)), p[:min(len(p), DefaultHighWater)]...)
	w.out <- p
	return len(p), nil
}

func (w *netWire) busy() bool { return w.writing }

func (w *netWire) closeWrite() error {
	w.out <- nil
	return nil
}

func (w *netWire) close() {
	close(w.done)
	_ = w.net.Close()
	_ = w.alive.Release()
}
