package js

// DispatchEvent calls the listeners for the event's type, those with [WithCapture] first, and else in the order in
// which they were added. It reports whether the event was not cancelled. Microtasks run when the callback in progress
// has returned, as in Node, not between listeners.
//
// A listener that panics is reported to the loop's panic handler, and the others are still called. They are also
// called when one calls [runtime.Goexit], though the caller then ends with it.
//
// It must be called on the loop, which nothing checks; from elsewhere submit it.
//
// Errors: [ErrInvalidState] if the event is being dispatched already, or if it or the target is a zero value,
// [ErrType] if the event is nil.
func (t *EventTarget) DispatchEvent(e *Event) (notCanceled bool, err error) {
	switch {
	case e == nil:
		return false, &Exception{ErrType.Name, "DispatchEvent needs an event: make one with Env.NewEvent"}
	case e.dispatching:
		return false, &Exception{ErrInvalidState.Name, "The event is already being dispatched"}
	case t.env == nil:
		return false, &Exception{ErrInvalidState.Name, "The target belongs to no loop: make it with Env.NewEventTarget"}
	}
	e.trusted = false
	return t.dispatch(e), nil
}

// dispatch is the standard's algorithm "dispatch" (DOM 2.9), for a target that has no parent.
func (t *EventTarget) dispatch(e *Event) bool {
	e.dispatching, e.target, e.current = true, t, t
	defer func() {
		e.dispatching, e.current = false, nil
		e.stopped, e.stoppedNow, e.passive = false, false, false
	}()
	d := dispatch{target: t, event: e, capture: true}
	d.begin()
	exhaust(d.step)
	return !e.canceled
}

// A dispatch is the progress of an event through the listeners: first those that capture, then the others. Each of
// the two is the standard's "invoke", and sees the listeners that are there when it begins.
type dispatch struct {
	target  *EventTarget
	event   *Event
	capture bool
	next    *registration // to look at when nothing has been looked at yet
	at      *registration // looked at last
	last    uint64        // registrations added later are not called
}

// begin starts an "invoke".
func (d *dispatch) begin() {
	t := d.target
	t.mu.Lock()
	defer t.mu.Unlock()
	d.next, d.at, d.last = nil, nil, t.last
	if list := t.lists[d.event.typ]; list != nil {
		d.next = list.head
	}
}

// step calls one listener and reports whether there may be more. Work that follows a call is done at the beginning of
// the next step, because the call may not return.
func (d *dispatch) step() (more bool) {
	e := d.event
	if e.stoppedNow {
		return false
	}
	var r *registration
	if d.at != nil || !e.stopped { // the flag is checked before each of the two only
		r = d.take()
	}
	if r == nil {
		if !d.capture || e.stopped {
			return false
		}
		d.capture = false
		d.begin()
		return true
	}
	e.passive = r.passive
	d.target.env.hooks.Isolate(func() { r.listener.fn(e) })
	return true
}

// take finds the next listener to call, and removes it if it is to be called once.
func (d *dispatch) take() *registration {
	t := d.target
	t.mu.Lock()
	r := d.next
	if d.at != nil {
		r = d.at.next
	}
	for r != nil && (r.removed || r.capture != d.capture) && r.number <= d.last {
		r = r.next
	}
	if r == nil || r.number > d.last {
		t.mu.Unlock()
		return nil
	}
	d.at = r
	var release func()
	if r.once {
		release = t.unlink(r)
	}
	t.mu.Unlock()
	if release != nil {
		release()
	}
	return r
}

// exhaust calls step until it reports false. When a step ends the goroutine, by Goexit, the others run in its
// deferred calls: one callback must not keep another from being called.
func exhaust(step func() (more bool)) {
	finished := false
	defer func() {
		if !finished {
			exhaust(step)
		}
	}()
	for step() {
	}
	finished = true
}
