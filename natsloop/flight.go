package natsloop

import (
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go/jetstream"
)

// A delivery is a message between being taken from the client and being settled. It is used again for another one then.
type delivery struct {
	msg      jetstream.Msg
	key      string
	lane     *lane
	onArrive func()      // arrive
	settled  atomic.Bool // whoever sets it tells the server

	behind *delivery // the next one of its key; the loop's
	queued bool      // it is in the lane's map, or behind one that is; the loop's

	before, after *delivery // in flight; under its lock. Unused ones hang on each other by after
}

// A flight is the deliveries that are not settled, up to a limit.
type flight struct {
	limit int

	mu      sync.Mutex
	count   int
	ring    delivery      // the end and the beginning of the list
	unused  *delivery     // at most as many as the limit
	watched bool          // somebody has a list of what was in flight: nothing of it may be used again
	waiting bool          // add waits for room
	vacancy chan struct{} // capacity 1
	empty   chan struct{} // closed when there are none; made by landed
}

func newFlight(limit int) *flight {
	f := &flight{limit: limit, vacancy: make(chan struct{}, 1)}
	f.ring.before, f.ring.after = &f.ring, &f.ring
	return f
}

// add waits for room, and adds a delivery: nil when stopped is closed first. One goroutine calls it.
func (f *flight) add(stopped <-chan struct{}, m jetstream.Msg, key string, l *lane) *delivery {
	f.mu.Lock()
	for f.count >= f.limit {
		f.waiting = true
		f.mu.Unlock()
		select {
		case <-f.vacancy:
		case <-stopped:
			return nil
		}
		f.mu.Lock()
	}
	defer f.mu.Unlock()
	d := f.unused
	if d == nil {
		d = &delivery{}
		d.onArrive = d.arrive
	} else {
		f.unused = d.after
	}
	d.msg, d.key, d.lane = m, key, l
	f.count++
	d.before, d.after = f.ring.before, &f.ring
	d.before.after, f.ring.before = d, d
	return d
}

// remove takes out a delivery that is settled, and that nobody knows any more but whoever has a list of all. Who waits for
// room is woken when there is some, and not for each.
func (f *flight) remove(d *delivery) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count--
	d.before.after, d.after.before = d.after, d.before
	if !f.watched {
		*d = delivery{onArrive: d.onArrive, after: f.unused}
		f.unused = d
	}
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

// messages returns those in flight, the oldest first.
func (f *flight) messages() []jetstream.Msg {
	f.mu.Lock()
	defer f.mu.Unlock()
	messages := make([]jetstream.Msg, 0, f.count)
	for d := f.ring.after; d != &f.ring; d = d.after {
		messages = append(messages, d.msg)
	}
	return messages
}

// all returns the deliveries in flight, the oldest first. From now on none is used again, so that each is what it was.
func (f *flight) all() []*delivery {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watched = true
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
