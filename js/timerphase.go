package js

import "time"

// arm sets the loop's timer to fire at a time on our clock, unless it fires earlier anyway. To fire for nothing now
// and then costs less than to move it whenever the first timer is cleared.
func (e *Env) arm(when int64) error {
	if when >= e.armed {
		return nil
	}
	delay := time.Duration(max(when-e.now(), 0))
	if e.driven {
		if err := e.driver.Reset(delay); err != nil {
			return err
		}
	} else {
		driver, err := e.loop.ScheduleTimer(delay, e.runTimers)
		if err != nil {
			return err
		}
		e.driver, e.driven = driver, true
		if e.timerRefs == 0 {
			driver.Unref()
		}
	}
	e.armed = when
	return nil
}

// addTimerRefs counts timers that keep the loop open; one does it for all.
func (e *Env) addTimerRefs(n int) {
	before := e.timerRefs
	e.timerRefs += n
	switch {
	case !e.driven:
	case before == 0 && e.timerRefs > 0:
		e.driver.Ref()
	case before > 0 && e.timerRefs == 0:
		e.driver.Unref()
	}
}

// runTimers runs the timers that are due: processTimers in Node, and uv__run_timers around it. That one looks again at
// the end, by the time that was last read: when a microtask behind the last timer has set one timer, taken a while and
// set another, the first is run before any immediate.
func (e *Env) runTimers() {
	if e.atCheck() { // the host has run callbacks ahead
		e.check()
	}
	for first, again := true, true; again; first = false {
		p := e.beginTimers(first && e.owner.Slept())
		if p == nil {
			return
		}
		due := p.chosen != nil
		func() {
			defer p.end() // also when a callback ends the goroutine
			if due {
				e.host(p.next)
			}
		}()
		again = due && e.wakesAgain()
	}
}

// beginTimers begins a timers phase, or goes on with what RunTimer has left of one. It returns nil where there are timers
// to wait for first. slept tells whether the loop was asleep until now.
func (e *Env) beginTimers(slept bool) *timerPhase {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.armed = never
	if p := e.takeLeft(); p != nil {
		return p
	}
	now := e.now()
	ms, complete := e.complete(now)
	if !complete {
		return nil
	}
	return e.beginPhase(now, ms, slept)
}

// takeLeft goes on with what RunTimer has left of a phase, if it has. The lock is held.
func (e *Env) takeLeft() *timerPhase {
	p := e.left
	if p != nil {
		e.left, e.inPhase = nil, true
	}
	return p
}

// beginPhase begins a phase of the timers that are due up to a millisecond. The lock is held.
func (e *Env) beginPhase(now, ms int64, slept bool) *timerPhase {
	e.inPhase, e.over = true, false
	p := &timerPhase{env: e, began: now, slept: slept, ms: ms}
	e.read, e.soonest, e.wake = ms, never, never
	p.choose()
	return p
}

// complete tells up to which millisecond timers may run now. Node counts whole milliseconds: all timers of one run in one
// phase, some of them a fraction early. None of ours is early, so the first ones wait for the last, which is less than one
// away; then complete sets the driver to that, and reports false. The lock is held.
func (e *Env) complete(now int64) (ms int64, ok bool) {
	if ms = e.awaited; ms == never {
		ms = now / millisecond
	}
	last := e.timers.lastDue(ms)
	if last <= now {
		e.awaited = never
		return ms, true
	}
	if e.arm(last) == nil { // it fails on a loop that is ending, where timers end too
		e.awaited = ms
	}
	return ms, false
}

func (e *Env) wakesAgain() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return !e.over && (e.left != nil || e.wake <= e.read) && len(e.timers.heap) > 0 && e.loop.Accepting()
}

// A timerPhase is the progress of one run through the timers.
type timerPhase struct {
	env    *Env
	began  int64
	slept  bool       // the loop was asleep until then
	ms     int64      // what is due in a later one waits for the next phase
	list   *timerList // being run
	chosen *Timeout   // to run next; chosen before the microtasks of the one before, as in Node
}

// choose finds the next timer that is due. The lock is held.
func (p *timerPhase) choose() {
	e := p.env
	p.chosen = nil
	defer func() {
		if p.chosen == nil && len(e.timers.heap) > 0 {
			e.soonest = e.timers.heap[0].expiry
			e.wake = max(e.soonest, e.read+1)
		}
	}()
	for {
		if p.list == nil {
			if len(e.timers.heap) == 0 || e.timers.heap[0].expiry > p.ms {
				return
			}
			p.list = e.timers.heap[0]
		}
		t := p.list.head
		if t == nil {
			e.timers.drop(p.list)
			p.list = nil
			continue
		}
		if expiry := t.expiry(); expiry > p.ms {
			if e.timers.byDelay[p.list.ms] == p.list {
				e.timers.postpone(p.list, max(expiry, p.ms+1))
			}
			p.list = nil
			continue
		}
		p.chosen = t
		return
	}
}

// next runs the chosen timer, or another if microtasks have cleared that, and chooses the one behind it.
func (p *timerPhase) next() (more bool) {
	e := p.env
	e.mu.Lock()
	for p.chosen != nil && p.chosen.cleared {
		p.choose()
	}
	t := p.chosen
	if t == nil {
		e.mu.Unlock()
		return false
	}
	t.unlink()
	due, now := t.due(), e.now()
	e.nesting = t.nesting
	if t.repeat {
		e.read = now / millisecond
	}
	fn := t.fn
	e.mu.Unlock()

	defer func() {
		e.mu.Lock()
		e.nesting = 0
		p.finish(t, due, now)
		p.choose()
		more = p.chosen != nil
		e.mu.Unlock()
	}()
	fn()
	return true
}

// hiccup is how late a machine may wake the loop without an interval losing its rhythm.
const hiccup = 10 * millisecond

// finish sets an interval anew, or lets the timer rest, unless the callback has done something about it.
func (p *timerPhase) finish(t *Timeout, due, now int64) {
	e := p.env
	switch {
	case t.cleared:
	case t.repeat:
		// Callbacks that take longer than a period make an interval begin anew, as it always does in Node. A machine that
		// wakes the loop late does not.
		period, start := t.ms*millisecond, now
		if now-due < period || p.slept && p.began-due < hiccup && now-p.began < period {
			start -= (now - due) % period // its latest beat, whether or not that was kept
		}
		if e.web {
			t.nesting++
			t.ms = webDelay(float64(t.ms), t.nesting-1)
		}
		if e.insert(t, start, false) != nil {
			t.close()
		}
	case t.list == nil && !t.idle:
		t.idle = true
		t.forget()
		if !t.unref {
			e.addTimerRefs(-1)
		}
	}
}

func (p *timerPhase) end() {
	e := p.env
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inPhase = false
	_ = e.arm(e.timers.due()) // it fails on a loop that is ending, where timers end too
}
