package simulated

import (
	"io"
	"syscall"

	"github.com/eventloop-go/eventloop/internal/netpoll"
)

// Kqueue are the calls of the kernel with sets as kqueue has them, below the code that turns kevents into events.
func (k *Kernel) Kqueue() netpoll.Calls { return netpoll.NewKqueue(kevents{k}) }

type kevents struct{ k *Kernel }

func (e kevents) Kqueue() (int, error) { return e.k.create() }

func (e kevents) Notify(n int, ready func()) (io.Closer, error) { return e.k.notify(n, ready), nil }

func (e kevents) Change(n int, changes []netpoll.KeventChange) error {
	for _, c := range changes {
		edges, err := e.change(n, c)
		send(edges)
		if err != nil {
			return err
		}
	}
	return nil
}

func (e kevents) change(n int, c netpoll.KeventChange) ([]chan struct{}, error) {
	k := e.k
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.fault([...]Call{netpoll.KeventAdd: Add, netpoll.KeventEnable: Modify, netpoll.KeventDelete: Delete}[c.Op]); err != nil {
		return nil, err
	}
	s, f, err := k.find(n, c.FD)
	if err != nil {
		return nil, err
	}
	filter := [...]netpoll.Events{netpoll.FilterRead: netpoll.Read, netpoll.FilterWrite: netpoll.Write}[c.Filter]
	m := s.member(c.FD, f, filter)
	switch {
	case c.Op == netpoll.KeventAdd && m == nil:
		m = &member{fd: c.FD, file: f, filter: filter, events: filter}
		s.members = append(s.members, m)
	case m == nil:
		return nil, syscall.ENOENT
	case c.Op == netpoll.KeventDelete:
		s.remove(func(other *member) bool { return other == m })
		return nil, nil
	}
	return k.edges(f), nil
}

func (e kevents) Wait(n int, results []netpoll.KeventResult) (int, error) {
	i := 0
	return e.k.wait(n, len(results), func(m *member, ready netpoll.Events) {
		r := netpoll.KeventResult{FD: m.fd, EOF: ready&(netpoll.Error|netpoll.Hangup) != 0, Failed: ready&netpoll.Error != 0}
		if m.filter == netpoll.Write {
			r.Filter = netpoll.FilterWrite
		}
		results[i] = r
		i++
	})
}
