//go:build unix

package poller

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A pollSet is the list of descriptors that poll is given, with the reading end of a pipe for wake-ups first. Every
// Unix has it. Most have something better, and this for tests.
type pollSet struct {
	pipe [2]int
	fds  []unix.PollFd // of the wait in progress

	mu      sync.Mutex
	watched []int
}

func newPollSet() (sleeper, error) {
	p := &pollSet{}
	if err := unix.Pipe(p.pipe[:]); err != nil {
		return nil, fmt.Errorf("poller: pipe: %w", err)
	}
	for _, fd := range p.pipe {
		unix.CloseOnExec(fd)
		if err := unix.SetNonblock(fd, true); err != nil {
			p.close()
			return nil, fmt.Errorf("poller: set non-blocking: %w", err)
		}
	}
	return p, nil
}

// wake writes a byte. That fails only when the pipe is full, and then the loop is being woken.
func (p *pollSet) wake() { _, _ = unix.Write(p.pipe[1], []byte{0}) }

// wait blocks in poll.
func (p *pollSet) wait(timeout time.Duration, ready []int) ([]int, error) {
	p.mu.Lock()
	p.fds = append(p.fds[:0], unix.PollFd{Fd: int32(p.pipe[0]), Events: unix.POLLIN})
	for _, fd := range p.watched {
		p.fds = append(p.fds, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	}
	p.mu.Unlock()
	for {
		_, err := unix.Poll(p.fds, milliseconds(timeout))
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EINTR) && !errors.Is(err, unix.EAGAIN) {
			return ready, fmt.Errorf("poller: poll: %w", err)
		}
	}
	if p.fds[0].Revents != 0 {
		var bytes [64]byte
		for {
			if n, err := unix.Read(p.pipe[0], bytes[:]); n < len(bytes) || err != nil {
				break
			}
		}
	}
	for _, fd := range p.fds[1:] {
		if fd.Revents != 0 {
			ready = append(ready, int(fd.Fd))
		}
	}
	return ready, nil
}

// watch adds a descriptor from the next wait on, which the wake-up brings about.
func (p *pollSet) watch(fd int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watched = append(p.watched, fd)
	p.wake()
	return nil
}

func (p *pollSet) unwatch(fd int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.watched = slices.DeleteFunc(p.watched, func(w int) bool { return w == fd })
	p.wake()
	return nil
}

func (p *pollSet) close() {
	unix.Close(p.pipe[0])
	unix.Close(p.pipe[1])
}
