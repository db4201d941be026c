package eventloop

import "github.com/eventloop-go/eventloop/internal/queue"

// Queue delay is sampled: to read the clock at every submission would cost more than the submission. A lane is first in,
// first out, so a task is known by its number, and a sampled one leaves a stamp: its number and the time. The loop
// counts what it runs and meets the stamp when it comes to that number.

// A probe is the producers' side of that, for one lane. The ingress lock guards it.
type probe struct {
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

// sampleBits is the binary logarithm of the size of a group of which one task is stamped, at a random place: no rhythm
// of the program governs the sample, and it is as even as can be.
const sampleBits = 4

// accept counts a task that has just been pushed onto the lane.
func (p *probe) accept(l *Loop) {
	if p.accepted == p.next {
		p.stamps = append(p.stamps, stamp{p.accepted, l.now()})
		// A linear congruential generator; its high bits are good enough to break up any rhythm.
		p.random = p.random*0xd1342543de82ef95 + 1
		p.next = (p.accepted>>sampleBits+1)<<sampleBits + p.random>>(64-sampleBits)
	}
	p.accepted++
}

// arrivals is the owner's side.
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

// accept counts a task that was pushed onto a lane. The ingress lock is held.
func (m *meter) accept(l *Loop, lane *queue.Inbox) {
	switch lane {
	case &l.in.external:
		m.probes[ranExternal].accept(l)
	case &l.in.internal:
		m.probes[ranInternal].accept(l)
	case &l.in.immediates:
		m.probes[ranImmediate].accept(l)
	}
}

// takeStamps takes over the stamps of the tasks that the owner takes over. The ingress lock is held.
func (m *meter) takeStamps() {
	for lane := range m.probes {
		p := &m.probes[lane]
		if len(p.stamps) == 0 {
			continue
		}
		for _, s := range p.stamps {
			m.arrivals[lane].stamps.Push(s)
		}
		m.arrivals[lane].look()
		if p.stamps = p.stamps[:0]; cap(p.stamps) > queue.Keep {
			p.stamps = nil
		}
	}
}

// trim gives the memory of a drained burst back.
func (m *meter) trim() {
	for lane := range m.arrivals {
		m.arrivals[lane].stamps.Trim()
	}
}
