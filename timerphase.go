package eventloop

import "time"

const (
	staleNudge    = 1024 // cancelled timers after which a sleeping loop is woken to look whether to compact
	staleMinimum  = 64   // fewer cancelled timers than this are not worth compacting
	freeTimers    = 1024 // timers kept for reuse
	timerKeep     = 4096 // longest slice of entries kept when it has emptied
	ownTimersWant = 64   // timers the owner fetches at a time
)

// pushTimer puts e into the ingress. Before the slice grows it is cleared of entries that were cancelled meanwhile,
// so that timers scheduled and cancelled while the loop sleeps take no room. The lock is held.
func (in *ingress) pushTimer(e timerEntry) {
	if len(in.timers) == 0 {
		e.t.loop.attention.Or(attendTimers)
	}
	if n := len(in.timers); n == cap(in.timers) && n >= staleMinimum {
		in.timers[0].t.loop.sweepIngress()
	}
	in.timers = append(in.timers, e)
}

func (l *Loop) sweepIngress() {
	in := &l.in
	kept := in.timers[:0]
	for _, e := range in.timers {
		if e.live() {
			kept = append(kept, e)
		} else {
			if e.dead() {
				in.recycle(e.t)
			}
			l.stale.Add(-1)
		}
	}
	clear(in.timers[len(kept):])
	in.timers = kept
	if len(kept) > cap(kept)/2 {
		in.timers = append(make([]timerEntry, 0, 2*cap(kept)), kept...)
	}
}

// dead reports whether a stale entry is the one whose dropping frees its timer: it was given back, and this is the
// entry from when it was scheduled, of which there is one in each generation.
func (e *timerEntry) dead() bool {
	return e.version&entryFirst != 0 && e.t.word.Load()&timerReleased != 0
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
	l.takeArrived()
	if len(l.rearmed) > 0 {
		now := l.now()
		for i, e := range l.rearmed {
			e.when = e.t.kind.next(e.when, e.t.delay, now)
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

// adoptTimers puts what takeTimers took into the heap.
func (l *Loop) adoptTimers() {
	if len(l.arrived) == 0 {
		return
	}
	for _, e := range l.arrived {
		if e.live() {
			l.pushHeap(e)
		} else {
			l.drop(&e)
		}
	}
	clear(l.arrived)
	l.arrived = l.arrived[:0]
	if cap(l.arrived) > timerKeep {
		l.arrived = nil
	}
	l.compactTimers()
}

// pushHeap adds an entry to the heap, which is cleared of stale entries before it grows.
func (l *Loop) pushHeap(e timerEntry) {
	h := &l.timers
	if n := len(h.entries); n == cap(h.entries) && n >= staleMinimum {
		l.sweepHeap()
		if n = len(h.entries); n > cap(h.entries)/2 {
			h.entries = append(make([]timerEntry, 0, n+max(n/4, 64)), h.entries...)
		}
	}
	h.push(e)
}

// compactTimers drops the stale entries once they dominate the heap: amortised, that costs each cancelled timer a
// few nanoseconds, and keeps the memory within a factor of what is live.
func (l *Loop) compactTimers() {
	if stale := int(l.stale.Load()); stale >= staleMinimum && stale > len(l.timers.entries)/2 {
		l.sweepHeap()
		h := &l.timers
		if n := len(h.entries); cap(h.entries) > timerKeep && n < cap(h.entries)/4 {
			h.entries = append(make([]timerEntry, 0, n+n/4+1), h.entries...)
		}
	}
}

func (l *Loop) sweepHeap() {
	h := &l.timers
	kept := h.entries[:0]
	for _, e := range h.entries {
		if e.live() {
			kept = append(kept, e)
		} else {
			l.drop(&e)
		}
	}
	if len(kept) < len(h.entries) {
		clear(h.entries[len(kept):])
		h.entries = kept
		h.init()
	}
}

// drop forgets a stale entry that has left the ingress.
func (l *Loop) drop(e *timerEntry) {
	if e.dead() {
		e.t.next, l.freed = l.freed, e.t
	}
	l.stale.Add(-1)
}

// trimTimers gives the memory of a drained burst back.
func (l *Loop) trimTimers() {
	l.compactTimers()
	if h := &l.timers; len(h.entries) == 0 && cap(h.entries) > timerKeep {
		h.entries = nil
	}
	if cap(l.rearmed) > timerKeep {
		l.rearmed = nil
	}
	if l.freed != nil {
		l.in.mu.lock()
		l.recycleFreed()
		l.in.mu.unlock()
	}
}

// nextDeadline drops stale entries off the top of the heap and returns when the first live one is due, or never.
func (l *Loop) nextDeadline() int64 {
	h := &l.timers
	for len(h.entries) > 0 {
		if e := &h.entries[0]; e.live() {
			return e.when
		} else {
			l.drop(e)
		}
		h.pop()
	}
	return never
}

// timersDue reads the clock, if there are timers, and reports whether one is due. It fixes the time that the timers
// phase works to: what falls due while it runs waits for the next turn, so the phase ends.
func (l *Loop) timersDue() bool {
	l.phaseTime = -1
	if len(l.timers.entries) == 0 {
		return false
	}
	l.phaseTime, l.phaseSeq = l.now(), l.timers.seq
	return l.timers.entries[0].when <= l.phaseTime
}

// runTimers runs the timers that are due, in order.
func (l *Loop) runTimers() {
	h := &l.timers
	for len(h.entries) > 0 && h.entries[0].when <= l.phaseTime {
		e := h.entries[0]
		// The number wraps around, and the entry may be older than half its range: nothing but the numbers that
		// this phase has given out tells what it scheduled.
		if n := e.seq - l.phaseSeq; n != 0 && n <= h.seq-l.phaseSeq {
			return // scheduled by this phase, on a clock that has not moved
		}
		h.pop()
		if !l.claim(&e) {
			continue
		}
		e.t.fn()
		if l.jobsWaiting() && !l.checkpoint() {
			return
		}
	}
}

// claim decides whether the timer of an entry that has come due fires. It does unless Stop, Reset or CancelTimer
// changed its word first; if it does, those come too late for this firing.
func (l *Loop) claim(e *timerEntry) bool {
	t := e.t
	for {
		w := t.word.Load()
		if w&timerArmed == 0 || !e.holds(w) {
			l.drop(e)
			return false
		}
		if t.kind != once {
			// It stays armed. Before the callback, so that a panic does not end the repetition.
			l.rearmed = append(l.rearmed, *e)
			return true
		}
		if t.word.CompareAndSwap(w, w&^timerArmed) {
			if l.autoExit && w&timerUnref == 0 {
				l.live.Add(-1)
			}
			return true
		}
	}
}

// alarmFor sees to it that a sleeping loop wakes for a timer that falls due at when. It sets the alarm itself where
// it can, so that the loop sleeps on, and reports true if the caller must wake the loop. The lock is held.
func (l *Loop) alarmFor(when int64, delay time.Duration) bool {
	if !l.in.sleeping || when >= l.in.armed {
		return false
	}
	if delay <= 0 {
		return l.in.rouse()
	}
	l.setAlarm(when, delay)
	return false
}

// arm is alarmFor for the owner, before it sleeps. The lock is held.
func (l *Loop) arm(when, now int64) {
	if when < l.in.armed {
		l.setAlarm(when, time.Duration(when-now))
	}
}

func (l *Loop) setAlarm(when int64, delay time.Duration) {
	in := &l.in
	in.armed = when
	if in.alarm == nil {
		in.alarm = time.AfterFunc(delay, l.ring)
	} else {
		in.alarm.Reset(delay)
	}
}

// ring is what the alarm runs. An alarm that was meant for a timer cancelled since wakes the loop for nothing, once.
func (l *Loop) ring() {
	in := &l.in
	in.mu.lock()
	in.armed = never
	asleep := in.rouse()
	in.mu.unlock()
	if asleep {
		l.wake <- struct{}{}
	}
}
