package contracts_test

import (
	"cmp"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// A model is the loop as the documentation describes it, in the simplest code possible: one goroutine, a clock that
// is a number of nanoseconds, slices, and linear search. It has no ingress, batches, heaps or words.
type model struct {
	d     *driver
	clock int64
	state modelState
	stop  int64 // when the shutdown began

	autoExit                       bool
	internal, external, immediates []func()
	ticks, micros, afterward       []func()
	inMicros                       bool
	timers                         []*modelTimer
	ran                            []*modelTimer // repeating timers that ran in this phase
	seq, tokens                    int
	outside                        []outsideEvent
	dropped                        eventloop.Dropped
	owned                          bool // Run has been called
}

type modelTimer struct {
	when, delay         int64
	seq                 int
	armed, unref, freed bool
	repeats             bool
	missed              eventloop.MissedTicks
	fn                  func()
}

type modelState uint8

const (
	modelNew modelState = iota
	modelRunning
	modelStopping
	modelClosing
	modelTerminated
)

// ending is the value with which a callback panics to leave the model: a panic, or a Goexit, which leaves the turn
// too.
type ending struct{ goexit bool }

// run is the loop: turns until the end.
func (m *model) run() {
	m.owned = true
	if m.state == modelNew {
		m.state = modelRunning
	}
	if m.state != modelTerminated {
		for m.turn() {
		}
		m.end()
	}
	m.advance(math.MaxInt64) // outside events are refused from now on
}

// end counts the remaining work.
func (m *model) end() {
	m.state = modelTerminated
	m.dropped = eventloop.Dropped{
		External: len(m.external), Internal: len(m.internal), Immediates: len(m.immediates),
		Ticks: len(m.ticks), Microtasks: len(m.micros) + len(m.afterward),
	}
	for _, t := range m.timers {
		if t.armed {
			m.dropped.Timers++
		}
	}
}

// turn is one turn. After a Goexit the rest of it is left out.
func (m *model) turn() (more bool) {
	defer func() {
		m.rearm()
		if v := recover(); v != nil {
			if e, ok := v.(ending); !ok || !e.goexit {
				panic(v)
			}
			more = true
		}
	}()
	m.timersPhase()
	m.phase(&m.internal)
	m.phase(&m.external)
	if !m.poll() {
		return false
	}
	m.phase(&m.immediates)
	return true
}

// phase runs the callbacks that are in a lane when it begins. Waiting jobs, which came in while nothing ran, go
// first.
func (m *model) phase(lane *[]func()) {
	n := len(*lane)
	if n > 0 {
		m.checkpoint()
	}
	for ; n > 0 && m.state != modelClosing; n-- {
		m.call(pop(lane))
	}
}

func (m *model) timersPhase() {
	now, last := m.clock, m.seq
	m.checkpoint()
	for m.state != modelClosing {
		var next *modelTimer
		for _, t := range m.timers {
			if t.armed && t.when <= now && t.seq <= last && (next == nil || before(t, next) < 0) {
				next = t
			}
		}
		if next == nil {
			break
		}
		if next.repeats {
			next.seq = unsequenced
			m.ran = append(m.ran, next)
		} else {
			next.armed = false
		}
		m.call(next.fn)
	}
	m.rearm()
}

// unsequenced is the place of a repeating timer between its run and the end of the phase.
const unsequenced = math.MaxInt

// rearm sets the repeating timers of a phase again, unless they were changed since.
func (m *model) rearm() {
	for _, t := range m.ran {
		if t.seq == unsequenced {
			t.when = timers.MissedTicks(t.missed).Next(t.when, t.delay, m.clock)
			m.seq++
			t.seq = m.seq
		}
	}
	m.ran = nil
}

func before(a, b *modelTimer) int {
	return cmp.Or(cmp.Compare(a.when, b.when), cmp.Compare(a.seq, b.seq))
}

// call runs a callback and the checkpoint after it. A bad end is reported, and has no further effect.
func (m *model) call(fn func()) {
	m.try(fn)
	m.checkpoint()
}

func (m *model) try(fn func()) {
	defer func() {
		if v := recover(); v != nil {
			e, ok := v.(ending)
			if !ok {
				panic(v)
			}
			m.d.reported(e.goexit)
			if e.goexit {
				panic(e)
			}
		}
	}()
	fn()
}

// checkpoint drains ticks, then microtasks, until both are empty.
func (m *model) checkpoint() {
	for m.state != modelClosing {
		switch {
		case len(m.ticks) > 0 && (!m.inMicros || len(m.micros) == 0):
			m.inMicros = false
			m.try(pop(&m.ticks))
		case len(m.micros) > 0:
			// A checkpoint that has begun with microtasks continues until their queue is empty.
			m.inMicros = true
			m.try(pop(&m.micros))
			m.inMicros = len(m.micros) > 0
		case len(m.afterward) > 0:
			m.inMicros = false
			m.try(pop(&m.afterward))
		default:
			m.inMicros = false
			return
		}
	}
}

// poll waits for something to do, and reports false at the end.
func (m *model) poll() bool {
	for {
		if m.state == modelClosing {
			return false
		}
		if len(m.ticks)+len(m.micros)+len(m.afterward)+len(m.internal)+len(m.external)+len(m.immediates) > 0 {
			return true
		}
		var first *modelTimer
		live := m.tokens
		for _, t := range m.timers {
			if t.armed {
				if !t.unref {
					live++
				}
				if first == nil || before(t, first) < 0 {
					first = t
				}
			}
		}
		if m.state == modelStopping && (first == nil || first.when > m.stop) || m.state == modelRunning && m.autoExit && live == 0 {
			return false
		}
		if first != nil && first.when <= m.clock {
			return true
		}
		if first == nil && len(m.outside) == 0 {
			panic("the model sleeps for ever")
		}
		if first == nil || len(m.outside) > 0 && m.outside[0].at < first.when {
			m.advance(m.outside[0].at)
		} else {
			m.advance(first.when)
		}
	}
}

// advance moves the clock, and performs the outside events in between.
func (m *model) advance(to int64) {
	for len(m.outside) > 0 && m.outside[0].at <= to {
		e := m.outside[0]
		m.outside = m.outside[1:]
		m.clock = max(m.clock, e.at)
		m.d.perform(e.op, true)
	}
	m.clock = max(m.clock, to)
}

func pop[T any](q *[]T) T {
	v := (*q)[0]
	*q = slices.Clone((*q)[1:])
	return v
}
