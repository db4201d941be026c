package js

// SetTimeout is [Env.NewTimeout] with a number for a handle, as HTML's setTimeout and Node's primitive of a Timeout.
// Numbers are positive and below 2⁵³.
func (e *Env) SetTimeout(fn func(), ms float64) (uint64, error) { return e.set(fn, ms, false) }

// SetInterval is [Env.NewInterval] with a number for a handle.
func (e *Env) SetInterval(fn func(), ms float64) (uint64, error) { return e.set(fn, ms, true) }

func (e *Env) set(fn func(), ms float64, repeat bool) (uint64, error) {
	_, id, err := e.newTimer(fn, ms, repeat, true)
	return id, err
}

// ClearTimeout clears the timer with a number, and reports whether there was one. Numbers of timeouts and of
// intervals are good for both functions, as in HTML; a number that means nothing does nothing.
func (e *Env) ClearTimeout(id uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	t, ok := e.ids.get(id)
	if ok {
		t.close()
	}
	return ok
}

// ClearInterval is [Env.ClearTimeout].
func (e *Env) ClearInterval(id uint64) bool { return e.ClearTimeout(id) }

// Timer returns the timer with a number, to call Ref, Unref, HasRef or Refresh on it. It is nil when the timer has
// run or was cleared.
func (e *Env) Timer(id uint64) *Timeout {
	e.mu.Lock()
	defer e.mu.Unlock()
	t, _ := e.ids.get(id)
	return t
}

// SetImmediate is [Env.NewImmediate] with a number for a handle.
func (e *Env) SetImmediate(fn func()) (uint64, error) {
	return e.startImmediate(new(Immediate), callback(fn), true)
}

// ClearImmediate clears the immediate with a number, and reports whether there was one.
func (e *Env) ClearImmediate(id uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	m, ok := e.immediates.ids.get(id)
	if ok {
		m.close()
	}
	return ok
}

// QueueMicrotask runs fn after the callback in progress, before anything else but the nextTick queue: HTML's
// queueMicrotask. Errors are those of [github.com/eventloop-go/eventloop.Loop.ScheduleMicrotask].
func (e *Env) QueueMicrotask(fn func()) error { return e.loop.ScheduleMicrotask(fn) }

// NextTick runs fn after the callback in progress, before microtasks: Node's process.nextTick. Errors are those of
// [github.com/eventloop-go/eventloop.Loop.NextTick].
func (e *Env) NextTick(fn func()) error { return e.loop.NextTick(fn) }
