//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package loopnet

import (
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
	parked bool // hung up while nothing is read: it is not registered, or it would be reported all the time
}

// buffers are for reading: an idle connection has none.
var buffers = sync.Pool{New: func() any { return new([32 << 10]byte) }}

// adopt makes c a connection of the descriptor that n has.
func adopt(c *Conn, n net.Conn) error {
	s, ok := n.(syscall.Conn)
	if !ok {
		return adoptNet(c, n)
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return err
	}
	fd := -1
	var failed error
	if err := raw.Control(func(old uintptr) { fd, failed = unix.FcntlInt(old, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return err
	}
	if failed != nil {
		return fmt.Errorf("loopnet: dup: %w", failed)
	}
	if err := open(c, fd); err != nil {
		return err
	}
	_ = n.Close() // what it says is no fault of the duplicate, which is open
	return nil
}

// open makes c a connection of a descriptor, which it closes if there is an error.
func open(c *Conn, fd int) error {
	d := &descriptor{c: c, fd: fd}
	c.wire = d
	if err := c.loop.RegisterFD(fd, 0, d.ready); err != nil {
		_ = unix.Close(fd)
		return err
	}
	if !groupOf(c.loop).add(c) {
		_ = unix.Close(fd)
		return ErrLoopEnded
	}
	return nil
}

func (d *descriptor) ready(e eventloop.IOEvents) {
	if e&eventloop.EventWrite != 0 {
		d.c.writable()
		if !d.c.closed && d.c.Buffered() == 0 {
			d.wait(d.events &^ eventloop.EventWrite)
		}
	}
	switch {
	case d.c.closed:
	case d.events&eventloop.EventRead != 0 && e&^eventloop.EventWrite != 0:
		d.receive()
	case e&eventloop.EventError != 0:
		d.c.Fail(d.pendingError())
	case e&eventloop.EventHangup != 0: // there may be data that nobody wants yet
		d.parked = true
		_ = d.c.loop.UnregisterFD(d.fd)
	}
}

func (d *descriptor) receive() {
	buf := buffers.Get().(*[32 << 10]byte)
	defer buffers.Put(buf)
	n, err := unix.Read(d.fd, buf[:])
	switch {
	case err == unix.EAGAIN || err == unix.EINTR:
	case err != nil:
		d.c.Fail(fmt.Errorf("loopnet: read: %w", err))
	case n == 0:
		d.c.endOfStream()
	default:
		d.c.received(buf[:n])
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

// wait changes what the descriptor waits for.
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
	if d.parked {
		d.parked = false
		return d.c.loop.RegisterFD(d.fd, events, d.ready)
	}
	return d.c.loop.ModifyFD(d.fd, events)
}

func (d *descriptor) reading(on bool) error {
	if on {
		return d.change(d.events | eventloop.EventRead)
	}
	return d.change(d.events &^ eventloop.EventRead)
}

func (d *descriptor) write(p []byte) (int, error) {
	n, err := 0, error(nil)
	for n < len(p) {
		var k int
		k, err = unix.Write(d.fd, p[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			break
		}
		n += k
	}
	switch {
	case err == unix.EAGAIN:
		return n, d.change(d.events | eventloop.EventWrite)
	case err != nil:
		return n, fmt.Errorf("loopnet: write: %w", err)
	}
	return n, nil
}

func (d *descriptor) busy() bool { return false }

func (d *descriptor) closeWrite() error {
	if err := unix.Shutdown(d.fd, unix.SHUT_WR); err != nil && err != unix.ENOTCONN {
		return fmt.Errorf("loopnet: shutdown: %w", err)
	}
	return nil
}

func (d *descriptor) close() {
	_ = d.c.loop.UnregisterFD(d.fd) // it has ended if the loop has
	_ = unix.Close(d.fd)
}
