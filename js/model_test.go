package js_test

import (
	"slices"

	"github.com/eventloop-go/eventloop"
)

// model is an environment and its loop written down naively. It has slices, a clock that only it moves, and Node's
// functions as they stand in Node (lib/internal/timers.js, src/env.cc and libuv's src/unix/core.c). It has a single
// goroutine; events outside happen when it moves the clock.
type model struct {
	d       *driver
	clock   int64
	outside []outsideEvent
	stop    int64 // when the loop is closed from outside

	autoExit, web           bool
	draining, closed, ended bool
	slept                   bool
	stoppedAt               int64
	external, internal      []func() // the loop's lanes
	checks                  bool     // its check phase must run the immediates
	ticks, micros           []func()
	inMicros                bool

	lists     []*modelList
	lastList  int
	running   []*modelTimer
	timerRefs int
	nesting   int

	waiting, batch []*modelImmediate
	immediateRefs  int
	requested      bool

	time, next, fires int64 // libuv's clock, Node's nextExpiry, the timer handle; in milliseconds
	inTimers          bool
	armed             int64 // the loop's timer
	awaited, until    int64
	drainedAt         int64
	holds             bool
}

const never = 1<<63 - 1

type modelTimer struct {
	fn        func()
	ms, start int64
	nesting   int
	repeat    bool
	unref     bool
	counted   bool
	cleared   bool
	list      *modelList
}

type modelList struct {
	ms, expiry int64
	id         int
	timers     []*modelTimer
}

type modelImmediate struct {
	fn      func()
	unref   bool
	pending bool
}

// ending is how a callback ends badly in the model.
type ending struct{ goexit bool }

func (m *model) leave(goexit bool) { panic(ending{goexit}) }
func (m *model) now() int64        { return m.clock }
func (m *model) spend(d int64)     { m.advance(m.clock + d) }
func (m *model) active() int       { return m.timerRefs + m.immediateRefs }
func (m *model) closeLoop()        { m.closed = true }
func (m *model) accepts() bool     { return !m.closed && !m.draining && !m.ended }

func (m *model) shutdown() {
	if m.accepts() {
		m.draining, m.stoppedAt = true, m.clock
	}
}

func (t *modelTimer) due() int64    { return t.start + t.ms*millisecond }
func (t *modelTimer) expiry() int64 { return t.start/millisecond + t.ms }

// delay is Node's rule, or HTML's, for the delays in programs.
func (m *model) delay(ms int64, nesting int) int64 {
	switch {
	case !m.web:
		return max(ms, 1)
	case nesting > 5:
		return max(ms, 4)
	}
	return ms
}

func (m *model) timer(fn func(), ms float64, repeat bool) (any, error) {
	nesting := m.nesting
	t := &modelTimer{fn: fn, ms: m.delay(int64(ms), nesting), nesting: nesting + 1, repeat: repeat}
	return t, m.begin(t)
}

func (m *model) begin(t *modelTimer) error {
	if !m.accepts() {
		return eventloop.ErrLoopTerminated
	}
	if !t.counted && !t.unref {
		m.timerRefs++
	}
	t.counted = true
	m.time = m.clock / millisecond
	m.insert(t, m.clock)
	return nil
}

// insert is Node's.
func (m *model) insert(t *modelTimer, start int64) {
	m.unlink(t)
	t.start = start
	i := slices.IndexFunc(m.lists, func(l *modelList) bool { return l.ms == t.ms })
	if i < 0 {
		earliest := int64(never)
		if l := m.peek(); l != nil {
			earliest = l.expiry
		}
		m.lastList++
		i = len(m.lists)
		l := &modelList{ms: t.ms, expiry: t.expiry(), id: m.lastList}
		m.lists = append(m.lists, l)
		if l.expiry <= earliest && !m.inTimers {
			m.armed = min(m.armed, t.due())
		}
		if l.expiry < m.next {
			m.next, m.fires = l.expiry, m.time+t.ms
		}
	}
	t.list = m.lists[i]
	t.list.timers = append(t.list.timers, t)
}

// peek is timerListQueue.peek.
func (m *model) peek() *modelList {
	var first *modelList
	for _, l := range m.lists {
		if first == nil || l.expiry < first.expiry || l.expiry == first.expiry && l.id < first.id {
			first = l
		}
	}
	return first
}

func (m *model) unlink(t *modelTimer) {
	if t.list != nil {
		t.list.timers = slices.DeleteFunc(t.list.timers, func(o *modelTimer) bool { return o == t })
		t.list = nil
	}
}

func (m *model) drop(l *modelList) {
	m.lists = slices.DeleteFunc(m.lists, func(o *modelList) bool { return o == l })
}

func (m *model) closeTimer(h any) {
	t := h.(*modelTimer)
	if t.cleared {
		return
	}
	t.cleared = true
	list := t.list
	m.unlink(t)
	if list != nil && len(list.timers) == 0 && !t.unref {
		m.drop(list)
	}
	m.rest(t)
}

func (m *model) rest(t *modelTimer) {
	if t.counted && !t.unref {
		m.timerRefs--
	}
	t.counted = false
}

func (m *model) refresh(h any) error {
	if t := h.(*modelTimer); !t.cleared {
		return m.begin(t)
	}
	return nil
}

func (m *model) refTimer(h any, ref bool) {
	t := h.(*modelTimer)
	if t.counted && t.unref == ref {
		if ref {
			m.timerRefs++
		} else {
			m.timerRefs--
		}
	}
	t.unref = !ref
}

func (m *model) immediate(fn func()) (any, error) {
	if !m.accepts() {
		return nil, eventloop.ErrLoopTerminated
	}
	i := &modelImmediate{fn: fn, pending: true}
	m.waiting = append(m.waiting, i)
	m.immediateRefs++
	m.request()
	return i, nil
}

func (m *model) closeImmediate(h any) {
	i := h.(*modelImmediate)
	if !i.pending {
		return
	}
	i.pending = false
	if !i.unref {
		m.immediateRefs--
	}
	gone := func(o *modelImmediate) bool { return o == i }
	m.waiting, m.batch = slices.DeleteFunc(m.waiting, gone), slices.DeleteFunc(m.batch, gone)
}

func (m *model) refImmediate(h any, ref bool) {
	i := h.(*modelImmediate)
	if !i.pending || i.unref != ref {
		return
	}
	i.unref = !ref
	if ref {
		m.immediateRefs++
		m.request()
	} else {
		m.immediateRefs--
	}
}

// request asks the loop for a check phase, or while it drains for a run of the priority lane.
func (m *model) request() {
	if m.requested || m.immediateRefs == 0 || len(m.batch)+len(m.waiting) == 0 || m.closed || m.ended {
		return
	}
	m.requested = true
	if m.draining {
		m.internal = append(m.internal, m.runImmediates)
	} else {
		m.checks = true
	}
}

func (m *model) job(tick bool, fn func()) {
	switch {
	case m.closed || m.ended:
	case tick:
		m.ticks = append(m.ticks, fn)
	default:
		m.micros = append(m.micros, fn)
	}
}

func (m *model) closeEnv() {
	for _, t := range slices.Clone(m.running) {
		m.closeTimer(t)
	}
	for len(m.lists) > 0 {
		for _, t := range slices.Clone(m.lists[0].timers) {
			m.closeTimer(t)
		}
		if len(m.lists) > 0 && len(m.lists[0].timers) == 0 {
			m.lists = m.lists[1:]
		}
	}
	for _, i := range append(slices.Clone(m.batch), m.waiting...) {
		m.closeImmediate(i)
	}
}

var _ world = (*model)(nil)
