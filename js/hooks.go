package js

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
)

// Hooks are an environment's methods for the adapter of a script engine. Programs that only schedule callbacks do not
// need them. Unless they say otherwise, methods must be called on the loop.
type Hooks struct{ e *Env }

// Hooks returns the hooks of the environment.
func (e *Env) Hooks() Hooks { return Hooks{e} }

// CallbackFailed notes that the callback in progress has thrown an exception, which a [Host] has handled. Go
// callbacks panic instead.
func (h Hooks) CallbackFailed() { h.e.immediates.failed = true }

// Move takes the environment to another loop when its loop has ended. It is for hosts whose scripts outlive a loop,
// because a loop runs only once. Pending timers and immediates stay pending: timers keep their deadlines, immediates
// their order. Timers that fell due meanwhile run as soon as the new loop does.
//
// It must be called in a callback of the new loop, or before that runs, while no other goroutine uses the environment.
func (h Hooks) Move(loop *eventloop.Loop) {
	e := h.e
	e.mu.Lock()
	defer e.mu.Unlock()
	e.attach(loop)
	e.armFirst()
	_ = e.requestCheck() // it fails on a loop that has ended, where nothing runs any more
}

// Pending reports whether anything is pending, unreferenced or not, that the loop would run. Any goroutine may call it.
func (h Hooks) Pending() bool {
	e := h.e
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.timers.heap) > 0 || e.timers.running.head != nil || !e.immediates.waiting.empty() || !e.immediates.running.empty()
}

// StartImmediate is [Env.NewImmediate] for an immediate embedded in an object of the caller's. The object may be the
// job as well, which saves two allocations. The immediate must be a zero value that is not in use. Any goroutine may
// call it.
func (h Hooks) StartImmediate(m *Immediate, job adapter.Job) error {
	_, err := h.e.startImmediate(m, job, false)
	return err
}

// RunUnreferenced has the next check phase run immediates that are unreferenced. It is for hosts to call when the loop
// runs other callbacks of theirs: such immediates run when the loop happens to come by. Any goroutine may call it.
func (h Hooks) RunUnreferenced() {
	e := h.e
	e.mu.Lock()
	defer e.mu.Unlock()
	q := &e.immediates
	switch {
	case q.waiting.empty() && q.running.empty():
	case q.request == notRequested:
		_ = e.request(requestedInAnyEvent) // it fails on a loop that has ended
	default:
		q.request = requestedInAnyEvent
	}
}

// NextCheck goes on to the check phase behind the one in progress, and reports true, if the loop would run nothing
// before it. It is for a [Host] whose next has reported that there are no more: next then has more. It saves
// returning to the loop and being called again, which costs as much as a short callback. The host must have nothing
// to run in between, such as microtasks.
func (h Hooks) NextCheck() bool {
	e := h.e
	e.mu.Lock()
	defer e.mu.Unlock()
	q := &e.immediates
	if !q.hosted || e.node.at != inCheck || !q.running.empty() || q.refs == 0 || q.waiting.empty() || q.request == notRequested || !e.hooks.TakeImmediate() {
		return false
	}
	q.request = notRequested
	e.beginCheck()
	return true
}

// The rest runs callbacks ahead of their phase. When a nextTick callback throws, Node leaves the ticks behind it alone until
// another callback has run, even if that is one of the phase that follows. A host cannot leave microtasks alone in an
// engine that runs them as soon as it is left, so it has the callback run before it leaves.

// RunTimer runs the first timer that is due, and reports whether one was. It continues the timers phase in progress,
// or begins one if the timers phase comes next; the loop ends it.
func (h Hooks) RunTimer() bool {
	e := h.e
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
// the next check phase, before any that immediates add. It is for an environment that is not in that phase.
func (h Hooks) RunImmediate() bool {
	e := h.e
	e.mu.Lock()
	e.beginCheck()
	e.mu.Unlock()
	return h.RunNextImmediate()
}

// RunNextImmediate runs another immediate of the batch that RunImmediate has begun, and reports whether there was one.
func (h Hooks) RunNextImmediate() bool {
	e := h.e
	e.mu.Lock()
	before := e.immediates.ran
	e.mu.Unlock()
	e.nextImmediate()
	return e.immediates.ran != before
}

// CheckFirst makes the check phase the next one, unless it has begun with RunImmediate. A timers phase in progress
// ends, and immediates run before any timers.
func (h Hooks) CheckFirst() {
	e := h.e
	e.mu.Lock()
	defer e.mu.Unlock()
	e.node.timersAreOver()
}
