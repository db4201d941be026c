package poller

import (
	"fmt"
	"syscall"
)

// A watching loop is one whose sleeper watches descriptors.
type watching struct{ *loop }

// WatchReadable calls ready on the loop while the descriptor can be read.
func (l watching) WatchReadable(fd int, ready func()) (stop func() error, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopping {
		return nil, ErrTerminated
	}
	if l.watched[fd] != nil {
		return nil, fmt.Errorf("poller: watch descriptor %d: %w", fd, syscall.EEXIST)
	}
	w := l.sleep.(watcher)
	if err := w.watch(fd); err != nil {
		return nil, err
	}
	if l.watched == nil {
		l.watched = make(map[int]func())
	}
	l.watched[fd] = ready
	return func() error {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.watched[fd] == nil || l.ended {
			return nil // stopped before, or the loop has closed its poller
		}
		delete(l.watched, fd)
		return w.unwatch(fd)
	}, nil
}
