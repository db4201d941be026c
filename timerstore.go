package eventloop

const (
	staleNudge    = 1024 // cancelled timers after which a sleeping loop is woken to look whether to compact
	staleMinimum  = 64   // fewer cancelled timers than this are not worth compacting
	freeTimers    = 1024 // timers kept for reuse
	timerKeep     = 4096 // longest slice of entries kept when it has emptied
	ownTimersWant = 64   // timers the owner fetches at a time
	timersWaiting = 4096 // new timers after which a sleeping loop is woken to take them
)

// adoptTimers puts what takeTimers took into the heap.
func (l *Loop) adoptTimers() {
	if len(l.arrived) == 0 {
		return
	}
	mixed := l.stale.Load() != 0
	for _, e := range l.arrived {
		if mixed && !e.live() {
			l.drop(&e)
			l.stale.Add(-1)
		} else {
			l.pushHeap(e)
		}
	}
	clear(l.arrived)
	l.arrived = l.arrived[:0]
	if cap(l.arrived) > timerKeep {
		l.arrived = nil
	}
	l.compactTimers()
}

// pushHeap adds an entry to the heap. Before that grows it is cleared of stale entries, if they are worth the pass.
func (l *Loop) pushHeap(e timerEntry) {
	h := &l.timers
	if n := len(h.entries); n == cap(h.entries) && n >= staleMinimum && int(l.stale.Load()) > n/4 {
		l.sweepHeap()
	}
	if n := len(h.entries); n == cap(h.entries) {
		h.entries = append(make([]timerEntry, 0, max(2*n, 16)), h.entries...)
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
		l.stale.Add(int32(len(kept) - len(h.entries)))
		clear(h.entries[len(kept):])
		h.entries = kept
		h.init()
	}
}

// drop forgets a stale entry that has left the ingress. The caller takes it off the count of stale entries.
func (l *Loop) drop(e *timerEntry) {
	if e.dead() {
		e.t.next, l.freed = l.freed, e.t
	}
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

// nextDeadline drops stale entries off the top of the heap and returns when the next timer is due, or never.
func (l *Loop) nextDeadline() int64 {
	if len(l.due) > 0 {
		return l.due[0].when // the phase that they belong to was cut short
	}
	h := &l.timers
	for len(h.entries) > 0 {
		if e := &h.entries[0]; e.live() {
			return e.when
		} else {
			l.drop(e)
			l.stale.Add(-1)
		}
		h.pop()
	}
	return never
}
