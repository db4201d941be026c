package eventloop

// Submit queues fn for the loop's external lane, and wakes the loop if it sleeps. If it returns nil, fn runs before
// [Loop.Run] returns, unless [Loop.Close] drops it; otherwise fn never runs.
//
// Tasks of one goroutine run in the order in which they were submitted; so do those of two goroutines when one call
// happened before the other. Safe for any goroutine; an empty call costs no allocation.
//
// Errors: [ErrLoopTerminated] once a shutdown has begun, [ErrNilCallback], [ErrZeroLoop].
func (l *Loop) Submit(fn func()) error {
	if fn == nil {
		return ErrNilCallback
	}
	in := &l.in
	in.mu.lock()
	if !in.accepting() {
		err := in.refusal()
		in.mu.unlock()
		return err
	}
	in.external.push(fn)
	asleep := in.rouse()
	in.mu.unlock()
	if asleep {
		l.wake <- struct{}{}
	}
	return nil
}

// SubmitInternal queues fn for the priority lane: it runs before the external tasks that wait at that time, though
// not between those of one batch (1,024 at most). Use it to deliver completions and other work of the loop itself.
//
// It keeps the guarantees of [Loop.Submit], and is still accepted during a graceful shutdown, until the loop has
// drained everything: what accepted work causes can be delivered.
func (l *Loop) SubmitInternal(fn func()) error {
	if fn == nil {
		return ErrNilCallback
	}
	in := &l.in
	in.mu.lock()
	if !in.draining() {
		err := in.refusal()
		in.mu.unlock()
		return err
	}
	in.internal.push(fn)
	asleep := in.rouse()
	in.mu.unlock()
	if asleep {
		l.wake <- struct{}{}
	}
	return nil
}

// ScheduleImmediate queues fn for the check phase, which follows I/O: Node's setImmediate. Immediates that an
// immediate schedules run in the next turn. The guarantees and errors are those of [Loop.Submit].
func (l *Loop) ScheduleImmediate(fn func()) error {
	if fn == nil {
		return ErrNilCallback
	}
	in := &l.in
	in.mu.lock()
	if !in.accepting() {
		err := in.refusal()
		in.mu.unlock()
		return err
	}
	in.immediates.push(fn)
	asleep := in.rouse()
	in.mu.unlock()
	if asleep {
		l.wake <- struct{}{}
	}
	return nil
}
