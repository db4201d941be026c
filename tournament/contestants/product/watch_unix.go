//go:build unix

package product

import "github.com/eventloop-go/eventloop"

// WatchReadable registers the descriptor.
func (l loop) WatchReadable(fd int, ready func()) (stop func() error, err error) {
	w, err := l.RegisterFD(fd, eventloop.EventRead, func(eventloop.IOEvents) { ready() })
	if err != nil {
		return nil, err
	}
	return w.Close, nil
}
