// Package simulated has a kernel with files, descriptors and sets of them, for tests of package netpoll and its
// users. It promises only the common behaviour of epoll and kqueue. A set that has something to report says so once,
// and again only when it was asked and had nothing. Calls can be made to fail. Under package explore it is part of
// the schedule.
package simulated

import (
	"slices"
	"syscall"

	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// A Call is a system call that can be made to fail.
type Call uint8

// The calls.
const (
	Create Call = iota
	Add
	Modify
	Delete
	Wait
	Close
	Enable
	calls
)

func (c Call) String() string {
	return [...]string{"create", "add", "modify", "delete", "wait", "close", "enable"}[c]
}

// A Kernel is ready for use.
type Kernel struct {
	mu    sched.Mutex
	files []*file // by descriptor
	sets  []*set
	fail  [calls][]error
	count [calls]int
}

// A file is the target of descriptors.
type file struct {
	ready netpoll.Events
	refs  int
}

// A member is a descriptor in a set.
type member struct {
	fd         int
	file       *file
	filter     netpoll.Events // which kqueue's member is for; 0 for epoll
	events     netpoll.Events
	generation uint32
	queued     bool // the set may have to report it
	once       bool // it is disabled by the next report
	disabled   bool
}

// A set is an epoll set, or a kqueue.
type set struct {
	k        *Kernel
	members  []*member
	edge     chan struct{}
	notified bool // there is a token in edge, or soon will be
	disabled bool
	closed   bool
}

// Open makes a file with the lowest descriptor that is free.
func (k *Kernel) Open(ready netpoll.Events) (fd int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.open(&file{ready: ready})
}

func (k *Kernel) open(f *file) int {
	f.refs++
	for fd, other := range k.files {
		if other == nil {
			k.files[fd] = f
			return fd
		}
	}
	k.files = append(k.files, f)
	return len(k.files) - 1
}

// Dup makes another descriptor of a file.
func (k *Kernel) Dup(fd int) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.open(k.files[fd])
}

// CloseFD closes a descriptor.
func (k *Kernel) CloseFD(fd int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f := k.files[fd]
	k.files[fd] = nil
	f.refs--
	for _, s := range k.sets {
		s.remove(func(m *member) bool { return m.file == f && (f.refs == 0 || m.filter != 0 && m.fd == fd) })
	}
}

// SetReady sets the events for which a file is ready from now on.
func (k *Kernel) SetReady(fd int, events netpoll.Events) {
	setReady, _ := k.File(fd)
	setReady(events)
}

// File returns two functions for the file of a descriptor, usable after its close. The first is SetReady; the second
// returns the events that the file is ready for. The second takes no lock: it is for runs of package explore, where
// one goroutine runs at a time.
func (k *Kernel) File(fd int) (setReady func(events netpoll.Events), ready func() netpoll.Events) {
	k.mu.Lock()
	f := k.files[fd]
	k.mu.Unlock()
	setReady = func(events netpoll.Events) {
		k.mu.Lock()
		f.ready = events
		edges := k.edges(f)
		k.mu.Unlock()
		send(edges)
	}
	return setReady, func() netpoll.Events { return f.ready }
}

// edges queues the ready members of a file, and returns the channels of the pollers to notify. The caller holds the
// lock.
func (k *Kernel) edges(f *file) (edges []chan struct{}) {
	for _, s := range k.sets {
		for _, m := range s.members {
			if m.file == f && m.report() != 0 && !m.queued {
				m.queued = true
				if !s.notified && !s.disabled {
					s.notified = true
					edges = append(edges, s.edge)
				}
			}
		}
	}
	return edges
}

func send(edges []chan struct{}) {
	for _, e := range edges {
		sched.Send(e)
	}
}

// Fail has the next calls return errors, one each; nil lets one through.
func (k *Kernel) Fail(c Call, errs ...error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.fail[c] = append(k.fail[c], errs...)
}

// Count is how often a call was made.
func (k *Kernel) Count(c Call) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.count[c]
}

// Sets is how many sets are open.
func (k *Kernel) Sets() (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.sets {
		if !s.closed {
			n++
		}
	}
	return n
}

// fault counts a call and returns the error that it is to fail with. The lock is held.
func (k *Kernel) fault(c Call) error {
	k.count[c]++
	if len(k.fail[c]) == 0 {
		return nil
	}
	err := k.fail[c][0]
	k.fail[c] = k.fail[c][1:]
	return err
}

func (k *Kernel) create() (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.fault(Create); err != nil {
		return 0, err
	}
	k.sets = append(k.sets, &set{k: k, edge: make(chan struct{}, 1)})
	return len(k.sets) - 1, nil
}

func (k *Kernel) notify(n int, ready func()) netpoll.Notifier {
	k.mu.Lock()
	s := k.sets[n]
	k.mu.Unlock()
	sched.Go(func() {
		for {
			sched.Receive(s.edge)
			k.mu.Lock()
			s.notified = false
			closed := s.closed
			k.mu.Unlock()
			if closed {
				return
			}
			ready()
		}
	})
	return s
}

// Disable has the set say nothing until Enable.
func (s *set) Disable() {
	s.k.mu.Lock()
	s.disabled = true
	s.k.mu.Unlock()
}

// Enable reports the events that came meanwhile.
func (s *set) Enable() error {
	k := s.k
	k.mu.Lock()
	if err := k.fault(Enable); err != nil {
		k.mu.Unlock()
		return err
	}
	s.disabled = false
	notify := !s.notified && slices.ContainsFunc(s.members, func(m *member) bool { return m.queued && m.report() != 0 })
	s.notified = s.notified || notify
	k.mu.Unlock()
	if notify {
		sched.Send(s.edge)
	}
	return nil
}

// Close closes a set.
func (s *set) Close() error {
	s.k.mu.Lock()
	err := s.k.fault(Close)
	s.closed, s.members = true, nil
	notified := s.notified
	s.notified = true
	s.k.mu.Unlock()
	if !notified {
		sched.Send(s.edge)
	}
	return err
}

// open returns a set and a file. The lock is held.
func (k *Kernel) find(n, fd int) (*set, *file, error) {
	if k.sets[n].closed || fd < 0 || fd >= len(k.files) || k.files[fd] == nil {
		return nil, nil, syscall.EBADF
	}
	return k.sets[n], k.files[fd], nil
}

func (s *set) member(fd int, f *file, filter netpoll.Events) *member {
	for _, m := range s.members {
		if m.fd == fd && m.file == f && m.filter == filter {
			return m
		}
	}
	return nil
}

func (s *set) remove(which func(*member) bool) {
	kept := s.members[:0]
	for _, m := range s.members {
		if !which(m) {
			kept = append(kept, m)
		}
	}
	s.members = kept
}

// report is the events to report of a member.
func (m *member) report() netpoll.Events {
	if m.disabled {
		return 0
	}
	return m.file.ready & (m.events | netpoll.Error | netpoll.Hangup)
}

// wait calls report for ready members, at most limit times.
func (k *Kernel) wait(n, limit int, report func(m *member, e netpoll.Events)) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.fault(Wait); err != nil {
		return 0, err
	}
	s := k.sets[n]
	if s.closed {
		return 0, syscall.EBADF
	}
	found := 0
	for _, m := range s.members {
		if !m.queued || found == limit {
			continue
		}
		if e := m.report(); e != 0 {
			report(m, e)
			m.disabled = m.once
			found++
		} else {
			m.queued = false
		}
	}
	return found, nil
}
