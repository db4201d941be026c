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
		if mixed && !live(&e) {
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
	if n := len(h.Entries); n == cap(h.Entries) && n >= staleMinimum && int(l.stale.Load()) > n/4 {
		l.sweepHeap()
	}
	if n := len(h.Entries); n == cap(h.Entries) {
		h.Entries = append(make([]timerEntry, 0, max(2*n, 16)), h.Entries...)
	}
	h.Push(e)
}

// compactTimers drops the stale entries once they dominate the heap: amortised, that costs each cancelled timer a
// few nanoseconds, and keeps the memory within a factor of what is live.
func (l *Loop) compactTimers() {
	if stale := int(l.stale.Load()); stale >= staleMinimum && stale > len(l.timers.Entries)/2 {
		l.sweepHeap()
		l.shrinkHeap()
	}
}

// shrinkHeap gives back the room of a heap of which most has gone, whichever way it went: swept, fired, or dropped off
// the top.
func (l *Loop) shrinkHeap() {
	h := &l.timers
	switch n := len(h.Entries); {
	case cap(h.Entries) <= timerKeep || n >= cap(h.Entries)/4:
	case n == 0:
		h.Entries = nil
	default:
		h.Entries = append(make([]timerEntry, 0, n+n/4+1), h.Entries...)
	}
}

func (l *Loop) sweepHeap() {
	h := &l.timers
	kept := h.Entries[:0]
	for _, e := range h.Entries {
		if live(&e) {
			kept = append(kept, e)
		} else {
			l.drop(&e)
		}
	}
	if len(kept) < len(h.Entries) {
		l.stale.Add(int32(len(kept) - len(h.Entries)))
		clear(h.Entries[len(kept):])
		h.Entries = kept
		h.Init()
	}
}

// drop forgets a stale entry that has left the ingress. The caller takes it off the count of stale entries.
func (l *Loop) drop(e *timerEntry) {
	if dead(e) {
		e.Timer.next, l.freed = l.freed, e.Timer
	}
}

// trimTimers gives the memory of a drained burst back.
func (l *Loop) trimTimers() {
	l.compactTimers()
	l.shrinkHeap()
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
		return l.due[0].When // the phase that they belong to was cut short
	}
	h := &l.timers
	for len(h.Entries) > 0 {
		if e := &h.Entries[0]; live(e) {
			return e.When
		} else {
			l.drop(e)
			l.stale.Add(-1)
		}
		h.Pop()
	}
	return never
}
