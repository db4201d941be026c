//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package netpoll

import (
	"io"

	"golang.org/x/sys/unix"

	"github.com/eventloop-go/eventloop/internal/sched"
)

func (*kevents) Notify(kq int, ready func()) (io.Closer, error) {
	_ = unix.SetNonblock(kq, true)
	if flags, err := unix.FcntlInt(uintptr(kq), unix.F_GETFL, 0); err == nil && flags&unix.O_NONBLOCK != 0 {
		return notifyFromRuntime(kq, "kqueue", ready)
	}
	closer, err := notifyFromThread(kq, ready)
	if err != nil {
		_ = unix.Close(kq)
	}
	return closer, err
}

// notifyFromThread is notifyFromRuntime for systems that do not let a kqueue be non-blocking: the Go runtime does not take it then. A thread
// waits for edges in a second kqueue.
func notifyFromThread(kq int, ready func()) (io.Closer, error) {
	var end [2]int // a pipe
	if err := unix.Pipe(end[:]); err != nil {
		return nil, err
	}
	outer, err := unix.Kqueue()
	if err == nil {
		var list [2]unix.Kevent_t
		unix.SetKevent(&list[0], kq, unix.EVFILT_READ, unix.EV_ADD|unix.EV_CLEAR)
		unix.SetKevent(&list[1], end[0], unix.EVFILT_READ, unix.EV_ADD)
		if _, err = unix.Kevent(outer, list[:], nil, nil); err != nil {
			_ = unix.Close(outer)
		}
	}
	if err != nil {
		_ = unix.Close(end[0])
		_ = unix.Close(end[1])
		return nil, err
	}
	for _, fd := range []int{outer, end[0], end[1]} {
		unix.CloseOnExec(fd)
	}
	sched.Go(func() {
		ready()
		var found [2]unix.Kevent_t
		for {
			n, err := unix.Kevent(outer, nil, found[:], nil)
			ended := err != nil && err != unix.EINTR
			for i := range found[:max(n, 0)] {
				ended = ended || int(found[i].Ident) == end[0]
			}
			if ended {
				_ = unix.Close(outer)
				_ = unix.Close(end[0])
				return
			}
			ready()
		}
	})
	return &threadNotifier{kq, end[1]}, nil
}

// A threadNotifier ends the work of notifyFromThread.
type threadNotifier struct{ kq, end int }

func (n *threadNotifier) Close() error {
	_ = unix.Close(n.end)
	return unix.Close(n.kq)
}
