package natsloop

import (
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go/jetstream"
)

// A delivery is a message between being taken from the client and being settled.
type delivery struct {
	msg     jetstream.Msg
	key     string
	lane    *lane
	settled atomic.Bool // whoever sets it tells the server

	behind *delivery // the next one of its key; the loop's
	queued bool      // it is in the lane's map, or behind one that is; the loop's

	before, after *delivery // in flight; under its lock
}

// A flight is the deliveries that are not settled, up to a limit.
type flight struct {
	limit int

	mu      sync.Mutex
	count   int
	ring    delivery      // the end and the beginning of the list
	waiting bool          // room waits
	vacancy chan struct{} // capacity 1
	empty   chan struct{} // closed when there are none; made by landed
}

func newFlight(limit int) *flight {
	f := &flight{limit: limit, vacancy: make(chan struct{}, 1)}
	f.ring.before, f.ring.after = &f.ring, &f.ring
	return f
}

// room waits until another delivery may be added, and reports whether it may: not when stopped is closed first. One goroutine
// calls it.
func (f *flight) room(stopped <-chan struct{}) bool {
	for {
		f.mu.Lock()
		if f.count < f.limit {
			f.mu.Unlock()
			return true
		}
		f.waiting = true
		f.mu.Unlock()
		select {
		case <-f.vacancy:
		case <-stopped:
			return false
		}
	}
}

func (f *flight) add(d *delivery) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	d.before, d.after = f.ring.before, &f.ring
	d.before.after, f.ring.before = d, d
}

// remove takes out a delivery that is settled. Who waits for room is woken when there is some, and not for each.
func (f *flight) remove(d *delivery) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count--
	d.before.after, d.after.before = d.after, d.before
	if f.waiting && f.count <= f.limit/2 {
		f.waiting = false
		select {
		case f.vacancy <- struct{}{}:
		default: // it is there already: room was stopped before it received
		}
	}
	if f.count == 0 && f.empty != nil {
		close(f.empty)
		f.empty = nil
	}
}

// all returns the deliveries in flight, the oldest first.
func (f *flight) all() []*delivery {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]*delivery, 0, f.count)
	for d := f.ring.after; d != &f.ring; d = d.after {
		all = append(all, d)
	}
	return all
}

// landed returns a channel that is closed when nothing is in flight. Nothing may be added any more.
func (f *flight) landed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	empty := make(chan struct{})
	if f.count == 0 {
		close(empty)
	} else {
		f.empty = empty
	}
	return empty
}
