package eventloop

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/netpoll"
)

// IOEvents are the events for which a descriptor is ready, or for which a callback waits.
type IOEvents uint8

// The events of a descriptor.
const (
	// EventRead says that a read does not block: there is data, or a connection to accept, or the end of the stream.
	EventRead IOEvents = IOEvents(netpoll.Read)

	// EventWrite says that a write does not block.
	EventWrite IOEvents = IOEvents(netpoll.Write)

	// EventError says that an error is pending, which the next read or write returns. It is reported even if not
	// requested.
	EventError IOEvents = IOEvents(netpoll.Error)

	// EventHangup says that the connection is closed in both directions; it is reported even if not requested.
	// Requested together with EventRead, it also says that the other side has closed its direction. Data may be left
	// to read then, and written data may still arrive.
	EventHangup IOEvents = IOEvents(netpoll.Hangup)
)

// String names the events.
func (e IOEvents) String() string {
	var names []string
	for i, name := range []string{"read", "write", "error", "hang-up"} {
		if e&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, "|")
}

// A Watch waits for a connection, another file of Go's or a descriptor to be ready. Make one with [Loop.Watch] or
// [Loop.RegisterFD]. Its methods may be called from any goroutine. They never touch a later registration of the same
// connection or number.
type Watch struct {
	loop       *Loop
	raw        syscall.RawConn // keeps the connection from the garbage collector; nil for a bare descriptor
	fd         int
	generation uint32
	set        *netpoll.RawSet // in which fd is a number; nil if it is a descriptor
}

// Watch has callback run on the loop, in the poll phase, whenever conn is ready for one of the events. It runs in
// every turn as long as conn is ready, so unread data is reported again. It works on every system. conn may be
// anything with a RawConn, such as a [net.Conn], a listener, or an [os.File] of a pipe. A connection has one watch at
// a time, which may wait for several events.
//
// A callback that needs the handle gets it by a Watch without events, which reports nothing until [Watch.Modify].
//
// The caller still reads, writes and closes the connection, if possible after [Watch.Close]. A connection closed
// without that is reported no more, but keeps a loop with [WithAutoExit] open until Close or [Watch.Unref] is called.
//
// A watch keeps a loop with WithAutoExit open until then. It does not delay [Loop.Shutdown], and ends with the loop.
// A loop with watches that is never run needs [Loop.Close].
//
// On Linux, macOS and the BSDs the connection's descriptor is registered, which costs one system call and no
// goroutine. On Windows, and on other systems without a set of descriptors, a goroutine waits for each direction.
// Four rules hold there. Only the callback may read and write the connection. EventWrite is reported at once.
// EventHangup is never reported. A goroutine may remain after Close until the connection is ready or closed.
//
// Errors are those of RegisterFD and of the connection. A closed connection's error matches [net.ErrClosed] or
// [os.ErrClosed].
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

// RegisterFD is [Loop.Watch] for a descriptor that Go has not opened. It should be non-blocking. After its close, its
// number may be registered again at once; events of the old file never reach the new callback.
//
// It works on Linux (epoll), macOS and the BSDs (kqueue). Safe for any goroutine. Costs one system call.
//
// If the kernel's set itself fails, each registration ends with an [EventError] as its last event. Only a program
// that closes foreign descriptors can cause that.
//
// Errors: [ErrFDRegistered], [ErrLoopTerminated], [ErrInvalid], one that matches [errors.ErrUnsupported] on other
// systems, and the system's. EBADF is a bad descriptor. EPERM is a file that is always ready, such as a regular file.
// ENOMEM is possible. EMFILE and ENFILE are, because the first registration opens one or two descriptors. On Linux
// EINVAL says that one open file is registered more than 100 times, over all loops. ELOOP there says that an epoll
// set is nested too deeply.
func (l *Loop) RegisterFD(fd int, events IOEvents, callback func(IOEvents)) (*Watch, error) {
	if _, ok := l.poller.Calls().(*netpoll.RawSet); ok {
		return nil, errNoDescriptors
	}
	if err := checkRegistration(events, callback); err != nil {
		return nil, err
	}
	if fd < 0 {
		return nil, watchError("register", fd, syscall.EBADF)
	}
	generation, err := l.register(fd, events, callback)
	if err != nil {
		return nil, err
	}
	return &Watch{loop: l, fd: fd, generation: generation}, nil
}

// errNoDescriptors says why RegisterFD is refused by a system that has no set of descriptors.
var errNoDescriptors = fmt.Errorf("eventloop: this system has no set of descriptors, use Loop.Watch instead of RegisterFD: %w", errors.ErrUnsupported)

// register adds a descriptor to the set, and returns the generation of the registration.
func (l *Loop) register(fd int, events IOEvents, callback func(IOEvents)) (uint32, error) {
	if err := l.hold(); err != nil {
		return 0, err
	}
	generation, released, err := l.poller.Register(fd, netpoll.Events(events), callback)
	if err != nil || released {
		l.release()
	}
	return generation, watchError("register", fd, err)
}

func checkRegistration(events IOEvents, callback func(IOEvents)) error {
	if callback == nil {
		return inside.ErrNilCallback
	}
	if events&^IOEvents(netpoll.All) != 0 {
		return inside.ErrInvalidEvents
	}
	return nil
}

// Modify changes the events that the watch waits for. Called on the loop, it holds from then on: an event that is not asked
// for any more is not reported, even if it was ready before.
//
// No events pause the watch. A pause costs no processor time, even if the connection fails. On Linux an error or a
// hang-up is reported in it, once each; elsewhere when the pause has ended.
//
// Errors: [ErrInvalid]; one that matches [net.ErrClosed] after Close, when the loop has ended, and if the connection is
// closed; and the system's. After EBADF and ENOENT, which say that a bare descriptor was closed, the watch has ended; after
// others it is as before.
func (w *Watch) Modify(events IOEvents) error {
	if events&^IOEvents(netpoll.All) != 0 {
		return inside.ErrInvalidEvents
	}
	var released bool
	var err error
	if closed := w.use(func() { released, err = w.loop.poller.Modify(w.fd, w.generation, netpoll.Events(events)) }); closed {
		return errWatchClosed
	}
	if released {
		w.loop.release()
	}
	return watchError("modify", w.fd, err)
}

// Close ends the watch; the connection stays open. Called on the loop, it is exact: the callback does not run any
// more. Called from another goroutine, it does not stop a callback that the loop has just begun. Closing again does
// nothing, and so does Close when the loop has ended. An error is the system's, and the watch has ended in any case.
// A closed descriptor is no error.
func (w *Watch) Close() error {
	var released bool
	var err error
	if closed := w.use(func() { released, err = w.loop.poller.Unregister(w.fd, w.generation) }); closed {
		released, err = w.loop.poller.Forget(w.fd, w.generation)
	}
	if err == netpoll.ErrNotRegistered {
		return nil
	}
	if w.set != nil {
		w.set.Release(w.fd)
	}
	if released {
		w.loop.release()
	}
	return watchError("unregister", w.fd, err)
}

// Unref lets a loop with [WithAutoExit] end although the watch is open. Ref undoes it. Both do nothing after Close.
func (w *Watch) Unref() {
	if changed, err := w.loop.poller.SetRef(w.fd, w.generation, false); changed && err == nil {
		w.loop.release()
	}
}

// Ref makes the watch keep a loop with WithAutoExit open, as it does when it is new.
func (w *Watch) Ref() {
	if w.loop.hold() != nil { // first, or the loop might end in between
		return
	}
	if changed, err := w.loop.poller.SetRef(w.fd, w.generation, true); !changed || err != nil {
		w.loop.release() // it had its reference already, or has ended
	}
}

// use calls fn while the descriptor of a connection cannot be closed, and so its number cannot come to mean another file. It
// reports whether the connection is closed already.
func (w *Watch) use(fn func()) (closed bool) {
	if w.set != nil || w.raw == nil {
		fn()
		return false
	}
	return w.raw.Control(func(uintptr) { fn() }) != nil
}

var errWatchClosed = fmt.Errorf("eventloop: watch: %w", net.ErrClosed)

// watchError is an error of the poller as callers see it.
func watchError(what string, fd int, err error) error {
	switch err {
	case nil:
		return nil
	case netpoll.ErrRegistered:
		return ErrFDRegistered
	case netpoll.ErrNotRegistered:
		return errWatchClosed
	case netpoll.ErrClosed:
		return ErrLoopTerminated
	}
	return fmt.Errorf("eventloop: %s descriptor %d: %w", what, fd, err)
}
