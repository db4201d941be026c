package eventloop

import (
	"fmt"
	"net"
	"syscall"

	"github.com/eventloop-go/eventloop/internal/netpoll"
)

// A Watch waits for a connection, or another file of Go's, to be ready. Make one with [Loop.Watch]. Its methods may be
// called from any goroutine.
type Watch struct {
	loop       *Loop
	raw        syscall.RawConn // keeps the connection from the garbage collector
	fd         int
	generation uint32
	set        *netpoll.RawSet // in which fd is a number; nil if it is a descriptor
}

// Watch has callback run on the loop, in the poll phase, whenever conn is ready for one of the events, as long as it is
// ready: a [net.Conn], a listener, an [os.File] of a pipe, or whatever else has a RawConn. It works on every system. A
// connection has one watch at a time, which may wait for several events.
//
// The connection stays the caller's to read, write and close, after [Watch.Close] if possible. Closed without that, it is
// reported no more, but keeps a loop with [WithAutoExit] open until Close or [Watch.Unref] is called. In what else it does
// to the loop's life, a Watch is as a registration: see [Loop.RegisterFD].
//
// On Linux, macOS and the BSDs the connection's descriptor is registered, which costs one system call and no goroutine. On
// Windows, and where else there is no set of descriptors, a goroutine waits for each direction. There the connection must be
// read and written in the callback only, EventWrite is reported at once, EventHangup never, and a goroutine may remain
// after Close until the connection is ready or closed.
//
// Errors: those of RegisterFD, and of the connection: it matches [net.ErrClosed] or [os.ErrClosed] if that is closed.
func (l *Loop) Watch(conn syscall.Conn, events IOEvents, callback func(IOEvents)) (*Watch, error) {
	if err := checkRegistration(events, callback); err != nil {
		return nil, err
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("eventloop: watch: %w", err)
	}
	w := &Watch{loop: l, raw: raw}
	if set, ok := l.poller.Calls().(*netpoll.RawSet); ok {
		w.set, w.fd = set, set.Bind(raw)
		if w.generation, err = l.register(w.fd, events, callback); err != nil {
			set.Release(w.fd)
			return nil, err
		}
		return w, nil
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		w.fd = int(fd)
		w.generation, failed = l.register(w.fd, events, callback)
	})
	if err != nil {
		return nil, fmt.Errorf("eventloop: watch: %w", err)
	}
	if failed != nil {
		return nil, failed
	}
	return w, nil
}

// Modify changes the events that the watch waits for; see [Loop.ModifyFD]. Errors: [ErrFDNotRegistered] after Close,
// [ErrInvalidEvents], [net.ErrClosed] if the connection is closed, and the system's.
func (w *Watch) Modify(events IOEvents) (err error) {
	if closed := w.use(func() { err = w.loop.modify(w.fd, w.generation, events) }); closed {
		return fmt.Errorf("eventloop: watch: %w", net.ErrClosed)
	}
	return err
}

// Close ends the watch; the connection stays open. Called on the loop, it is exact: the callback does not run any more.
// Called from another goroutine, a callback that the loop has just begun goes on. Closing again does nothing. An error is
// the system's; the watch has ended all the same.
func (w *Watch) Close() (err error) {
	l := w.loop
	var released bool
	if closed := w.use(func() { released, err = l.poller.Unregister(w.fd, w.generation) }); closed {
		released, err = l.poller.Forget(w.fd, w.generation)
	}
	switch {
	case err == netpoll.ErrNotRegistered:
		return nil
	case w.set != nil:
		w.set.Release(w.fd)
	}
	return l.outcome("unregister", w.fd, released, err)
}

// Unref lets a loop with [WithAutoExit] end although the watch is open. Ref undoes it. Neither does anything after Close.
func (w *Watch) Unref() { _ = w.loop.setRef(w.fd, w.generation, false) }

// Ref makes the watch keep a loop with WithAutoExit open, as it does when it is new.
func (w *Watch) Ref() { _ = w.loop.setRef(w.fd, w.generation, true) }

// use calls fn while the descriptor cannot be closed, and so its number cannot come to mean another file. It reports
// whether the connection is closed already.
func (w *Watch) use(fn func()) (closed bool) {
	if w.set != nil {
		fn()
		return false
	}
	return w.raw.Control(func(uintptr) { fn() }) != nil
}
