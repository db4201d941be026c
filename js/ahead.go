package js

// What a [Host] needs to run callbacks ahead of their phase. When a nextTick callback throws, Node leaves the ticks
// behind it alone until another callback has run, even if that is one of the phase that follows. A host cannot leave
// microtasks alone in an engine that runs them as soon as it is left, so it has the callback run before it leaves.

// RunTimer runs the first timer that is due, and reports whether one was. It goes on with the timers phase in progress,
// or begins one if that is what comes next; the loop ends it. It is for a [Host], and must be called on the loop.
func (e *Env) RunTimer() bool {
	outermost := e.enter()
	defer e.leave(outermost)
	before := e.phase.ran
	if e.timerAhead() {
		e.nextTimer()
	}
	return e.phase.ran != before
}

// timerAhead finds a timer for RunTimer. The host cannot wait: timers of the millisecond in progress that are not due yet
// stay for the next phase, with the others of that millisecond.
func (e *Env) timerAhead() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch e.node.at {
	case inTimers:
		if e.pickTimer() != nil {
			return true
		}
		if !e.runsTimersAgain() {
			return false
		}
	case beforeCheck:
		return false
	case inCheck:
		if !e.immediates.running.empty() {
			return false
		}
		e.node.endCheck()
	}
	again := e.node.at == inTimers
	now := e.now()
	ms := now / millisecond
	if e.timers.lastDue(ms) > now {
		ms--
	}
	e.beginTimers(timerPhase{began: now, ms: ms, by: never})
	if e.pickTimer() != nil {
		return true
	}
	if !again {
		e.node.endTimers()
	}
	return false
}

// RunImmediate runs the first of the immediates that are set by now, and reports whether there was one. The others run in
// the next check phase, before any that immediates add. It is for a [Host] whose environment is not in that phase, and
// must be called on the loop.
func (e *Env) RunImmediate() bool {
	e.mu.Lock()
	e.beginCheck()
	e.mu.Unlock()
	return e.RunNextImmediate()
}

// RunNextImmediate runs another immediate of the batch that RunImmediate has begun, and reports whether there was one.
func (e *Env) RunNextImmediate() bool {
	e.mu.Lock()
	before := e.immediates.ran
	e.mu.Unlock()
	e.nextImmediate()
	return e.immediates.ran != before
}

// CheckFirst tells that the check phase is next, unless it has begun with RunImmediate: a timers phase in progress ends,
// and if there are immediates they run before any timers. It is for a [Host], and must be called on the loop.
func (e *Env) CheckFirst() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.node.timersAreOver()
}
