package js_test

import "slices"

// This file has the loop of the model: turns, and the environment's work in them.

// run is the life of a loop, which is closed from outside at a time if it has not ended by then.
func (m *model) run(autoExit bool, stop int64) {
	m.autoExit, m.stop = autoExit, stop
	m.closed, m.draining, m.ended = false, false, false
	m.ticks, m.micros, m.inMicros, m.internal = nil, nil, false, nil
	m.checks, m.requested, m.holds, m.inTimers = false, false, false, false
	m.next, m.fires = never, never
	m.armed, m.awaited, m.until, m.drainedAt = never, never, never, never
	m.armFirst()
	m.request()
	for m.turn() {
	}
	m.ended = true
	m.advance(stop)
}

// turn is one turn. After a Goexit the rest of it is left out.
func (m *model) turn() (more bool) {
	defer func() {
		if v := recover(); v != nil {
			if e, ok := v.(ending); !ok || !e.goexit {
				panic(v)
			}
			m.d.reported(true)
			more = true
		}
	}()
	due := m.armed <= m.clock
	m.checkpoint()
	if due && !m.closed {
		m.runTimers()
	}
	for _, lane := range []*[]func(){&m.internal, &m.external} {
		for n := len(*lane); n > 0 && !m.closed; n-- {
			fn := (*lane)[0]
			*lane = slices.Clone((*lane)[1:])
			m.try(fn)
			m.checkpoint()
		}
	}
	if !m.poll() {
		return false
	}
	if m.checks {
		m.checks = false
		m.checkpoint()
		if !m.closed {
			m.runImmediates()
		}
	}
	return true
}

// try runs a callback. A bad end is reported, and has no further effect; a Goexit ends the turn.
func (m *model) try(fn func()) {
	defer func() {
		if v := recover(); v != nil {
			if e, ok := v.(ending); !ok || e.goexit {
				panic(v)
			}
			m.d.reported(false)
		}
	}()
	fn()
}

// checkpoint drains ticks, then microtasks, until both are empty.
func (m *model) checkpoint() {
	for !m.closed && len(m.ticks)+len(m.micros) > 0 {
		// A checkpoint that has begun with microtasks continues until their queue is empty.
		queue := &m.micros
		if len(m.ticks) > 0 && (!m.inMicros || len(m.micros) == 0) {
			queue = &m.ticks
		}
		m.inMicros = queue == &m.micros
		fn := (*queue)[0]
		*queue = slices.Clone((*queue)[1:])
		m.try(fn)
	}
	m.inMicros = m.inMicros && len(m.micros) > 0
}

// poll waits for something to do, and reports false at the end.
func (m *model) poll() bool {
	for m.slept = false; ; m.slept = true {
		switch {
		case m.closed:
			return false
		case m.checks || len(m.ticks)+len(m.micros)+len(m.internal)+len(m.external) > 0:
			return true
		case m.draining && !m.holds && m.armed > m.stoppedAt, !m.draining && m.autoExit && m.timerRefs == 0:
			return false
		case m.armed <= m.clock:
			return true
		}
		next := min(m.armed, m.stop)
		if len(m.outside) > 0 {
			next = min(next, m.outside[0].at)
		}
		m.advance(next)
	}
}

// advance moves the clock, and performs the outside events in between.
func (m *model) advance(to int64) {
	for len(m.outside) > 0 && m.outside[0].at <= to {
		e := m.outside[0]
		m.outside = m.outside[1:]
		m.clock = max(m.clock, e.at)
		inside := m.nesting
		m.nesting = 0
		m.d.perform(e.op, true)
		m.nesting = inside
	}
	if to >= m.stop {
		m.closed = true
	}
	m.clock = max(m.clock, to)
}

// runTimers is uv__run_timers.
func (m *model) runTimers() {
	m.armed, m.holds, m.inTimers = never, false, true
	defer func() {
		m.inTimers = false
		m.armFirst()
	}()
	for slept := m.slept; !m.closed; slept = false {
		p := modelPhase{began: m.clock, ms: m.clock / millisecond, by: never, slept: slept}
		if !m.accepts() {
			p.by = m.drained()
		} else if !m.complete(&p) {
			return
		}
		if !m.processTimers(p) || m.fires > m.time || len(m.lists) == 0 || !m.accepts() {
			return
		}
	}
}

type modelPhase struct {
	began, ms, by int64
	slept         bool
	beats         []*modelList // with an interval whose next beat is in the millisecond of the phase
}

// complete has the timers of a millisecond wait for the last of them, unless some of a millisecond before are pending.
func (m *model) complete(p *modelPhase) bool {
	last := int64(0)
	if m.awaited != never {
		_, last = m.due(m.awaited)
	}
	if last > 0 {
		p.ms = m.awaited
	} else {
		_, last = m.due(p.ms)
	}
	if last > p.began {
		if _, before := m.due(p.ms - 1); before == 0 {
			m.awaited, m.until = p.ms, last
			return false
		}
		p.ms--
	}
	m.awaited, m.until = never, never
	return true
}

// due returns when the first and the last timer is due of those that expire up to a millisecond.
func (m *model) due(ms int64) (first, last int64) {
	first = never
	for _, l := range m.lists {
		if l.expiry > ms {
			continue
		}
		due := int64(never)
		for _, t := range l.timers {
			if t.expiry() > ms {
				break
			}
			due, last = min(due, t.due()), max(last, t.due())
		}
		if due == never || due < l.expiry*millisecond {
			due = l.expiry * millisecond // the list is not read before
		}
		first = min(first, due)
	}
	return first, last
}

// armFirst sets the loop's timer for the first timers that are pending.
func (m *model) armFirst() {
	m.holds = false
	l := m.peek()
	if l == nil {
		return
	}
	due, _ := m.due(l.expiry)
	when := due
	if m.awaited != never {
		when = max(due, m.until)
	}
	switch {
	case when < m.armed && m.accepts():
		m.armed = when
	case when < m.armed:
		if due <= m.drained() && !m.closed {
			m.internal = append(m.internal, m.runTimers)
		}
		return
	}
	m.holds = m.awaited != never
}

func (m *model) drained() int64 {
	if m.drainedAt == never {
		m.drainedAt = m.clock
	}
	return m.drainedAt
}

// processTimers is Node's, with the end of RunTimers; it reports whether a timer has run.
func (m *model) processTimers(phase modelPhase) (ran bool) {
	p := &phase
	m.time, m.next, m.fires = p.ms, never, never
	back := func() {
		for _, l := range p.beats {
			if len(l.timers) > 0 && slices.Contains(m.lists, l) {
				l.expiry = min(l.expiry, l.timers[0].expiry())
			}
		}
		p.beats = nil
	}
	defer back()
	for {
		list := m.peek()
		if list == nil || list.expiry > p.ms {
			break
		}
		m.checkpoint()
		if m.closed {
			return ran
		}
		ran = m.listOnTimeout(list, p) || ran
		if m.closed {
			return ran
		}
	}
	back()
	if l := m.peek(); l != nil {
		m.next, m.fires = l.expiry, max(l.expiry, m.time+1)
	}
	m.checkpoint()
	return ran
}

// listOnTimeout is Node's. The loop in it looks for the next timer before the ticks of the one before.
func (m *model) listOnTimeout(list *modelList, p *modelPhase) (ran bool) {
	for t := m.look(list, p); t != nil; {
		if ran {
			m.checkpoint()
			if m.closed {
				return ran
			}
		}
		if t.cleared {
			t = m.look(list, p)
			continue
		}
		ran = true
		func() {
			defer func() { t = m.look(list, p) }()
			m.runTimer(t, p)
		}()
	}
	return ran
}

// look finds the next timer of a list that is due, or puts the list where it belongs.
func (m *model) look(list *modelList, p *modelPhase) *modelTimer {
	if len(list.timers) == 0 {
		m.drop(list)
		return nil
	}
	i := slices.IndexFunc(list.timers, func(t *modelTimer) bool { return t.due() <= p.by })
	if t := list.timers[max(i, 0)]; i >= 0 && t.expiry() <= p.ms && (!t.repeat || t.due() <= p.began) {
		if t.due() > m.clock {
			m.d.note("a timer runs early")
		}
		return t
	}
	if slices.Contains(m.lists, list) {
		m.lastList++
		list.expiry, list.id = max(list.timers[0].expiry(), p.ms+1), m.lastList
		if p.by == never && list.timers[0].expiry() <= p.ms {
			p.beats = append(p.beats, list)
		}
	}
	return nil
}

func (m *model) runTimer(t *modelTimer, p *modelPhase) {
	m.unlink(t)
	m.running = append(m.running, t)
	due, now, nesting := t.due(), m.clock, m.nesting
	m.nesting = t.nesting
	if t.repeat {
		m.time = now / millisecond
	}
	m.try(func() {
		defer func() {
			m.nesting = nesting
			m.running = m.running[:len(m.running)-1]
			switch {
			case t.cleared:
			case t.repeat:
				period, start := t.ms*millisecond, now
				if late := now - due; period > 0 && (late < period || p.slept && p.began-due < 10*millisecond && now-p.began < period) {
					start -= late % period
				}
				if m.web {
					t.nesting++
					t.ms = m.delay(t.ms, t.nesting-1)
				}
				m.insert(t, start)
			case t.list == nil:
				m.rest(t)
			}
		}()
		t.fn()
	})
}

// runImmediates is CheckImmediate, with processImmediate.
func (m *model) runImmediates() {
	m.requested = false
	if m.immediateRefs+m.timerRefs == 0 {
		return // all have been unreferenced since, and Node would have ended
	}
	defer m.request()
	take := func() {
		if len(m.batch) == 0 {
			m.batch, m.waiting = m.waiting, nil
		}
	}
	for take(); len(m.batch) > 0 && !m.closed; m.checkpoint() {
		i := m.batch[0]
		m.closeImmediate(i)
		m.try(func() {
			returned := false
			defer func() {
				if !returned {
					take() // as in Node, when the last of a batch throws
				}
			}()
			i.fn()
			returned = true
		})
	}
}
