//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package loopnet

import (
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop"
)

// acceptBatch is how many connections are accepted before other work of the loop.
const acceptBatch = 16

// acceptPause is how long a listener waits when the process or the system has run out of descriptors.
const acceptPause = 50 * time.Millisecond

// accept has the loop accept connections, or a goroutine if the listener has an Accept of its own.
func (l *Listener) accept() error {
	switch l.net.(type) {
	case *net.TCPListener, *net.UnixListener:
	default:
		return l.acceptNet()
	}
	s := l.net.(syscall.Conn)
	raw, err := s.SyscallConn()
	if err != nil {
		return err
	}
	var w *eventloop.Watch
	resume := l.loop.NewTimer(func() { _ = w.Modify(eventloop.EventRead) })
	w, err = l.loop.Watch(s, 0, func(eventloop.IOEvents) {
		for range acceptBatch {
			fd, err := -1, error(nil)
			if raw.Control(func(listener uintptr) { fd, err = acceptFD(int(listener)) }) != nil {
				return
			}
			switch err {
			case nil:
				l.acceptedFD(fd)
			case unix.ECONNABORTED, unix.EINTR:
			case unix.EMFILE, unix.ENFILE, unix.ENOBUFS, unix.ENOMEM:
				_ = w.Modify(0)
				_ = resume.Reset(acceptPause)
				return
			default: // EAGAIN
				return
			}
		}
	})
	if err != nil {
		return err
	}
	l.stop = func() {
		l.loop.CancelTimer(resume)
		_ = w.Close()
	}
	return w.Modify(eventloop.EventRead) // now that the callback has w
}

func (l *Listener) acceptedFD(fd int) {
	if _, tcp := l.net.(*net.TCPListener); tcp {
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1) // as package net does
	}
	c := &Conn{loop: l.loop, highWater: DefaultHighWater}
	if open(c, fd) == nil {
		l.accepted(c)
	}
}
