package netpoll

import (
	"errors"
	"syscall"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// The errors of a [Poller], beside those of the system.
var (
	ErrClosed        = errors.New("netpoll: poller is closed")
	ErrRegistered    = errors.New("netpoll: descriptor is registered")
	ErrNotRegistered = errors.New("netpoll: descriptor is not registered")
)

// A Poller is a table of callbacks, or of any T, above a set of the kernel's. Init prepares it.
//
// Protocol. The lock guards the table, and every change of the kernel's set is made with it held, so the two agree.
// The kernel forgets a closed descriptor. The table learns of it when the number is registered again: the kernel
// alone knows whether that is the same file.
//
// A registration that waits for no events is paused. Epoll still reports errors and hang-ups, as long as they last,
// which would be in every turn. So a paused descriptor is in the set for one report: the kernel disables it then,
// until the next Modify. Events reported in the pause are not reported again, even if a probe or a new set makes the
// kernel repeat them. A registration that has not waited for anything yet reports nothing: its owner may not have the
// handle. Kqueue has no filter for a paused descriptor, and reports nothing.
//
// An event belongs to a registration if it has its generation. Kqueue keeps no generations, but it forgets
// descriptors when they are closed. So its events are valid for a registration from before the wait that reported
// them.
//
// Ready reports readiness once. From then on the owner calls Wait until it finds nothing. Readiness after the last
// Wait causes the next call of Ready. While wait after wait finds something, calls of Ready in between would
// needlessly wake threads. From the second such wait on the notifier is disabled, until a wait finds nothing. Enabling
// it calls Ready for events that came before.
type Poller[T any] struct {
	calls Calls
	owner Owner

	mu         sched.Mutex // guards the table, and the fields below
	table      table[T]
	set        int
	notifier   Notifier // nil if there is no set
	generation uint32
	round      uint32
	closed     bool

	// The owner's.
	events   []Event // the buffer of a wait
	found    int     // by the last wait
	batch    []Event // the part of events that has not been taken
	leaks    leaks
	busy     int  // waits in a row that found something
	disabled bool // the notifier is
}

// How many events the kernel reports at a time: at first, and at most. The room doubles whenever it was filled.
const (
	waitFirst = 64
	waitMost  = 1024
)

// An Owner is notified, on any goroutine, by Ready: it then calls Wait.
type Owner interface{ Ready() }

// Init prepares a poller.
func (p *Poller[T]) Init(calls Calls, owner Owner) {
	p.calls, p.owner = calls, owner
}

// Calls returns the system calls of the poller.
func (p *Poller[T]) Calls() Calls { return p.calls }

// Register has callback returned by Next when the descriptor is ready for one of the events, and returns the generation of the
// registration. Released reports that it took the place of one with a reference whose descriptor was closed.
//
// Errors: [ErrRegistered], [ErrClosed], errors.ErrUnsupported, and those of the system.
func (p *Poller[T]) Register(fd int, events Events, callback T) (generation uint32, released bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.open(); err != nil {
		return 0, false, err
	}
	old := p.table.get(fd)
	if p.generation++; p.generation == 0 {
		p.generation = 1
	}
	if old != nil {
		err := p.control(Change{Op: Modify, FD: fd, Generation: old.generation, Events: old.events, Before: old.events})
		switch {
		case err == nil:
			return 0, false, ErrRegistered
		case !gone(err):
			return 0, false, err
		}
	}
	c := Change{Op: Add, FD: fd, Generation: p.generation, Events: events}
	switch err := p.control(c); err {
	case nil:
	case syscall.EEXIST:
		// The kernel still has a registration that could not be deleted.
		c.Op, c.Before = Modify, All
		if err := p.control(c); err != nil {
			return 0, false, err
		}
	default:
		return 0, false, err
	}
	if old != nil {
		released = old.ref
		p.table.remove(fd)
	}
	p.table.put(fd, entry[T]{callback: callback, generation: c.Generation, round: p.round, events: events, begun: events != 0, ref: true})
	return c.Generation, released, nil
}

// open makes a set if the poller has no set yet. The caller holds the lock.
func (p *Poller[T]) open() error {
	if p.closed {
		return ErrClosed
	}
	if p.notifier != nil {
		return nil
	}
	set, err := p.create()
	if err != nil {
		return err
	}
	notifier, err := p.calls.Notify(set, p.owner.Ready)
	if err != nil {
		return err
	}
	p.set, p.notifier = set, notifier
	return nil
}

// Modify changes the events that a registration waits for. A generation of 0 means the descriptor's present one.
//
// If the kernel no longer knows the descriptor, which was closed then, the registration ends, and released reports that it
// had a reference. Errors: [ErrNotRegistered], and those of the system, which leave the registration as it was.
func (p *Poller[T]) Modify(fd int, generation uint32, events Events) (released bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.find(fd, generation)
	if e == nil {
		return false, ErrNotRegistered
	}
	if events|e.events == 0 { // the pause goes on, and does not begin to report again
		return false, nil
	}
	err = p.control(Change{Op: Modify, FD: fd, Generation: e.generation, Events: events, Before: e.events})
	switch {
	case err == nil:
		e.events, e.reported = events, 0
		e.begun = true
	case gone(err):
		released = e.ref
		p.table.remove(fd)
	}
	return released, err
}

// Unregister ends a registration: Next does not return its callback any more. Released reports that it had a
// reference. Errors: [ErrNotRegistered], and those of the system. The registration has ended in every case. A closed
// descriptor is no error.
func (p *Poller[T]) Unregister(fd int, generation uint32) (released bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.find(fd, generation)
	if e == nil {
		return false, ErrNotRegistered
	}
	err = p.control(Change{Op: Delete, FD: fd, Generation: e.generation, Before: e.events})
	if gone(err) {
		err = nil
	}
	released = e.ref
	p.table.remove(fd)
	return released, err
}

// Forget is Unregister for a descriptor that was closed: its number may belong to another file.
func (p *Poller[T]) Forget(fd int, generation uint32) (released bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.find(fd, generation)
	if e == nil {
		return false, ErrNotRegistered
	}
	released = e.ref
	p.table.remove(fd)
	return released, nil
}

// SetRef gives the registration a reference, or takes it away, and reports whether that is a change.
func (p *Poller[T]) SetRef(fd int, generation uint32, ref bool) (changed bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.find(fd, generation)
	if e == nil {
		return false, ErrNotRegistered
	}
	changed = e.ref != ref
	e.ref = ref
	return changed, nil
}

// Len is the number of registrations.
func (p *Poller[T]) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table.n
}

// Close ends all registrations. Closing again does nothing.
func (p *Poller[T]) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.closeSet()
	p.table = table[T]{}
	p.events, p.batch = nil, nil
}

func (p *Poller[T]) closeSet() {
	if p.notifier != nil {
		_ = p.notifier.Close() // even if that fails, nothing is left to do
		p.notifier = nil
	}
}

func (p *Poller[T]) find(fd int, generation uint32) *entry[T] {
	e := p.table.get(fd)
	if e == nil || generation != 0 && e.generation != generation {
		return nil
	}
	return e
}

// gone reports an error that means that the set does not have the descriptor: it was closed.
func gone(err error) bool { return err == syscall.ENOENT || err == syscall.EBADF }

// create and control repeat calls that a signal has interrupted.

func (p *Poller[T]) create() (set int, err error) {
	for {
		if set, err = p.calls.Create(); err != syscall.EINTR {
			return set, err
		}
	}
}

func (p *Poller[T]) control(c Change) error { return p.controlIn(p.set, c) }

func (p *Poller[T]) controlIn(set int, c Change) error {
	for {
		if err := p.calls.Control(set, c); err != syscall.EINTR {
			return err
		}
	}
}
