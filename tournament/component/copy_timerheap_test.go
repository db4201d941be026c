//lint:file-ignore U1000 a copy of the core's timerheap.go has what the core uses

package component

// A timerHeap orders timers by deadline, then by sequence. It is a heap of four children to a node: half as deep as
// a binary one, and the four lie side by side in memory.
//
// Entries are compared without following the pointer to their timer. An entry whose timer was stopped or re-armed
// stays until it surfaces, or until such entries dominate; see compactTimers.
type timerHeap struct {
	entries []timerEntry
	seq     uint32
}

// before wraps around: it compares rightly as long as entries with one deadline are within 2³¹ timers of each other.
func (e *timerEntry) before(o *timerEntry) bool {
	if e.when != o.when {
		return e.when < o.when
	}
	return int32(e.seq-o.seq) < 0
}

// push adds e behind all entries with its deadline.
func (h *timerHeap) push(e timerEntry) {
	h.seq++
	e.seq = h.seq
	h.entries = append(h.entries, e)
	h.up(len(h.entries) - 1)
}

// pop removes the first entry; there must be one.
func (h *timerHeap) pop() {
	last := len(h.entries) - 1
	h.entries[0] = h.entries[last]
	h.entries[last] = timerEntry{}
	h.entries = h.entries[:last]
	if last > 1 {
		h.down(0)
	}
}

func (h *timerHeap) up(i int) {
	a := h.entries
	e := a[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&a[parent]) {
			break
		}
		a[i] = a[parent]
		i = parent
	}
	a[i] = e
}

func (h *timerHeap) down(i int) {
	a := h.entries
	e := a[i]
	for {
		child := 4*i + 1
		if child >= len(a) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(a)); c++ {
			if a[c].before(&a[least]) {
				least = c
			}
		}
		if !a[least].before(&e) {
			break
		}
		a[i] = a[least]
		i = least
	}
	a[i] = e
}

// init makes a heap of entries in any order, in linear time.
func (h *timerHeap) init() {
	for i := (len(h.entries)+2)/4 - 1; i >= 0; i-- {
		h.down(i)
	}
}
