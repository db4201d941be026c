//go:build unix

package product

import (
	"errors"
	"sync"

	"github.com/eventloop-go/eventloop"
)

// WatchReadable registers the descriptor.
func (l loop) WatchReadable(fd int, ready func()) (stop func() error, err error) {
	if err := l.RegisterFD(fd, eventloop.EventRead, func(eventloop.IOEvents) { ready() }); err != nil {
		return nil, err
	}
	return sync.OnceValue(func() error {
		if err := l.UnregisterFD(fd); !errors.Is(err, eventloop.ErrFDNotRegistered) { // which the end of the loop has done
			return err
		}
		return nil
	}), nil
}
