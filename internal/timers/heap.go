package timers

// A heap orders entries by deadline, then by sequence. It is a heap of four children to a node: half as deep as a
// binary one, and the four lie side by side in memory.
type heap []Entry

func (h *heap) push(e Entry) {
	*h = append(*h, e)
	h.up(len(*h)-1, e)
}

// pop removes the first entry; there must be one.
func (h *heap) pop() {
	a := *h
	last := len(a) - 1
	e := a[last]
	a[last] = Entry{}
	*h = a[:last]
	if last > 0 {
		a[0] = e
		h.down(0)
	}
}

// up moves e, which belongs at i or above, into its place. The entry at i, which may just have been written, is not read:
// the processor would wait for it.
func (h *heap) up(i int, e Entry) {
	a := *h
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

func (h *heap) down(i int) {
	a := *h
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
func (h *heap) init() {
	for i := (len(*h)+2)/4 - 1; i >= 0; i-- {
		h.down(i)
	}
}
