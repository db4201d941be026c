package netpoll

import (
	"os"

	"golang.org/x/sys/unix"
)

// A gate is an epoll set that holds the poller's set alone, and lies in the poller of the Go runtime in its place. A set in
// the runtime's poller wakes one of its threads whenever a descriptor becomes ready, also when the loop is about to look
// anyway. Shut, the gate stops that on its way, at the price of one system call. The kernel looks at the set when the
// gate is opened, so nothing that came meanwhile is lost.
type gate struct {
	file *os.File // its descriptor
	fd   int
	set  int
}

// Nest puts the set into a gate.
func (*epoll) Nest(set int, ready func()) (Nest, error) {
	g := &gate{set: set}
	err := g.nest(ready)
	if err != nil {
		_ = unix.Close(set)
		return nil, err
	}
	return g, nil
}

func (g *gate) nest(ready func()) (err error) {
	if g.fd, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if err := g.control(unix.EPOLL_CTL_ADD, unix.EPOLLIN); err != nil {
		_ = unix.Close(g.fd)
		return err
	}
	g.file, err = nest(g.fd, "epoll", ready)
	return err
}

func (g *gate) control(op int, events uint32) error {
	for {
		if err := unix.EpollCtl(g.fd, op, g.set, &unix.EpollEvent{Events: events}); err != unix.EINTR {
			return err
		}
	}
}

// Mute shuts the gate. The gate may still hold an old report that the set is ready. A wait clears that report;
// otherwise later reports would not arrive.
func (g *gate) Mute() {
	if g.control(unix.EPOLL_CTL_MOD, 0) != nil {
		return
	}
	var none [1]unix.EpollEvent
	_, err := unix.EpollWait(g.fd, none[:], 0)
	for err == unix.EINTR {
		_, err = unix.EpollWait(g.fd, none[:], 0)
	}
}

// Unmute opens the gate.
func (g *gate) Unmute() error { return g.control(unix.EPOLL_CTL_MOD, unix.EPOLLIN) }

// Close closes both.
func (g *gate) Close() error {
	err := unix.Close(g.set)
	_ = g.file.Close() // nothing can be done about it
	return err
}
