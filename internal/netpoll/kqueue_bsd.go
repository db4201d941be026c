//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package netpoll

import "golang.org/x/sys/unix"

// system is kqueue.
var system Calls = kqueue{kevents{}}

// kevents are the system's own calls.
type kevents struct{}

func (kevents) kqueue() (int, error) {
	kq, err := unix.Kqueue()
	if err == nil {
		unix.CloseOnExec(kq)
	}
	return kq, err
}

func (kevents) change(kq int, changes []kchange) error {
	var buf [2]unix.Kevent_t
	list := buf[:0]
	for _, c := range changes {
		flags := [...]int{keventAdd: unix.EV_ADD, keventDelete: unix.EV_DELETE, keventEnable: unix.EV_ENABLE}[c.op]
		var ev unix.Kevent_t
		unix.SetKevent(&ev, c.fd, [...]int{filterRead: unix.EVFILT_READ, filterWrite: unix.EVFILT_WRITE}[c.filter], flags)
		list = append(list, ev)
	}
	_, err := unix.Kevent(kq, list, nil, nil)
	return err
}

func (kevents) wait(kq int, results []kresult) (int, error) {
	var buf [waitSize]unix.Kevent_t
	n, err := unix.Kevent(kq, nil, buf[:len(results)], &unix.Timespec{})
	if err != nil {
		return 0, err
	}
	for i := range buf[:n] {
		ev := &buf[i]
		r := kresult{fd: int(ev.Ident), eof: ev.Flags&unix.EV_EOF != 0}
		if int(ev.Filter) == unix.EVFILT_WRITE {
			r.filter = filterWrite
		}
		r.failed = r.eof && ev.Fflags != 0
		results[i] = r
	}
	return n, nil
}
