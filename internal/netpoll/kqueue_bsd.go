//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package netpoll

import "golang.org/x/sys/unix"

// System returns the calls of kqueue.
func System() Calls { return NewKqueue(new(kevents)) }

// kevents are the system's own calls.
type kevents struct {
	found []unix.Kevent_t // the owner's
}

func (*kevents) Kqueue() (int, error) {
	kq, err := unix.Kqueue()
	if err == nil {
		unix.CloseOnExec(kq)
	}
	return kq, err
}

func (*kevents) Change(kq int, changes []KeventChange) error {
	var buf [2]unix.Kevent_t
	list := buf[:0]
	for _, c := range changes {
		flags := [...]int{KeventAdd: unix.EV_ADD, KeventDelete: unix.EV_DELETE, KeventEnable: unix.EV_ENABLE}[c.Op]
		var ev unix.Kevent_t
		unix.SetKevent(&ev, c.FD, [...]int{FilterRead: unix.EVFILT_READ, FilterWrite: unix.EVFILT_WRITE}[c.Filter], flags)
		list = append(list, ev)
	}
	_, err := unix.Kevent(kq, list, nil, nil)
	return err
}

func (k *kevents) Wait(kq int, results []KeventResult) (int, error) {
	if len(k.found) != len(results) {
		k.found = make([]unix.Kevent_t, len(results))
	}
	n, err := unix.Kevent(kq, nil, k.found, &unix.Timespec{})
	if err != nil {
		return 0, err
	}
	for i := range k.found[:n] {
		ev := &k.found[i]
		r := KeventResult{FD: int(ev.Ident), EOF: ev.Flags&unix.EV_EOF != 0}
		if int(ev.Filter) == unix.EVFILT_WRITE {
			r.Filter = FilterWrite
		}
		r.Failed = r.EOF && ev.Fflags != 0
		results[i] = r
	}
	return n, nil
}
