//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package poller

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// A kqueue is a set of descriptors, with the reading end of a pipe for wake-ups among them.
type kqueue struct {
	set    int
	pipe   [2]int
	events [64]unix.Kevent_t
}

func newKqueue() (*kqueue, error) {
	set, err := unix.Kqueue()
	if err != nil {
		return nil, fmt.Errorf("poller: kqueue: %w", err)
	}
	unix.CloseOnExec(set)
	k := &kqueue{set: set}
	if err := unix.Pipe(k.pipe[:]); err != nil {
		unix.Close(set)
		return nil, fmt.Errorf("poller: pipe: %w", err)
	}
	for _, fd := range k.pipe {
		unix.CloseOnExec(fd)
		if err := unix.SetNonblock(fd, true); err != nil {
			k.close()
			return nil, fmt.Errorf("poller: set non-blocking: %w", err)
		}
	}
	if err := k.watch(k.pipe[0]); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

// wake writes a byte. That fails only when the pipe is full, and then the loop is being woken.
func (k *kqueue) wake() { _, _ = unix.Write(k.pipe[1], []byte{0}) }

// longest is a timeout that every system takes. The loop waits again after it.
const longest = 24 * time.Hour

// wait blocks in kevent.
func (k *kqueue) wait(timeout time.Duration, ready []int) ([]int, error) {
	var limit *unix.Timespec
	if timeout >= 0 {
		t := unix.NsecToTimespec(min(timeout, longest).Nanoseconds())
		limit = &t
	}
	for {
		n, err := unix.Kevent(k.set, nil, k.events[:], limit)
		if err == nil {
			return k.collect(n, ready), nil
		}
		if err != unix.EINTR {
			return ready, fmt.Errorf("poller: kevent: %w", err)
		}
	}
}

// collect takes the descriptors out of the events, and the bytes out of the pipe.
func (k *kqueue) collect(n int, ready []int) []int {
	for i := range k.events[:n] {
		if fd := int(k.events[i].Ident); fd != k.pipe[0] {
			ready = append(ready, fd)
			continue
		}
		var bytes [64]byte
		for {
			if n, err := unix.Read(k.pipe[0], bytes[:]); n < len(bytes) || err != nil {
				break
			}
		}
	}
	return ready
}

func (k *kqueue) watch(fd int) error {
	if err := k.change(fd, unix.EV_ADD); err != nil {
		return fmt.Errorf("poller: watch descriptor %d: %w", fd, err)
	}
	return nil
}

func (k *kqueue) unwatch(fd int) error {
	if err := k.change(fd, unix.EV_DELETE); err != nil {
		return fmt.Errorf("poller: stop watching descriptor %d: %w", fd, err)
	}
	return nil
}

func (k *kqueue) change(fd, flags int) error {
	var list [1]unix.Kevent_t
	unix.SetKevent(&list[0], fd, unix.EVFILT_READ, flags)
	_, err := unix.Kevent(k.set, list[:], nil, nil)
	return err
}

func (k *kqueue) close() {
	unix.Close(k.pipe[0])
	unix.Close(k.pipe[1])
	unix.Close(k.set)
}
