package meter

import "github.com/eventloop-go/eventloop/internal/queue"

// Queue delay is sampled, because reading the clock at every submission would cost more than the submission. A lane
// is first in, first out, so a task is known by its number in it. A sampled task leaves a stamp: its number and the
// time.
// The owner counts the callbacks that it runs and meets the stamp when it comes to that number.

// producers is a lane as seen by its producers.
type producers struct {
	accepted uint64  // tasks
	next     uint64  // number of the one to stamp
	random   uint64  // state of the generator of places
	stamps   []stamp // not yet taken by the owner
}

// A stamp says when a task was accepted.
type stamp struct {
	number uint64
	at     int64
}

// sampleBits is the binary logarithm of the size of a group of which one task is stamped, at a random place. So no
// rhythm of the program governs the sample, and it is as even as possible.
const sampleBits = 5

// Accept counts a task that is pushed onto a lane. It reports whether the task is one of the sample: AcceptAt is called
// next. The loop's lock is held.
func (m *Meter) Accept(lane Lane) bool {
	p := &m.producers[lane]
	n := p.accepted
	p.accepted = n + 1
	return n == p.next
}

// AcceptAt stamps the task that was counted last. The loop's lock is held.
func (m *Meter) AcceptAt(lane Lane, now int64) {
	p := &m.producers[lane]
	p.stamps = append(p.stamps, stamp{p.next, now})
	m.stamped = true
	// A linear congruential generator; its high bits are good enough to break up any rhythm.
	p.random = p.random*0xd1342543de82ef95 + 1
	p.next = (p.next>>sampleBits+1)<<sampleBits + p.random>>(64-sampleBits)
}

// arrivals is a lane as the owner sees it.
type arrivals struct {
	ran    uint64 // tasks that have run
	next   uint64 // number of the next one with a stamp, as far as is known
	stamps queue.FIFO[stamp]
}

const noStamp = ^uint64(0)

// take removes the first stamp and returns its time.
func (a *arrivals) take() int64 {
	s := a.stamps.Pop()
	a.look()
	return s.at
}

func (a *arrivals) look() {
	a.next = noStamp
	if a.stamps.Len() > 0 {
		a.next = a.stamps.First().number
	}
}

// Take takes over the stamps of tasks that the owner takes over, or a part of them. The owner calls it, with the
// loop's lock held.
func (m *Meter) Take() {
	if m.stamped {
		m.takeStamps()
	}
}

func (m *Meter) takeStamps() {
	m.stamped = false
	for lane := range m.producers {
		p, a := &m.producers[lane], &m.arrivals[lane]
		if len(p.stamps) == 0 {
			continue
		}
		for _, s := range p.stamps {
			a.stamps.Push(s)
		}
		a.look()
		if p.stamps = p.stamps[:0]; cap(p.stamps) > queue.Keep {
			p.stamps = nil
		}
	}
}

// Trim gives the memory of a drained burst back. It is the owner's.
func (m *Meter) Trim() {
	for lane := range m.arrivals {
		m.arrivals[lane].stamps.Trim()
	}
}
