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

// A Poller is a table of callbacks, or whatever T is, above a set of the kernel's. Init prepares it.
//
// Protocol. The lock guards the table, and every change of the kernel's set is made with it held, so the two agree. The
// kernel forgets a descriptor that was closed, which the table learns when the number is registered again: the kernel
// alone knows whether that is the same file.
//
// An event belongs to a registration if it has its generation. A kernel that keeps no generations (kqueue) forgets
// descriptors when they are closed, so there an event is good for a registration from before the wait that reported it.
//
// To report something ready is the business of Ready, once, and then of the owner, who calls Wait until it finds nothing.
// What becomes ready after the last look makes Ready be called again. While wait after wait finds something, the calls of
// Ready in between would wake threads for nothing: from the second on the nest is muted, until one finds nothing. A nest
// that is unmuted has Ready called for what came before.
type Poller[T any] struct {
	calls Calls
	owner Owner

	mu         sched.Mutex // guards the table, and what follows
	table      table[T]
	set        int
	nest       Nest // nil if there is no set
	generation uint32
	round      uint32
	closed     bool

	// The owner's.
	events  []Event // the room for what a wait finds
	found   int     // by the last wait
	batch   []Event // the part of events that has not been taken
	orphans orphans
	busy    int  // waits in a row that found something
	muted   bool // the nest is
}

// How many events the kernel reports at a time: at first, and at most. The room doubles whenever it was filled.
const (
	waitFirst = 64
	waitMost  = 1024
)

// An Owner is told from any goroutine, by Ready, that it is to call Wait.
type Owner interface{ Ready() }

// Init prepares a poller.
func (p *Poller[T]) Init(calls Calls, owner Owner) {
	p.calls, p.owner = calls, owner
}

// Calls returns what the poller calls.
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
	p.table.put(fd, entry[T]{callback: callback, generation: c.Generation, round: p.round, events: events, ref: true})
	return c.Generation, released, nil
}

// open makes a set if there is none. The lock is held.
func (p *Poller[T]) open() error {
	if p.closed {
		return ErrClosed
	}
	if p.nest != nil {
		return nil
	}
	set, err := p.create()
	if err != nil {
		return err
	}
	nest, err := p.calls.Nest(set, p.owner.Ready)
	if err != nil {
		return err
	}
	p.set, p.nest = set, nest
	return nil
}

// Modify changes what a registration waits for. A generation of 0 means whichever the descriptor has.
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
	err = p.control(Change{Op: Modify, FD: fd, Generation: e.generation, Events: events, Before: e.events})
	switch {
	case err == nil:
		e.events = events
	case gone(err):
		released = e.ref
		p.table.remove(fd)
	}
	return released, err
}

// Unregister ends a registration: Next does not return its callback any more. Released reports that it had a reference.
// Errors: [ErrNotRegistered], and those of the system. The registration has ended all the same; that the descriptor was
// closed is no error.
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
	if p.nest != nil {
		_ = p.nest.Close() // whatever it says, there is nothing left to do
		p.nest = nil
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
