package netpoll

import (
	"errors"
	"net"
	"os"
	"syscall"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// A RawSet is a set of connections, for systems that have no set of descriptors. A goroutine waits for each direction
// of a connection, in the Go runtime's poller. A connection has a number of the set's own in place of a descriptor.
//
// Protocol. The lock guards everything. Each wanted direction goes through three states. A goroutine waits for it.
// Then it is ready until Wait reports it. Then it rests until the next Wait starts the waiting again. So no goroutine
// waits on a connection while a callback uses it.
type RawSet struct {
	ready func() // of Notify; nil before, and after Close

	mu       sched.Mutex
	conns    []*rawConn // by number
	reported []*rawConn // by the last Wait
	found    []*rawConn // that Wait is to report
}

// A rawConn is a connection in the set.
type rawConn struct {
	set        *RawSet
	raw        syscall.RawConn
	fd         int
	generation uint32
	wanted     Events // 0 when it is not in the set
	waiting    Events // a goroutine waits
	ready      Events // to be reported
	listed     bool   // in found
}

// Bind gives a connection a number, for Control. Release takes it back.
func (s *RawSet) Bind(raw syscall.RawConn) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for fd, c := range s.conns {
		if c == nil {
			s.conns[fd] = &rawConn{set: s, raw: raw, fd: fd}
			return fd
		}
	}
	s.conns = append(s.conns, &rawConn{set: s, raw: raw, fd: len(s.conns)})
	return len(s.conns) - 1
}

// Release takes a number back whose registration has ended. Close may have taken it before.
func (s *RawSet) Release(fd int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fd < len(s.conns) {
		s.conns[fd] = nil
	}
}

// Create does nothing: a RawSet is one set.
func (s *RawSet) Create() (int, error) { return 0, nil }

// Notify remembers ready.
func (s *RawSet) Notify(_ int, ready func()) (Notifier, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = ready
	return alwaysEnabled{s}, nil
}

// Close forgets all connections. A goroutine that waits for one ends when that is ready or closed.
func (s *RawSet) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.conns {
		if c != nil {
			c.wanted = 0
		}
	}
	s.ready, s.conns, s.reported, s.found = nil, nil, nil, nil
	return nil
}

// Control changes the directions that are waited for.
func (s *RawSet) Control(_ int, change Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if change.FD >= len(s.conns) || s.conns[change.FD] == nil {
		return syscall.EBADF
	}
	c := s.conns[change.FD]
	c.generation, c.wanted = change.Generation, change.Events&(Read|Write)
	if change.Op == Delete {
		c.wanted = 0
	}
	c.wait()
	return nil
}

// Wait reports the ready connections.
func (s *RawSet) Wait(_ int, events []Event) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range s.reported {
		c.wait()
		s.reported[i] = nil
	}
	s.reported = s.reported[:0]
	for n < len(events) && len(s.found) > 0 {
		c := s.found[0]
		s.found[0] = nil
		s.found = s.found[1:]
		c.listed = false
		if e := c.ready & (c.wanted | Error); e != 0 && c.wanted != 0 {
			events[n] = Event{FD: int32(c.fd), Generation: c.generation, Events: e}
			n++
		}
		c.ready = 0
		s.reported = append(s.reported, c)
	}
	if len(s.found) == 0 {
		s.found = nil
	}
	return n, nil
}

// wait starts goroutines for the wanted directions. The caller holds the lock.
func (c *rawConn) wait() {
	for _, direction := range [...]Events{Read, Write} {
		if c.wanted&direction&^(c.waiting|c.ready) != 0 {
			c.waiting |= direction
			sched.Go(func() { c.waitFor(direction) })
		}
	}
}

func (c *rawConn) waitFor(direction Events) {
	wait := c.raw.Read
	if direction == Write {
		wait = c.raw.Write
	}
	err := wait(untilReady(direction))
	s := c.set
	s.mu.Lock()
	c.waiting &^= direction
	c.ready |= direction
	switch {
	case errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrClosed):
		c.wanted = 0 // as if it had never been ready
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded): // which the next read or write returns
		c.ready |= Error
	}
	ready := s.ready
	if c.wanted == 0 {
		c.ready = 0
		ready = nil
	} else if !c.listed {
		c.listed = true
		s.found = append(s.found, c)
	}
	s.mu.Unlock()
	if ready != nil {
		ready()
	}
}
