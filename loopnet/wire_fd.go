//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package loopnet

import (
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop"
)

// A descriptor is a connection that is registered with the loop.
type descriptor struct {
	c      *Conn
	fd     int
	events eventloop.IOEvents
	watch  *eventloop.Watch
}

// A receiver reads from its descriptor.
type receiver interface{ receive() }

// buffers are for reading: an idle connection holds no buffer.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// adopt makes c a connection of the descriptor that n has, if n has no methods of its own.
func adopt(c *Conn, n net.Conn) error {
	switch n := n.(type) {
	case *net.TCPConn, *net.UnixConn:
	case *tls.Conn:
		if l, ok := n.NetConn().(*link); ok {
			return adoptTLS(c, n, l)
		}
		return adoptNet(c, n)
	default:
		return adoptNet(c, n)
	}
	fd, err := duplicate(n)
	if err != nil {
		return err
	}
	if err := open(c, fd); err != nil {
		return err
	}
	_ = n.Close() // an error is no fault of the duplicate, which is open
	return nil
}

// duplicate returns a descriptor for the socket of a connection of package net.
func duplicate(n net.Conn) (int, error) {
	raw, err := n.(syscall.Conn).SyscallConn()
	if err != nil {
		return -1, err
	}
	fd := -1
	var failed error
	if err := raw.Control(func(old uintptr) { fd, failed = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return -1, err
	}
	if failed != nil {
		return -1, fmt.Errorf("loopnet: dup: %w", failed)
	}
	return fd, nil
}

// open makes c a connection of a descriptor, which it closes if there is an error.
func open(c *Conn, fd int) error {
	d := &descriptor{c: c, fd: fd, events: eventloop.EventRead}
	c.wire = d
	return d.open(d.ready)
}

func (d *descriptor) open(ready func(eventloop.IOEvents)) error {
	g, err := groupOf(d.c.loop)
	if err == nil {
		d.watch, err = d.c.loop.RegisterFD(d.fd, d.events, ready)
	}
	if err != nil {
		_ = unix.Close(d.fd)
		return err
	}
	g.add(d.c)
	return nil
}

func (d *descriptor) ready(e eventloop.IOEvents) {
	c := d.c
	if e&eventloop.EventWrite != 0 {
		c.writable()
		if !c.closed && !c.blocked {
			d.wait(d.events &^ eventloop.EventWrite)
		}
	}
	switch {
	case c.closed:
	case d.events&eventloop.EventRead != 0 && e&^eventloop.EventWrite != 0:
		c.wire.(receiver).receive()
	case e&eventloop.EventError != 0:
		c.Fail(d.pendingError())
	case e&eventloop.EventHangup == 0:
	case c.onData == nil || c.ended: // nobody wants what may be left to read, or nothing is
		d.hungUp()
	} // otherwise unwanted data may be there: a watch without events is a pause
}

func (d *descriptor) receive() {
	c := d.c
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	n, err := 0, error(nil)
	if c.onData != nil {
		n, err = unix.Read(d.fd, buf[:])
	} else {
		n, _, err = unix.Recvfrom(d.fd, buf[:1], unix.MSG_PEEK)
	}
	switch {
	case err == unix.EAGAIN || err == unix.EINTR:
	case err != nil:
		c.Fail(fmt.Errorf("loopnet: read: %w", err))
	case n == 0:
		c.endOfStream()
	case c.onData == nil:
		c.unread = true
		d.wait(d.events &^ eventloop.EventRead)
	default:
		c.received(buf[:n])
	}
}

// hungUp ends a connection that only writes, and both directions of which are closed.
func (d *descriptor) hungUp() {
	if d.c.finished {
		d.c.Close()
	} else {
		d.c.Fail(fmt.Errorf("loopnet: %w", unix.ECONNRESET))
	}
}

// pendingError is why a connection was hung up.
func (d *descriptor) pendingError() error {
	errno, err := unix.GetsockoptInt(d.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil || errno == 0 {
		errno = int(unix.ECONNRESET)
	}
	return fmt.Errorf("loopnet: %w", unix.Errno(errno))
}

// wait changes the events that the descriptor waits for.
func (d *descriptor) wait(events eventloop.IOEvents) {
	if err := d.change(events); err != nil {
		d.c.Fail(err)
	}
}

func (d *descriptor) change(events eventloop.IOEvents) error {
	if events == d.events {
		return nil
	}
	d.events = events
	return d.watch.Modify(events)
}

func (d *descriptor) reading() error {
	if d.c.wants() {
		return d.change(d.events | eventloop.EventRead)
	}
	return d.change(d.events &^ eventloop.EventRead)
}

func (d *descriptor) write(o *output) error {
	for o.size > 0 {
		n, asked, err := d.c.group.vec.write(d.fd, o)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.EAGAIN:
			return d.change(d.events | eventloop.EventWrite)
		case err != nil:
			return fmt.Errorf("loopnet: write: %w", err)
		}
		if o.sent(n); n < asked { // it is full
			return d.change(d.events | eventloop.EventWrite)
		}
	}
	return nil
}

func (d *descriptor) busy() int { return 0 }

func (d *descriptor) closeWrite() error {
	if err := unix.Shutdown(d.fd, unix.SHUT_WR); err != nil && err != unix.ENOTCONN {
		return fmt.Errorf("loopnet: shutdown: %w", err)
	}
	return nil
}

func (d *descriptor) close() {
	_ = d.watch.Close() // it has ended if the loop has
	_ = unix.Close(d.fd)
}
