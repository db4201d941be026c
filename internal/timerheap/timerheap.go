// Package timerheap has the heap of timers.
package timerheap

// An Entry is one place in the heap, or on the way there.
type Entry[T any] struct {
	When    int64  // the deadline
	Seq     uint32 // set by Push
	Version uint32 // of the timer, for its owner to know whether the entry still counts
	Timer   *T
}

// A Heap orders timers by deadline, then by sequence. It is a heap of four children to a node: half as deep as
// a binary one, and the four lie side by side in memory.
//
// Entries are compared without following the pointer to their timer. An entry whose timer was stopped or re-armed
// stays until it surfaces, or until whoever owns the heap has swept it: the entries are open to that, and Init mends their order.
type Heap[T any] struct {
	Entries []Entry[T]
	Seq     uint32
}

// before wraps around: it compares rightly as long as entries with one deadline are within 2³¹ timers of each other.
func (e *Entry[T]) before(o *Entry[T]) bool {
	if e.When != o.When {
		return e.When < o.When
	}
	return int32(e.Seq-o.Seq) < 0
}

// Push adds e behind all entries with its deadline.
func (h *Heap[T]) Push(e Entry[T]) {
	h.Seq++
	e.Seq = h.Seq
	h.Entries = append(h.Entries, e)
	h.up(len(h.Entries) - 1)
}

// Pop removes the first entry; there must be one.
func (h *Heap[T]) Pop() {
	last := len(h.Entries) - 1
	h.Entries[0] = h.Entries[last]
	h.Entries[last] = Entry[T]{}
	h.Entries = h.Entries[:last]
	if last > 1 {
		h.down(0)
	}
}

func (h *Heap[T]) up(i int) {
	a := h.Entries
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

func (h *Heap[T]) down(i int) {
	a := h.Entries
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

// Init makes a heap of Entries in any order, in linear time.
func (h *Heap[T]) Init() {
	for i := (len(h.Entries)+2)/4 - 1; i >= 0; i-- {
		h.down(i)
	}
}
