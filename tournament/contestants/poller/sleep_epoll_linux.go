package poller

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An epoll is a set of descriptors, with an eventfd for wake-ups among them.
type epoll struct {
	set    int
	event  int
	events [64]unix.EpollEvent
}

func newEpoll() (*epoll, error) {
	set, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("poller: epoll_create1: %w", err)
	}
	event, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		unix.Close(set)
		return nil, fmt.Errorf("poller: eventfd: %w", err)
	}
	p := &epoll{set: set, event: event}
	if err := p.watch(event); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// one is the data of a wake-up.
var one = binary.NativeEndian.AppendUint64(nil, 1)

// wake adds to the eventfd's count. That fails only when the count is full, and then the loop is being woken.
func (p *epoll) wake() { _, _ = unix.Write(p.event, one) }

// wait blocks in epoll_wait. A timeout is rounded up to the milliseconds that epoll_wait knows, so no timer is early.
func (p *epoll) wait(timeout time.Duration, ready []int) ([]int, error) {
	for {
		n, err := unix.EpollWait(p.set, p.events[:], milliseconds(timeout))
		if err == nil {
			return p.collect(n, ready), nil
		}
		if err != unix.EINTR {
			return ready, fmt.Errorf("poller: epoll_wait: %w", err)
		}
		// Waiting the whole timeout again may make a timer late, by as much as it takes signals to arrive.
	}
}

// collect takes the descriptors out of the events, and the count out of the eventfd.
func (p *epoll) collect(n int, ready []int) []int {
	for i := range p.events[:n] {
		if fd := int(p.events[i].Fd); fd != p.event {
			ready = append(ready, fd)
			continue
		}
		var count [8]byte
		_, _ = unix.Read(p.event, count[:])
	}
	return ready
}

func (p *epoll) watch(fd int) error {
	if err := unix.EpollCtl(p.set, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}); err != nil {
		return fmt.Errorf("poller: watch descriptor %d: %w", fd, err)
	}
	return nil
}

func (p *epoll) unwatch(fd int) error {
	if err := unix.EpollCtl(p.set, unix.EPOLL_CTL_DEL, fd, nil); err != nil {
		return fmt.Errorf("poller: stop watching descriptor %d: %w", fd, err)
	}
	return nil
}

func (p *epoll) close() {
	unix.Close(p.event)
	unix.Close(p.set)
}

// A netpoll is an epoll set inside the runtime's own: the waiting goroutine is parked as if it read from a network
// connection.
type netpoll struct {
	*epoll
	file *os.File
	conn syscall.RawConn
}

func newNetpoll() (sleeper, error) {
	p, err := newEpoll()
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(p.set, true); err != nil { // how os.NewFile knows that it may be polled
		p.close()
		return nil, fmt.Errorf("poller: set non-blocking: %w", err)
	}
	file := os.NewFile(uintptr(p.set), "epoll")
	conn, err := file.SyscallConn()
	if err != nil {
		p.close()
		return nil, fmt.Errorf("poller: raw connection: %w", err)
	}
	return &netpoll{p, file, conn}, nil
}

// wait is parked by the runtime until the set is ready, and then looks without blocking.
func (p *netpoll) wait(timeout time.Duration, ready []int) ([]int, error) {
	var deadline time.Time
	if timeout >= 0 {
		deadline = time.Now().Add(timeout)
	}
	if err := p.file.SetReadDeadline(deadline); err != nil {
		return ready, fmt.Errorf("poller: set deadline: %w", err)
	}
	var failed error
	look := func(set uintptr) bool {
		n, err := unix.EpollWait(int(set), p.events[:], 0)
		if err == unix.EINTR {
			return false
		}
		if err != nil {
			failed = fmt.Errorf("poller: epoll_wait: %w", err)
			return true
		}
		ready = p.collect(n, ready)
		return n > 0
	}
	if timeout == 0 {
		look(uintptr(p.set)) // a deadline that has passed would not look at all
		return ready, failed
	}
	if err := p.conn.Read(look); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return ready, fmt.Errorf("poller: wait for the epoll set: %w", err)
	}
	return ready, failed
}

func (p *netpoll) close() {
	unix.Close(p.event)
	p.file.Close()
}
