package eventloop

// What follows makes a model a world for the driver.

func (m *model) now() int64           { return m.clock }
func (m *model) spend(d int64)        { m.advance(m.clock + d) }
func (m *model) leave(goexit bool)    { panic(ending{goexit}) }
func (m *model) accepts(s uint8) bool { return m.state >= stateNew && m.state <= s }

func (m *model) submit(kind opKind, fn func()) error {
	lane, last := &m.external, stateRunning
	switch kind {
	case opInternal:
		lane, last = &m.internal, stateStopping
	case opImmediate:
		lane = &m.immediates
	case opTick:
		lane, last = &m.ticks, stateStopping
	case opMicro:
		lane, last = &m.micros, stateStopping
	case opOwnerMicro:
		lane, last = &m.micros, stateTerminated
	case opAfterward:
		lane, last = &m.afterward, stateTerminated
	}
	if !m.accepts(last) {
		return ErrLoopTerminated
	}
	*lane = append(*lane, fn)
	return nil
}

func (m *model) timer(_ bool, delay int64, repeats bool, missed MissedTicks, fn func()) (any, error) {
	if repeats && delay <= 0 {
		return nil, ErrInvalidPeriod
	}
	if !m.accepts(stateRunning) {
		return nil, ErrLoopTerminated
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

func (m *model) reset(h any, delay int64, refresh bool) error {
	t := h.(*modelTimer)
	if refresh {
		delay = t.delay
	}
	switch {
	case !m.accepts(stateRunning):
		return ErrLoopTerminated
	case t.freed:
		return ErrTimerCancelled
	case t.repeats && delay <= 0:
		return ErrInvalidPeriod
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
	if !m.accepts(stateRunning) {
		return nil, ErrLoopTerminated
	}
	m.tokens++
	released := false
	return &released, nil
}

func (m *model) release(token any) error {
	if released := token.(*bool); !*released {
		*released = true
		m.tokens--
		return nil
	}
	return ErrReleased
}

func (m *model) shutdown() {
	if m.accepts(stateRunning) {
		m.state, m.stop = stateStopping, m.clock
	}
}

func (m *model) close() error {
	if !m.accepts(stateStopping) {
		return ErrLoopTerminated
	}
	if !m.owned {
		m.end() // nobody runs it: that was all
	} else {
		m.state = stateClosing
	}
	return nil
}

var _ world = (*model)(nil)
