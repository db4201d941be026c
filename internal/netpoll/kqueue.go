package netpoll

import (
	"io"
	"syscall"
)

// A filter is one direction of a descriptor, which kqueue registers and reports by itself.
type filter uint8

const (
	filterRead filter = iota
	filterWrite
)

// A keventOp is a change of one filter.
type keventOp uint8

const (
	keventAdd keventOp = iota
	keventDelete
	keventEnable // changes nothing, and fails if there is no such filter
)

// A kchange and a kresult are struct kevent in its two roles.
type kchange struct {
	fd     int
	filter filter
	op     keventOp
}

type kresult struct {
	fd     int
	filter filter
	eof    bool
	failed bool // with eof: an error is pending
}

// keventCalls are the system calls that a kqueue is driven by.
type keventCalls interface {
	kqueue() (int, error)
	nest(kq int, ready func()) (io.Closer, error)

	// change applies changes in order, up to the first that fails.
	change(kq int, changes []kchange) error

	// wait does not wait.
	wait(kq int, results []kresult) (int, error)
}

// A kqueue is a set made of kqueue's filters. The kernel keeps no generations for us, and forgets a descriptor when it is
// closed, whether or not it has duplicates.
type kqueue struct{ calls keventCalls }

func (k kqueue) Create() (int, error) { return k.calls.kqueue() }

func (k kqueue) Nest(set int, ready func()) (io.Closer, error) { return k.calls.nest(set, ready) }

func (k kqueue) Control(set int, c Change) error {
	now, before := c.Events, c.Before
	switch c.Op {
	case Add:
		before = 0
	case Delete:
		now = 0
	}
	// What exists comes first: if the number belongs to another file by now, that fails, and nothing is added.
	var buf [2]kchange
	changes := buf[:0]
	for f, bit := range [...]Events{filterRead: Read, filterWrite: Write} {
		switch {
		case before&bit == 0:
		case now&bit != 0:
			changes = append(changes, kchange{c.FD, filter(f), keventEnable})
		default:
			changes = append(changes, kchange{c.FD, filter(f), keventDelete})
		}
	}
	old := len(changes)
	for f, bit := range [...]Events{filterRead: Read, filterWrite: Write} {
		if now&^before&bit != 0 {
			changes = append(changes, kchange{c.FD, filter(f), keventAdd})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if c.Op == Modify && c.Before == All { // which of them exist is not known
		return k.force(set, c)
	}
	err := k.calls.change(set, changes)
	if err != nil && len(changes)-old == 2 {
		_ = k.calls.change(set, []kchange{{c.FD, filterRead, keventDelete}}) // the second may have failed
	}
	return err
}

// force brings a descriptor to what c says, whatever it was before.
func (k kqueue) force(set int, c Change) error {
	for f, bit := range [...]Events{filterRead: Read, filterWrite: Write} {
		op := keventDelete
		if c.Events&bit != 0 {
			op = keventAdd
		}
		err := k.calls.change(set, []kchange{{c.FD, filter(f), op}})
		if err != nil && (op == keventAdd || err != syscall.ENOENT) {
			return err
		}
	}
	return nil
}

func (k kqueue) Wait(set int, events []Event) (int, error) {
	var buf [waitSize]kresult
	found, err := k.calls.wait(set, buf[:min(len(events), waitSize)])
	if err != nil {
		return 0, err
	}
	n := 0
	for _, r := range buf[:found] {
		e := fromKevent(r)
		if n > 0 && int(events[n-1].FD) == r.fd {
			events[n-1].Events |= e
			continue
		}
		events[n] = Event{FD: int32(r.fd), Events: e}
		n++
	}
	return n, nil
}

func fromKevent(r kresult) Events {
	e := Read
	if r.filter == filterWrite {
		e = Write
	}
	switch {
	case !r.eof:
	case r.failed:
		e |= Error | Hangup
	case r.filter == filterWrite: // nobody reads any more
		e |= Hangup
	default:
		e |= halfClosed
	}
	return e
}
