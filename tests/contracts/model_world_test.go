package contracts_test

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// These methods make a model a world for the driver.

func (m *model) now() int64                { return m.clock }
func (m *model) spend(d int64)             { m.advance(m.clock + d) }
func (m *model) leave(goexit bool)         { panic(ending{goexit}) }
func (m *model) accepts(s modelState) bool { return m.state >= modelNew && m.state <= s }

func (m *model) submit(kind opKind, fn func()) error {
	lane, last := &m.external, modelRunning
	switch kind {
	case opInternal:
		lane, last = &m.internal, modelStopping
	case opImmediate:
		lane = &m.immediates
	case opTick:
		lane, last = &m.ticks, modelStopping
	case opMicro:
		lane, last = &m.micros, modelStopping
	case opOwnerMicro:
		lane, last = &m.micros, modelTerminated
	case opAfterward:
		lane, last = &m.afterward, modelTerminated
	}
	if !m.accepts(last) {
		return eventloop.ErrLoopTerminated
	}
	*lane = append(*lane, fn)
	return nil
}

func (m *model) timer(_ bool, delay int64, repeats bool, missed eventloop.MissedTicks, fn func()) (any, error) {
	if !m.accepts(modelRunning) {
		return nil, eventloop.ErrLoopTerminated
	}
	if repeats && delay <= 0 {
		return nil, inside.ErrInvalidPeriod
	}
	m.seq++
	t := &modelTimer{when: m.clock + max(delay, 0), delay: delay, seq: m.seq, armed: true, repeats: repeats, missed: missed, fn: fn}
	m.timers = append(m.timers, t)
	return t, nil
}

func (m *model) stopTimer(h any, forGood bool) bool {
	t := h.(*modelTimer)
	was := t.armed
	t.armed = false
	t.freed = t.freed || forGood
	return was
}

func (m *model) reset(h any, delay int64) error {
	t := h.(*modelTimer)
	switch {
	case !m.accepts(modelRunning):
		return eventloop.ErrLoopTerminated
	case t.freed:
		return eventloop.ErrTimerCancelled
	case t.repeats && delay <= 0:
		return inside.ErrInvalidPeriod
	}
	m.seq++
	t.armed, t.delay, t.when, t.seq = true, delay, m.clock+max(delay, 0), m.seq
	return nil
}

func (m *model) ref(h any, ref bool) {
	if t := h.(*modelTimer); !t.freed {
		t.unref = !ref
	}
}

func (m *model) keep() (any, error) {
	if !m.accepts(modelRunning) {
		return nil, eventloop.ErrLoopTerminated
	}
	m.tokens++
	released := false
	return &released, nil
}

func (m *model) release(token any) {
	if released := token.(*bool); !*released {
		*released = true
		m.tokens--
	}
}

func (m *model) shutdown() {
	if m.accepts(modelRunning) {
		m.state, m.stop = modelStopping, m.clock
	}
}

func (m *model) close() error {
	if !m.accepts(modelStopping) {
		return eventloop.ErrLoopTerminated
	}
	if !m.owned {
		m.end() // without Run that was all
	} else {
		m.state = modelClosing
	}
	return nil
}

var _ world = (*model)(nil)
