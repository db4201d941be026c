package js

// What a [Host] needs to run callbacks ahead of their phase. When a nextTick callback throws, Node leaves the ticks
// behind it alone until another callback has run, even if that is one of the phase that follows. A host cannot leave
// microtasks alone in an engine that runs them as soon as it is left, so it has the callback run before it leaves.

// A Phase is what kind of callbacks an environment is running.
type Phase uint8

// The phases of Node's loop that an environment has callbacks for.
const (
	NoPhase Phase = iota
	TimersPhase
	ImmediatesPhase // the check phase
)

// Phase tells which callbacks the environment is running. It must be called on the loop.
func (e *Env) Phase() Phase {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.inPhase:
		return TimersPhase
	case e.immediates.inPhase:
		return ImmediatesPhase
	}
	return NoPhase
}

// RunTimer runs the first timer that is due, and reports whether one was. It begins a timers phase, or goes on with the
// one in progress; the loop ends it. It is for a [Host], and must be called on the loop.
func (e *Env) RunTimer() bool {
	within := e.Phase() == TimersPhase
	if (within || e.ahead) && !e.wakesAgain() {
		return false
	}
	p := e.beginAhead()
	ran := p.chosen != nil
	defer p.leave(within, ran)
	if ran {
		p.next()
	}
	return ran
}

// beginAhead is beginTimers for a host that cannot wait: timers of the millisecond in progress that are not due yet stay for
// the next phase, with the others of that millisecond.
func (e *Env) beginAhead() *timerPhase {
	e.mu.Lock()
	defer e.mu.Unlock()
	if p := e.takeLeft(); p != nil {
		return p
	}
	now := e.now()
	ms := now / millisecond
	if e.timers.lastDue(ms) > now {
		ms--
	}
	return e.beginPhase(now, ms, false)
}

// leave leaves the phase with timers that the loop will run.
func (p *timerPhase) leave(within, ran bool) {
	e := p.env
	e.mu.Lock()
	if p.chosen != nil {
		e.left = p
	}
	e.ahead = ran && !within
	e.mu.Unlock()
	if !within {
		p.end()
	}
}

// RunImmediate runs the first of the immediates that are set by now, and reports whether there was one. The others run in
// the next check phase, before any that immediates add. It is for a [Host] whose environment is not in that phase, and
// must be called on the loop.
func (e *Env) RunImmediate() bool {
	e.mu.Lock()
	e.ahead = false
	if e.immediates.running.head == nil {
		e.takeImmediates()
	}
	e.mu.Unlock()
	return e.RunNextImmediate()
}

// RunNextImmediate runs another immediate of the batch that RunImmediate has begun, and reports whether there was one.
func (e *Env) RunNextImmediate() bool {
	e.mu.Lock()
	any := e.immediates.running.head != nil
	e.mu.Unlock()
	if any {
		e.nextImmediate()
	}
	return any
}

// CheckFirst tells that the check phase is next, or has begun with RunImmediate: a timers phase in progress ends, and if
// there are immediates they run before any timers. It is for a [Host], and must be called on the loop.
func (e *Env) CheckFirst() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.checkFirst, e.over = true, true
}

// atCheck tells, where timers would be run, whether the check phase is first: a host has said so, or the timers phase
// that RunTimer has begun is over.
func (e *Env) atCheck() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := e.checkFirst || e.ahead && e.left == nil && e.wake > e.read
	e.checkFirst, e.ahead = false, false
	return first
}
