package eventloop

import (
	"cmp"
	"slices"
)

// timersDue reads the clock, if there are timers, and reports whether one is due. It fixes the time that the timers
// phase works to: what falls due while it runs waits for the next turn, so the phase ends.
func (l *Loop) timersDue() bool {
	return (len(l.timers.Entries) > 0 || len(l.due) > 0) && l.beginTimers()
}

func (l *Loop) beginTimers() bool {
	if len(l.due) > 0 {
		return true // the phase that they belong to was cut short
	}
	l.phaseTime, l.phaseSeq, l.phaseRan = l.now(), l.timers.Seq, 0
	if l.meter != nil {
		l.meter.Read(l.phaseTime)
	}
	return l.timers.Entries[0].When <= l.phaseTime
}

// runTimers runs the timers that are due, in order.
func (l *Loop) runTimers() {
	m := l.meter
	for {
		e, ok := l.nextDue()
		if !ok {
			return
		}
		if !l.claim(&e) {
			continue
		}
		if m != nil {
			m.Due(e.When)
		}
		e.Timer.fn()
		open := !l.jobsWaiting() || l.checkpoint()
		if m != nil && m.RanTimer() {
			m.RanAt(l.now())
		}
		if !open {
			return
		}
	}
}

// nextDue takes out the next timer of this phase.
func (l *Loop) nextDue() (timerEntry, bool) {
	if len(l.due) > 0 {
		return l.takeDue(), true
	}
	h := &l.timers
	if len(h.Entries) == 0 || !l.inPhase(&h.Entries[0]) {
		return timerEntry{}, false
	}
	if l.phaseRan++; l.phaseRan == bulkAfter && len(h.Entries) >= bulkMinimum && l.manyDue() {
		l.sortDue()
		return l.takeDue(), true
	}
	e := h.Entries[0]
	h.Pop()
	return e, true
}

// inPhase reports whether an entry of the heap is due, and was there when the phase began.
func (l *Loop) inPhase(e *timerEntry) bool {
	if e.When > l.phaseTime {
		return false
	}
	// On a clock that has not moved, what the phase schedules may be due as well. The number wraps around, and the
	// entry may be older than half its range: nothing but the numbers that this phase has given out tells.
	n := e.Seq - l.phaseSeq
	return n == 0 || n > l.timers.Seq-l.phaseSeq
}

const (
	bulkAfter   = 64   // timers run one by one before the phase looks whether there are many
	bulkMinimum = 4096 // a heap smaller than this stays in the cache
	bulkSample  = 64

	lookahead = 16
)

// manyDue samples the heap, and reports whether a good part of it is due.
func (l *Loop) manyDue() bool {
	entries := l.timers.Entries
	due := 0
	for i := range bulkSample {
		if l.inPhase(&entries[i*(len(entries)/bulkSample)]) {
			due++
		}
	}
	return due >= bulkSample/4
}

// sortDue takes all due timers out of the heap and sorts them. To take them one by one costs several cache misses
// each; to sort them, which goes through memory in order, hardly any.
func (l *Loop) sortDue() {
	h := &l.timers
	count := 0
	for i := range h.Entries {
		if l.inPhase(&h.Entries[i]) {
			count++
		}
	}
	if count == len(h.Entries) {
		l.due, h.Entries = h.Entries, nil
	} else {
		l.due = make([]timerEntry, 0, count)
		kept := h.Entries[:0]
		for _, e := range h.Entries {
			if l.inPhase(&e) {
				l.due = append(l.due, e)
			} else {
				kept = append(kept, e)
			}
		}
		clear(h.Entries[len(kept):])
		h.Entries = kept
		h.Init()
	}
	slices.SortFunc(l.due, func(a, b timerEntry) int {
		if a.When != b.When {
			return cmp.Compare(a.When, b.When)
		}
		return int(int32(a.Seq - b.Seq))
	})
}

// takeDue takes the first of the sorted timers. The states of the next few are read together now and then: the
// processor waits for them at the same time, instead of one after the other.
func (l *Loop) takeDue() timerEntry {
	if len(l.due)%lookahead == 0 {
		for i := range min(lookahead, len(l.due)) {
			l.due[i].Timer.word.Load()
		}
	}
	e := l.due[0]
	l.due[0] = timerEntry{}
	l.due = l.due[1:]
	if len(l.due) == 0 {
		l.due = nil
	}
	return e
}

// claim decides whether the timer of an entry that has come due fires. It does unless Stop, Reset or CancelTimer
// changed its word first; if it does, those come too late for this firing.
func (l *Loop) claim(e *timerEntry) bool {
	t := e.Timer
	for {
		w := t.word.Load()
		if w&timerArmed == 0 || !holds(e, w) {
			l.drop(e)
			l.stale.Add(-1)
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
			l.countArmed(-1)
			return true
		}
	}
}
