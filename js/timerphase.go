package js

// A timerPhase is the progress of one run through the timers: processTimers in Node.
type timerPhase struct {
	began  int64
	ms     int64        // timers that expire in a later millisecond wait for the next phase
	by     int64        // and timers that are not due by this time do too; never on a loop that can wait for them
	slept  bool         // the loop was asleep until the phase began
	list   *timerList   // being run, nil at the end
	chosen *Timeout     // to run next; nil if it is the first of the list
	beats  []*timerList // have an interval whose next beat falls into the same millisecond, and are put back at the end
	ran    uint64       // timers of this phase and of all before it; on the loop
}

// runTimers is the loop's callback for timers: uv__run_timers in libuv.
func (e *Env) runTimers() {
	outermost := e.enter()
	defer e.leaveTimers(outermost) // also when a callback ends the goroutine
	if e.fired() {
		e.check() // the host has run callbacks ahead
	}
	for slept := e.hooks.Slept(); e.timersDue(slept); slept = false {
		before := e.phase.ran
		e.host(e.nextTimer)
		if e.phase.ran == before {
			return // a host that runs nothing any more
		}
	}
}

// leaveTimers ends the phase. If a callback has cut it short, the rest waits for the next.
func (e *Env) leaveTimers(outermost bool) {
	e.mu.Lock()
	e.putBeatsBack()
	e.node.endTimers()
	e.mu.Unlock()
	e.leave(outermost)
}

// fired notes that the driver is no longer armed and waited for, and reports whether immediates come first.
func (e *Env) fired() (checkFirst bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.driver.at = never
	e.wait(false)
	switch e.node.at {
	case inTimers:
		return e.node.checkIsFirst(e.pickTimer() != nil)
	case inCheck:
		return e.node.checkIsFirst(!e.immediates.running.empty())
	}
	return e.node.checkIsFirst(false)
}

// timersDue begins a timers phase, or continues the one in progress, and reports whether a timer must run.
func (e *Env) timersDue(slept bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.hooks.Closing() {
		return false
	}
	switch e.node.at {
	case inTimers:
		if e.pickTimer() != nil {
			return true
		}
		if !e.runsTimersAgain() {
			e.node.endTimers()
			return false
		}
	case beforeCheck:
		return false // the host has gone through the timers phase
	case inCheck:
		if !e.immediates.running.empty() {
			return false
		}
		e.node.endCheck()
	}
	p := timerPhase{began: e.now(), by: never, slept: slept}
	p.ms = p.began / millisecond
	if !e.hooks.Accepting() {
		p.by = e.drained()
	} else if !e.complete(&p) {
		e.node.endTimers()
		return false
	}
	e.beginTimers(p)
	if e.pickTimer() == nil {
		e.node.endTimers()
		return false
	}
	return true
}

// runsTimersAgain reports whether the timers phase goes on although it has run the due timers. The caller holds the
// lock.
func (e *Env) runsTimersAgain() bool {
	return e.node.again() && len(e.timers.heap) > 0 && e.hooks.Accepting()
}

// complete reports whether all timers of the millisecond are due. Node counts whole milliseconds: all timers of one
// run in one phase, some of them a fraction early. Ours are never early, so the first ones wait for the last, which
// is less than a millisecond away. Timers of earlier milliseconds are all due. They run in a phase of their own, as
// if the clock had been read a little earlier, because an immediate must not pass them. The caller holds the lock.
func (e *Env) complete(p *timerPhase) bool {
	last := int64(0)
	if e.awaited.ms != never {
		last = e.timers.lastDue(e.awaited.ms)
	}
	if last > 0 { // not all have been cleared meanwhile
		p.ms = e.awaited.ms
	} else {
		last = e.timers.lastDue(p.ms)
	}
	if last > p.began {
		if e.timers.lastDue(p.ms-1) == 0 {
			e.awaited = awaited{p.ms, last}
			return false
		}
		p.ms--
	}
	e.awaited = awaited{never, never}
	return true
}

// beginTimers begins a phase. The lock is held.
func (e *Env) beginTimers(p timerPhase) {
	p.ran = e.phase.ran
	e.phase = p
	e.node.beginTimers(p.ms)
	e.chooseTimer()
}

// chooseTimer finds the next timer that is due, or at the end of a list the next list. As Node does, it searches a
// list for the next timer before the microtasks of the previous one, and moves to the next list behind them. The
// caller holds the lock.
func (e *Env) chooseTimer() {
	p, q := &e.phase, &e.timers
	if list := p.list; list != nil {
		t := list.head
		for t != nil && t.due() > p.by {
			t = t.next
		}
		if t != nil && t.expiry() <= p.ms && (!t.repeat || t.due() <= p.began) {
			p.chosen = t
			return
		}
		switch first := list.head; {
		case first == nil:
			q.drop(list)
		case q.byDelay[list.ms] == list:
			q.postpone(list, max(first.expiry(), p.ms+1))
			if p.by == never && first.expiry() <= p.ms {
				p.beats = append(p.beats, list)
			}
		}
	}
	p.chosen, p.list = nil, nil
	if q.expiry() <= p.ms {
		p.list = q.heap[0]
		return
	}
	e.putBeatsBack()
	e.node.ranTimers(q.expiry())
}

func (e *Env) putBeatsBack() {
	for _, list := range e.phase.beats {
		e.timers.advance(list)
	}
	e.phase.beats = nil
}

// pickTimer returns the timer to run now, or nil at the end of the phase. The lock is held.
func (e *Env) pickTimer() *Timeout {
	p := &e.phase
	for p.list != nil && (p.chosen == nil || p.chosen.cleared) {
		e.chooseTimer()
	}
	return p.chosen
}

// nextTimer runs the chosen timer, and chooses the one behind it.
func (e *Env) nextTimer() (more bool) {
	e.mu.Lock()
	t := e.pickTimer()
	if t == nil || e.node.at != inTimers || e.hooks.Closing() {
		e.mu.Unlock()
		return false
	}
	e.timers.run(t)
	due, now := t.due(), e.now()
	outer := e.nesting
	e.nesting = t.nesting
	if t.repeat {
		e.node.read(now / millisecond)
	}
	e.phase.ran++
	fn := t.fn
	e.mu.Unlock()

	defer func() {
		e.mu.Lock()
		e.nesting = outer
		e.finishTimer(t, due, now)
		e.chooseTimer()
		more = e.phase.list != nil
		e.mu.Unlock()
	}()
	fn()
	return true
}

// hiccup is how late a machine may wake the loop without an interval losing its rhythm.
const hiccup = 10 * millisecond

// finishTimer sets an interval again, also on a loop that is ending: it is pending then, and goes to the next with
// [Env.Move]. A timeout rests, unless the callback has refreshed it. The caller holds the lock.
func (e *Env) finishTimer(t *Timeout, due, now int64) {
	p := &e.phase
	switch {
	case t.cleared:
	case t.repeat:
		// After a callback that takes longer than a period, an interval starts a new rhythm, as it always does in
		// Node. After a late wake-up of the machine it keeps its rhythm.
		period, start := t.ms*millisecond, now
		if now-due < period || p.slept && p.began-due < hiccup && now-p.began < period {
			start -= (now - due) % period // its latest beat, whether or not that was kept
		}
		if e.web {
			t.nesting++
			t.ms = webDelay(float64(t.ms), t.nesting-1)
		}
		e.insert(t, start)
	case t.list == &e.timers.running:
		t.unlink()
		t.rest()
	}
}
