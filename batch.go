package eventloop

// batchLimit is the length of one batch: how many tasks the loop runs before it looks at timers and the priority
// lane again. 1,024 func values are 8 KB, a size the allocator serves in one piece.
const batchLimit = 1024

// yieldBatches is how long, in batches, a backlog is before it counts as long.
const yieldBatches = 16

// spareLimit is how many emptied batches each side of a lane keeps for reuse. What a burst needed beyond that goes
// back to the garbage collector.
const spareLimit = 8

// An inbox is the shared side of a lane: callbacks accepted but not yet taken by the loop. The ingress lock guards it.
//
// It grows in whole batches instead of one slice, so that ten million queued tasks cost as much each as ten.
type inbox struct {
	tail  []func()   // being filled
	full  [][]func() // filled before tail, oldest first
	spare [][]func() // emptied batches that the loop handed back
}

func (q *inbox) push(fn func()) {
	if len(q.tail) == cap(q.tail) {
		q.grow()
	}
	q.tail = append(q.tail, fn)
}

func (q *inbox) grow() {
	switch c := cap(q.tail); {
	case c == 0:
		q.tail = make([]func(), 0, 16)
	case c < batchLimit:
		wider := make([]func(), len(q.tail), min(4*c, batchLimit))
		copy(wider, q.tail)
		q.tail = wider
	default:
		q.full = append(q.full, q.tail)
		if n := len(q.spare); n > 0 {
			q.tail, q.spare[n-1] = q.spare[n-1], nil
			q.spare = q.spare[:n-1]
		} else {
			q.tail = make([]func(), 0, batchLimit)
		}
	}
}

// behind reports, just after a push, that the loop is so far behind that the producer had better let it have a
// processor. Producers that run on beside a busy loop fight it for cache lines, the lock's and the callbacks' own, and a
// long backlog falls out of the cache; taking turns costs less than both. It is said whenever a batch has filled; in a
// long backlog only at every doubling, for yielding again and again to a loop that is stuck helps nobody.
func (q *inbox) behind() bool {
	full := len(q.full)
	return len(q.tail) == 1 && full > 0 && (full <= yieldBatches || full&(full-1) == 0)
}

func (q *inbox) len() int {
	n := len(q.tail)
	for _, b := range q.full {
		n += len(b)
	}
	return n
}

// A backlog is the loop's side of a lane: batches taken from the inbox. Only the owner touches it.
type backlog struct {
	cur   []func()   // the batch being run
	pos   int        // next in cur
	rest  [][]func() // batches after cur, from head on
	head  int
	spare [][]func() // emptied batches, for the inbox
}

// take moves everything from q, which is not empty, to the end of b. The ingress lock is held.
func (b *backlog) take(q *inbox) {
	if len(q.full) == 0 && b.empty() {
		// The common case: swap the two slices.
		b.cur, q.tail = q.tail, b.cur[:0]
		b.pos = 0
		return
	}
	b.rest = append(b.rest, q.full...)
	clear(q.full)
	q.full = q.full[:0]
	if cap(q.full) > batchLimit {
		q.full = nil
	}
	b.rest = append(b.rest, q.tail)
	q.tail = nil
	for len(b.spare) > 0 && len(q.spare) < spareLimit {
		n := len(b.spare) - 1
		q.spare = append(q.spare, b.spare[n])
		b.spare[n] = nil
		b.spare = b.spare[:n]
	}
}

// next makes cur the oldest batch that has callbacks left, and reports whether there is one.
func (b *backlog) next() bool {
	if b.pos < len(b.cur) {
		return true
	}
	if b.head == len(b.rest) {
		return false
	}
	if cap(b.cur) == batchLimit && len(b.spare) < spareLimit {
		b.spare = append(b.spare, b.cur[:0])
	}
	b.cur, b.pos = b.rest[b.head], 0
	b.rest[b.head] = nil
	b.head++
	if b.head == len(b.rest) {
		b.rest, b.head = b.rest[:0], 0
		if cap(b.rest) > batchLimit {
			b.rest = nil
		}
	}
	return true
}

// pop takes the next callback out of cur, and forgets it there so that what it captured can be collected.
func (b *backlog) pop() func() {
	fn := b.cur[b.pos]
	b.cur[b.pos] = nil
	b.pos++
	return fn
}

func (b *backlog) empty() bool { return b.pos == len(b.cur) && b.head == len(b.rest) }

func (b *backlog) len() int {
	n := len(b.cur) - b.pos
	for _, batch := range b.rest[b.head:] {
		n += len(batch)
	}
	return n
}
