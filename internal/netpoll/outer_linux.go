package netpoll

import (
	"os"

	"golang.org/x/sys/unix"
)

// An outerSet is an epoll set that holds the poller's set alone, and lies in the poller of the Go runtime in its place. A
// set in the runtime's poller wakes one of its threads whenever a descriptor becomes ready, also when the loop is about
// to ask anyway. Disabling the inner set in the outer one stops that, at the price of one system call. The kernel checks
// the inner set when it is enabled, so nothing that came meanwhile is lost.
type outerSet struct {
	file  *os.File // its descriptor
	fd    int
	inner int
}

// Notify puts the set into an outer one.
func (*epoll) Notify(set int, ready func()) (Notifier, error) {
	o := &outerSet{inner: set}
	err := o.open(ready)
	if err != nil {
		_ = unix.Close(set)
		return nil, err
	}
	return o, nil
}

func (o *outerSet) open(ready func()) (err error) {
	if o.fd, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if err := o.control(unix.EPOLL_CTL_ADD, unix.EPOLLIN); err != nil {
		_ = unix.Close(o.fd)
		return err
	}
	o.file, err = notifyFromRuntime(o.fd, "epoll", ready)
	return err
}

func (o *outerSet) control(op int, events uint32) error {
	for {
		if err := unix.EpollCtl(o.fd, op, o.inner, &unix.EpollEvent{Events: events}); err != unix.EINTR {
			return err
		}
	}
}

// Disable disables the inner set. The outer one may still hold an old report that it is ready. A wait clears that report;
// otherwise later reports would not arrive.
func (o *outerSet) Disable() {
	if o.control(unix.EPOLL_CTL_MOD, 0) != nil {
		return
	}
	var none [1]unix.EpollEvent
	_, err := unix.EpollWait(o.fd, none[:], 0)
	for err == unix.EINTR {
		_, err = unix.EpollWait(o.fd, none[:], 0)
	}
}

// Enable enables the inner set.
func (o *outerSet) Enable() error { return o.control(unix.EPOLL_CTL_MOD, unix.EPOLLIN) }

// Close closes both.
func (o *outerSet) Close() error {
	err := unix.Close(o.inner)
	_ = o.file.Close() // nothing can be done about it
	return err
}
