//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package loopnet

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop"
)

// acceptBatch is how many connections are accepted before other work of the loop.
const acceptBatch = 16

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
	if _, tcp := l.net.(*net.TCPListener); tcp { // as package net sets them; accepted connections inherit them
		_ = raw.Control(func(listener uintptr) {
			_ = unix.SetsockoptInt(int(listener), unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
			_ = unix.SetsockoptInt(int(listener), unix.SOL_SOCKET, unix.SO_KEEPALIVE, 1)
			keepAlive(int(listener))
		})
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
			case unix.EAGAIN:
				return
			default: // there is no descriptor for it, as a rule
				_ = w.Modify(0)
				_ = resume.Reset(acceptPause)
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
	c := &Conn{loop: l.loop, highWater: DefaultHighWater}
	if open(c, fd) == nil {
		l.accepted(c)
	}
}
