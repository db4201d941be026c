package netpoll

import (
	"io"
	"syscall"
)

// A Filter is one direction of a descriptor, which kqueue registers and reports by itself.
type Filter uint8

// The directions.
const (
	FilterRead Filter = iota
	FilterWrite
)

// A KeventOp is a change of one filter.
type KeventOp uint8

// The changes.
const (
	KeventAdd KeventOp = iota
	KeventDelete
	KeventEnable // changes nothing, and fails if there is no such filter
)

// A KeventChange is struct kevent as it is handed in.
type KeventChange struct {
	FD     int
	Filter Filter
	Op     KeventOp
}

// A KeventResult is struct kevent as it is reported.
type KeventResult struct {
	FD     int
	Filter Filter
	EOF    bool
	Failed bool // with EOF: an error is pending
}

// KeventCalls are the system calls that a kqueue is driven by.
type KeventCalls interface {
	Kqueue() (int, error)
	Notify(kq int, ready func()) (io.Closer, error)

	// Change applies changes in order, up to the first that fails.
	Change(kq int, changes []KeventChange) error

	// Wait does not wait.
	Wait(kq int, results []KeventResult) (int, error)
}

// A kqueue is a set made of kqueue's filters. The kernel keeps no generations for us, and forgets a descriptor when it is
// closed, whether or not it has duplicates.
type kqueue struct {
	calls   KeventCalls
	results []KeventResult // the owner's
}

// NewKqueue makes sets of kqueues.
func NewKqueue(calls KeventCalls) Calls { return &kqueue{calls: calls} }

func (k *kqueue) Create() (int, error) { return k.calls.Kqueue() }

func (k *kqueue) Notify(set int, ready func()) (Notifier, error) {
	closer, err := k.calls.Notify(set, ready)
	return alwaysEnabled{closer}, err
}

func (k *kqueue) Control(set int, c Change) error {
	now, before := c.Events, c.Before
	switch c.Op {
	case Add:
		before = 0
	case Delete:
		now = 0
	}
	// Changes of existing filters come first: if the number belongs to another file by now, they fail, and nothing is
	// added.
	var buf [2]KeventChange
	changes := buf[:0]
	for f, bit := range [...]Events{FilterRead: Read, FilterWrite: Write} {
		switch {
		case before&bit == 0:
		case now&bit != 0:
			changes = append(changes, KeventChange{c.FD, Filter(f), KeventEnable})
		default:
			changes = append(changes, KeventChange{c.FD, Filter(f), KeventDelete})
		}
	}
	old := len(changes)
	for f, bit := range [...]Events{FilterRead: Read, FilterWrite: Write} {
		if now&^before&bit != 0 {
			changes = append(changes, KeventChange{c.FD, Filter(f), KeventAdd})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if c.Op == Modify && c.Before == All { // which of them exist is not known
		return k.force(set, c)
	}
	err := k.calls.Change(set, changes)
	if err != nil && len(changes)-old == 2 {
		_ = k.calls.Change(set, []KeventChange{{c.FD, FilterRead, KeventDelete}}) // the second may have failed
	}
	return err
}

// force brings a descriptor to the state of c, from any earlier state.
func (k *kqueue) force(set int, c Change) error {
	for f, bit := range [...]Events{FilterRead: Read, FilterWrite: Write} {
		op := KeventDelete
		if c.Events&bit != 0 {
			op = KeventAdd
		}
		err := k.calls.Change(set, []KeventChange{{c.FD, Filter(f), op}})
		if err != nil && (op == KeventAdd || err != syscall.ENOENT) {
			return err
		}
	}
	return nil
}

func (k *kqueue) Wait(set int, events []Event) (int, error) {
	if len(k.results) != len(events) {
		k.results = make([]KeventResult, len(events))
	}
	found, err := k.calls.Wait(set, k.results)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, r := range k.results[:found] {
		e := fromKevent(r)
		if n > 0 && int(events[n-1].FD) == r.FD {
			events[n-1].Events |= e
			continue
		}
		events[n] = Event{FD: int32(r.FD), Events: e}
		n++
	}
	return n, nil
}

func fromKevent(r KeventResult) Events {
	e := Read
	if r.Filter == FilterWrite {
		e = Write
	}
	switch {
	case !r.EOF:
	case r.Failed:
		e |= Error | Hangup
	case r.Filter == FilterWrite: // nobody reads any more
		e |= Hangup
	default:
		e |= halfClosed
	}
	return e
}
