package eventloop

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/eventloop-go/eventloop/internal/netpoll"
)

// The errors of descriptors, beside those of the system. Match them with [errors.Is].
var (
	// ErrFDRegistered says that the descriptor is registered with the loop already.
	ErrFDRegistered = errors.New("eventloop: descriptor is already registered")

	// ErrFDNotRegistered says that the descriptor is not registered with the loop, or no longer.
	ErrFDNotRegistered = errors.New("eventloop: descriptor is not registered")

	// ErrInvalidEvents says that the events have bits that mean nothing.
	ErrInvalidEvents = errors.New("eventloop: invalid I/O events")
)

// IOEvents says what a descriptor is ready for, or what a callback waits for.
type IOEvents uint8

// The events of a descriptor.
const (
	// EventRead says that a read does not block: there is data, or a connection to accept, or the end of the stream.
	EventRead = IOEvents(netpoll.Read)

	// EventWrite says that a write does not block.
	EventWrite = IOEvents(netpoll.Write)

	// EventError says that an error is pending, which the next read or write returns. It is reported even if nobody has
	// asked for it.
	EventError = IOEvents(netpoll.Error)

	// EventHangup says that the connection is closed in both directions, even if nobody has asked for it. If it was asked
	// for together with EventRead, it also says that the other side has closed its direction: there may be data left to
	// read, and what is written may still arrive.
	EventHangup = IOEvents(netpoll.Hangup)
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

// RegisterFD has callback run on the loop, in the poll phase, whenever the descriptor is ready for one of the events, as
// long as it is ready: what a callback leaves unread is reported again in the next turn. No events pause it. The
// descriptor should be non-blocking. It stays the caller's to close, after [Loop.UnregisterFD] if possible.
//
// A descriptor that is closed without that is reported no more, but keeps a loop with [WithAutoExit] open until
// UnregisterFD is called. Its number may be registered again at once; what was reported of the old file never reaches the
// new callback.
//
// A registration keeps a loop with WithAutoExit open; see [Loop.UnrefFD]. It does not hold up [Loop.Shutdown], and ends
// with the loop. A loop with registrations that is never run needs [Loop.Close].
//
// It works on Linux (epoll), macOS and the BSDs (kqueue); [Loop.Watch] works everywhere, and is to be preferred for what
// Go has opened. Safe for any goroutine. Costs one system call.
//
// If the kernel's set itself fails, which nothing but a program that closes descriptors of others can bring about, each
// registration ends with an [EventError] as its last event.
//
// Errors: [ErrFDRegistered], [ErrLoopTerminated], [ErrNilCallback], [ErrInvalidEvents], [ErrZeroLoop], one that matches
// [errors.ErrUnsupported] on other systems, and the system's: EBADF; EPERM for what is always ready, such as regular files;
// ENOMEM; EMFILE and ENFILE, for the first registration opens one or two descriptors; on Linux EINVAL for one open file that is
// registered more than 100 times, with all loops together, and ELOOP for an epoll set that holds others too deep.
func (l *Loop) RegisterFD(fd int, events IOEvents, callback func(IOEvents)) error {
	if _, ok := l.poller.Calls().(*netpoll.RawSet); ok {
		return errNoDescriptors
	}
	_, err := l.register(fd, events, callback)
	return err
}

// errNoDescriptors says why RegisterFD is refused by a system that has no set of descriptors.
var errNoDescriptors = fmt.Errorf("eventloop: this system has no set of descriptors, use Loop.Watch instead of RegisterFD: %w", errors.ErrUnsupported)

// register is RegisterFD, and returns the generation of the registration.
func (l *Loop) register(fd int, events IOEvents, callback func(IOEvents)) (uint32, error) {
	if err := checkRegistration(events, callback); err != nil {
		return 0, err
	}
	if fd < 0 {
		return 0, fdError("register", fd, syscall.EBADF)
	}
	if err := l.hold(); err != nil {
		return 0, err
	}
	generation, released, err := l.poller.Register(fd, netpoll.Events(events), callback)
	if err != nil || released {
		l.release()
	}
	return generation, fdError("register", fd, err)
}

func checkRegistration(events IOEvents, callback func(IOEvents)) error {
	if callback == nil {
		return ErrNilCallback
	}
	if events&^IOEvents(netpoll.All) != 0 {
		return ErrInvalidEvents
	}
	return nil
}

// hold adds one to what keeps the loop open.
func (l *Loop) hold() error {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	if !l.in.accepting() {
		return l.in.refusal()
	}
	l.live.Add(1)
	return nil
}

// ModifyFD changes the events that a registered descriptor waits for. Called on the loop, it holds from then on: an event
// that is not asked for any more is not reported, even if it was ready before. Safe for any goroutine.
//
// Errors: [ErrFDNotRegistered], [ErrInvalidEvents], and the system's. After EBADF and ENOENT, which say that the descriptor
// was closed, the registration has ended; after others it is as before.
func (l *Loop) ModifyFD(fd int, events IOEvents) error { return l.modify(fd, 0, events) }

func (l *Loop) modify(fd int, generation uint32, events IOEvents) error {
	if events&^IOEvents(netpoll.All) != 0 {
		return ErrInvalidEvents
	}
	released, err := l.poller.Modify(fd, generation, netpoll.Events(events))
	return l.outcome("modify", fd, released, err)
}

// UnregisterFD ends the registration of a descriptor. Called on the loop, it is exact: the callback does not run any more.
// Called from another goroutine, a callback that the loop has just begun goes on. Safe for any goroutine.
//
// Errors: [ErrFDNotRegistered], and the system's, after which the registration has ended all the same. A descriptor that
// was closed is no error.
func (l *Loop) UnregisterFD(fd int) error {
	released, err := l.poller.Unregister(fd, 0)
	return l.outcome("unregister", fd, released, err)
}

// outcome gives back the reference of a registration that has ended, if it had one.
func (l *Loop) outcome(what string, fd int, released bool, err error) error {
	if released {
		l.release()
	}
	return fdError(what, fd, err)
}

// UnrefFD lets a loop with [WithAutoExit] end although the descriptor is registered; [Loop.RefFD] undoes it. The error is
// [ErrFDNotRegistered].
func (l *Loop) UnrefFD(fd int) error { return l.setRef(fd, 0, false) }

// RefFD makes a registered descriptor keep a loop with [WithAutoExit] open, as it does when it is new. Errors:
// [ErrFDNotRegistered], [ErrLoopTerminated].
func (l *Loop) RefFD(fd int) error { return l.setRef(fd, 0, true) }

func (l *Loop) setRef(fd int, generation uint32, ref bool) error {
	if ref {
		if err := l.hold(); err != nil {
			return err
		}
	}
	changed, err := l.poller.SetRef(fd, generation, ref)
	if changed != ref {
		l.release() // the reference that was taken away, or that it had already
	}
	return fdError("reference", fd, err)
}

// fdError is an error of the poller as callers see it.
func fdError(what string, fd int, err error) error {
	switch err {
	case nil:
		return nil
	case netpoll.ErrRegistered:
		return ErrFDRegistered
	case netpoll.ErrNotRegistered:
		return ErrFDNotRegistered
	case netpoll.ErrClosed:
		return ErrLoopTerminated
	}
	return fmt.Errorf("eventloop: %s descriptor %d: %w", what, fd, err)
}
