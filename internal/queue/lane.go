package queue

// BatchSize is the length of one batch: how many tasks the loop runs before it looks at timers and the priority
// lane again. 1,024 func values are 8 KB, a size the allocator serves in one piece.
const BatchSize = 1024

// yieldBatches is how long, in batches, a backlog is before it counts as long.
const yieldBatches = 16

// SpareBatches is how many emptied batches each side of a lane keeps for reuse. What a burst needed beyond that goes
// back to the garbage collector.
const SpareBatches = 8

// An Inbox is the shared side of a lane: callbacks accepted but not yet taken by the loop. The ingress lock guards it.
//
// It grows in whole batches instead of one slice, so that ten million queued tasks cost as much each as ten.
type Inbox struct {
	tail  []func()   // being filled
	full  [][]func() // filled before tail, oldest first
	spare [][]func() // emptied batches that the loop handed back
}

// Push adds a callback.
func (q *Inbox) Push(fn func()) {
	if len(q.tail) == cap(q.tail) {
		q.grow()
	}
	q.tail = append(q.tail, fn)
}

func (q *Inbox) grow() {
	switch c := cap(q.tail); {
	case c == 0:
		q.tail = make([]func(), 0, 16)
	case c < BatchSize:
		wider := make([]func(), len(q.tail), min(4*c, BatchSize))
		copy(wider, q.tail)
		q.tail = wider
	default:
		q.full = append(q.full, q.tail)
		if n := len(q.spare); n > 0 {
			q.tail, q.spare[n-1] = q.spare[n-1], nil
			q.spare = q.spare[:n-1]
		} else {
			q.tail = make([]func(), 0, BatchSize)
		}
	}
}

// Behind reports, just after a push, that the loop is so far behind that the producer had better let it have a
// processor. Producers that run on beside a busy loop fight it for cache lines, the lock's and the callbacks' own, and a
// long backlog falls out of the cache; taking turns costs less than both. It is said whenever a batch has filled; in a
// long backlog only at every doubling, for yielding again and again to a loop that is stuck helps nobody.
func (q *Inbox) Behind() bool {
	full := len(q.full)
	return len(q.tail) == 1 && full > 0 && (full <= yieldBatches || full&(full-1) == 0)
}

// Newest returns the number of callbacks in the batch that is being filled. It is 0 only if the inbox is empty.
func (q *Inbox) Newest() int { return len(q.tail) }

// Full returns the number of batches before that.
func (q *Inbox) Full() int { return len(q.full) }

// Cap returns the number of words that the inbox holds on to.
func (q *Inbox) Cap() int {
	return cap(q.tail) + cap(q.full) + (len(q.full)+len(q.spare))*BatchSize
}

// Len returns the number of callbacks.
func (q *Inbox) Len() int {
	n := len(q.tail)
	for _, b := range q.full {
		n += len(b)
	}
	return n
}

// A Backlog is the loop's side of a lane: batches taken from the inbox. Only the owner touches it.
type Backlog struct {
	cur   []func()   // the batch being run
	pos   int        // next in cur
	rest  [][]func() // batches after cur, from head on
	head  int
	spare [][]func() // emptied batches, for the inbox
}

// Take moves everything from q, which is not empty, to the end of b. The ingress lock is held.
func (b *Backlog) Take(q *Inbox) {
	if len(q.full) == 0 && b.Empty() {
		// The common case: swap the two slices.
		b.cur, q.tail = q.tail, b.cur[:0]
		b.pos = 0
		return
	}
	b.rest = append(b.rest, q.full...)
	clear(q.full)
	q.full = q.full[:0]
	if cap(q.full) > BatchSize {
		q.full = nil
	}
	b.rest = append(b.rest, q.tail)
	q.tail = nil
	for len(b.spare) > 0 && len(q.spare) < SpareBatches {
		n := len(b.spare) - 1
		q.spare = append(q.spare, b.spare[n])
		b.spare[n] = nil
		b.spare = b.spare[:n]
	}
}

// Ready returns the number of callbacks left in the batch being run.
func (b *Backlog) Ready() int { return len(b.cur) - b.pos }

// Next goes on to the oldest batch that has callbacks left, and reports whether there is one.
func (b *Backlog) Next() bool {
	if b.Ready() > 0 {
		return true
	}
	if b.head == len(b.rest) {
		return false
	}
	if cap(b.cur) == BatchSize && len(b.spare) < SpareBatches {
		b.spare = append(b.spare, b.cur[:0])
	}
	b.cur, b.pos = b.rest[b.head], 0
	b.rest[b.head] = nil
	b.head++
	if b.head == len(b.rest) {
		b.rest, b.head = b.rest[:0], 0
		if cap(b.rest) > BatchSize {
			b.rest = nil
		}
	}
	return true
}

// Pop takes the next callback out of the batch being run, in which one must be ready, and forgets it there so that what it captured can be collected.
func (b *Backlog) Pop() func() {
	fn := b.cur[b.pos]
	b.cur[b.pos] = nil
	b.pos++
	return fn
}

// Empty reports whether there is none.
func (b *Backlog) Empty() bool { return b.Ready() == 0 && b.head == len(b.rest) }

// Len returns the number of callbacks.
func (b *Backlog) Len() int {
	n := b.Ready()
	for _, batch := range b.rest[b.head:] {
		n += len(batch)
	}
	return n
}

// Cap returns the number of words that the backlog holds on to.
func (b *Backlog) Cap() int {
	return cap(b.cur) + cap(b.rest) + (len(b.rest)+len(b.spare))*BatchSize
}
