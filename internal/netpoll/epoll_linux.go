package netpoll

import "golang.org/x/sys/unix"

// System returns the calls of epoll.
func System() Calls { return new(epoll) }

type epoll struct {
	found []unix.EpollEvent // the owner's
}

func (*epoll) Create() (int, error) { return unix.EpollCreate1(unix.EPOLL_CLOEXEC) }

func (*epoll) Control(set int, c Change) error {
	op := [...]int{Add: unix.EPOLL_CTL_ADD, Modify: unix.EPOLL_CTL_MOD, Delete: unix.EPOLL_CTL_DEL}[c.Op]
	ev := unix.EpollEvent{Fd: int32(c.FD), Pad: int32(c.Generation)}
	if c.Events&Read != 0 {
		ev.Events |= unix.EPOLLIN
	}
	if c.Events&Write != 0 {
		ev.Events |= unix.EPOLLOUT
	}
	if c.Events&Hangup != 0 {
		ev.Events |= unix.EPOLLRDHUP
	}
	if c.Events == 0 { // errors and hang-ups are always waited for: here until the first
		ev.Events |= unix.EPOLLONESHOT
	}
	return unix.EpollCtl(set, op, c.FD, &ev)
}

func (e *epoll) Wait(set int, events []Event) (int, error) {
	if len(e.found) != len(events) {
		e.found = make([]unix.EpollEvent, len(events))
	}
	n, err := unix.EpollWait(set, e.found, 0)
	if err != nil {
		return 0, err
	}
	for i := range e.found[:n] {
		f := &e.found[i]
		events[i] = Event{FD: f.Fd, Generation: uint32(f.Pad), Events: fromEpoll(f.Events)}
	}
	return n, nil
}

func fromEpoll(bits uint32) (e Events) {
	if bits&unix.EPOLLIN != 0 {
		e |= Read
	}
	if bits&unix.EPOLLOUT != 0 {
		e |= Write
	}
	if bits&unix.EPOLLERR != 0 {
		e |= Error
	}
	if bits&unix.EPOLLHUP != 0 {
		e |= Hangup
	}
	if bits&unix.EPOLLRDHUP != 0 {
		e |= halfClosed
	}
	return e
}
