package natsloop

import (
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go/jetstream"
)

// A delivery is a message between being taken from the client and being settled. It is used again for another one then.
type delivery struct {
	msg       jetstream.Msg
	key       string
	lane      *lane
	seq       uint64      // in the stream; of partitions only
	since     int64       // when it came, on the lease's clock; of partitions only
	onArrive  func()      // arrive
	reactions any         // *reactions[T], of the first promise that was pending
	settled   atomic.Bool // the goroutine that sets it reports to the server
	lost      atomic.Bool // the server may have given it to another member, so nothing is sent about it any more
	kept      bool        // until its next delivery: a timer refers to it

	behind *delivery // the next one of its key; the loop's
	queued bool      // it is in the lane's map, or behind one that is; the loop's

	before, after *delivery // in flight; under its lock. Unused ones hang on each other by after
}

// A flight is the deliveries that are not settled, up to a limit.
type flight struct {
	limit int

	mu      sync.Mutex
	count   int
	ring    delivery             // the end and the beginning of the list
	unused  *delivery            // at most as many as the limit
	bySeq   map[uint64]*delivery // nil without partitions
	watched bool                 // all has returned the deliveries, so none may be reused
	waiting bool                 // add waits for room
	vacancy chan struct{}        // capacity 1
	empty   chan struct{}        // closed when none is in flight; made by landed
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
	d := f.record()
	f.insert(d, m, key, l)
	return d
}

// record returns a delivery to fill in.
func (f *flight) record() *delivery {
	d := f.unused
	if d == nil {
		d = &delivery{}
		d.onArrive = d.arrive
	} else {
		f.unused = d.after
	}
	return d
}

func (f *flight) insert(d *delivery, m jetstream.Msg, key string, l *lane) {
	d.msg, d.key, d.lane = m, key, l
	f.count++
	d.before, d.after = f.ring.before, &f.ring
	d.before.after, f.ring.before = d, d
}

// remove takes out a delivery that is settled. Only holders of a list from all may still refer to it. A goroutine
// that waits for room is woken when there is some, and not for each delivery.
func (f *flight) remove(d *delivery) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count--
	d.before.after, d.after.before = d.after, d.before
	if f.bySeq[d.seq] == d {
		delete(f.bySeq, d.seq)
	}
	if !f.watched && !d.kept {
		*d = delivery{onArrive: d.onArrive, reactions: d.reactions, after: f.unused}
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

// all returns the deliveries in flight, the oldest first. Afterwards no delivery is reused, so each keeps its state.
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
