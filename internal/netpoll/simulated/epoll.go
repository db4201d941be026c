package simulated

import (
	"syscall"

	"github.com/eventloop-go/eventloop/internal/netpoll"
)

// Epoll are the calls of the kernel with sets as epoll has them.
func (k *Kernel) Epoll() netpoll.Calls { return epoll{k} }

type epoll struct{ k *Kernel }

func (e epoll) Create() (int, error) { return e.k.create() }

func (e epoll) Notify(n int, ready func()) (netpoll.Notifier, error) {
	return e.k.notify(n, ready), nil
}

func (e epoll) Control(n int, c netpoll.Change) error {
	edges, err := e.control(n, c)
	send(edges)
	return err
}

func (e epoll) control(n int, c netpoll.Change) ([]chan struct{}, error) {
	k := e.k
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.fault([...]Call{netpoll.Add: Add, netpoll.Modify: Modify, netpoll.Delete: Delete}[c.Op]); err != nil {
		return nil, err
	}
	s, f, err := k.find(n, c.FD)
	if err != nil {
		return nil, err
	}
	m := s.member(c.FD, f, 0)
	switch {
	case c.Op == netpoll.Add && m != nil:
		return nil, syscall.EEXIST
	case c.Op == netpoll.Add:
		m = &member{fd: c.FD, file: f}
		s.members = append(s.members, m)
	case m == nil:
		return nil, syscall.ENOENT
	case c.Op == netpoll.Delete:
		s.remove(func(other *member) bool { return other == m })
		return nil, nil
	}
	m.events, m.generation, m.queued = c.Events, c.Generation, false
	m.once, m.disabled = c.Events == 0, false
	return k.edges(f), nil
}

func (e epoll) Wait(n int, events []netpoll.Event) (int, error) {
	i := 0
	return e.k.wait(n, len(events), func(m *member, ready netpoll.Events) {
		events[i] = netpoll.Event{FD: int32(m.fd), Generation: m.generation, Events: ready}
		i++
	})
}
