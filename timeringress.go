package eventloop

// pushTimer puts e into the ingress. Before the slice grows it is cleared of entries that were cancelled meanwhile,
// so that timers scheduled and cancelled while the loop sleeps take no room. The lock is held.
func (in *ingress) pushTimer(e timerEntry) {
	if len(in.timers) == 0 {
		e.Timer.loop.attention.Or(attendTimers)
	}
	if n := len(in.timers); n == cap(in.timers) && n >= staleMinimum {
		in.timers[0].Timer.loop.sweepIngress()
	}
	in.timers = append(in.timers, e)
}

func (l *Loop) sweepIngress() {
	in := &l.in
	kept := in.timers[:0]
	for _, e := range in.timers {
		if live(&e) {
			kept = append(kept, e)
		} else if dead(&e) {
			in.recycle(e.Timer)
		}
	}
	l.stale.Add(int32(len(kept) - len(in.timers)))
	clear(in.timers[len(kept):])
	in.timers = kept
	if len(kept) > cap(kept)/2 {
		in.timers = append(make([]timerEntry, 0, 2*cap(kept)), kept...)
	}
}

// dead reports whether a stale entry is the one whose dropping frees its timer: it was given back, and this is the
// entry from when it was scheduled, of which there is one in each generation.
func dead(e *timerEntry) bool {
	return e.Version&entryFirst != 0 && e.Timer.word.Load()&timerReleased != 0
}

// recycle keeps a timer for reuse. The lock is held.
func (in *ingress) recycle(t *timer) {
	t.fn = nil
	if in.freeCount < freeTimers {
		t.next, in.free = in.free, t
		in.freeCount++
	}
}

// takeTimers takes over new timers, and sets the next deadlines of repeating ones. The lock is held, which is what
// guards their period. The caller calls adoptTimers next, without the lock.
func (l *Loop) takeTimers() {
	l.pass()
	l.takeArrived()
	if len(l.rearmed) > 0 {
		now := l.now()
		for i, e := range l.rearmed {
			e.When = e.Timer.kind.next(e.When, e.Timer.delay, now)
			l.arrived = append(l.arrived, e)
			l.rearmed[i] = timerEntry{}
		}
		l.rearmed = l.rearmed[:0]
	}
	if l.freed != nil {
		l.recycleFreed()
	}
}

func (l *Loop) takeArrived() {
	if in := &l.in; len(in.timers) > 0 {
		l.arrived, in.timers = in.timers, l.arrived[:0]
		l.attention.And(^attendTimers)
	}
}

// takeNewTimers takes over new timers in the middle of a phase, and nothing else: tasks would join the batch in
// progress, which must end, and repeating timers are set anew when their phase is over.
func (l *Loop) takeNewTimers() {
	l.in.mu.lock()
	l.takeArrived()
	l.in.mu.unlock()
	l.adoptTimers()
}

// recycleFreed hands the timers that the owner has dropped back for reuse. The lock is held.
func (l *Loop) recycleFreed() {
	for l.freed != nil {
		t := l.freed
		l.freed, t.next = t.next, nil
		l.in.recycle(t)
	}
}
