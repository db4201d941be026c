package queue

// A lane is a queue of callbacks in two parts: an Inbox, which producers fill under the ingress lock, and a Backlog,
// from which the owner runs. The owner takes over all that the inbox has in one step of constant length.

// BatchSize is the length of one batch: the number of tasks that the loop runs before it looks at timers and the
// priority lane again. 1,024 func values are 8 KB, a size the allocator serves in one piece.
const BatchSize = 1024

// yieldBatches is how long, in batches, a backlog is before it counts as long.
const yieldBatches = 16

// SpareBatches is how many emptied batches each side of a lane keeps for reuse. The rest of a burst's memory goes
// back to the garbage collector.
const SpareBatches = 8

// A batch is a piece of a lane that is not at its end.
type batch struct {
	fns  []func()
	next *batch
}

// batches is a list of them, oldest first.
type batches struct {
	first, last *batch
	n           int
}

func (l *batches) push(b *batch) {
	if l.first == nil {
		l.first = b
	} else {
		l.last.next = b
	}
	l.last = b
	l.n++
}

func (l *batches) pop() *batch {
	b := l.first
	l.first, b.next = b.next, nil
	if l.first == nil {
		l.last = nil
	}
	l.n--
	return b
}

// join moves all of m to the end of l.
func (l *batches) join(m *batches) {
	switch {
	case m.first == nil:
		return
	case l.first == nil:
		l.first = m.first
	default:
		l.last.next = m.first
	}
	l.last = m.last
	l.n += m.n
	*m = batches{}
}

func (l *batches) callbacks() (n int) {
	for b := l.first; b != nil; b = b.next {
		n += len(b.fns)
	}
	return n
}

func (l *batches) words() (n int) {
	for b := l.first; b != nil; b = b.next {
		n += cap(b.fns)
	}
	return n
}

// An Inbox is the shared side of a lane: callbacks accepted but not yet taken by the loop. The ingress lock guards it.
//
// It grows in whole batches instead of one slice, so that ten million queued tasks cost as much each as ten.
type Inbox struct {
	tail  []func() // being filled
	full  batches  // filled before tail
	spare batches  // emptied ones that the loop handed back
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
		b := q.empty()
		q.tail, b.fns = b.fns, q.tail
		q.full.push(b)
	}
}

// empty returns an empty batch.
func (q *Inbox) empty() *batch {
	if q.spare.n > 0 {
		return q.spare.pop()
	}
	return &batch{fns: make([]func(), 0, BatchSize)}
}

// Behind reports, just after a push, that the loop is so far behind that the producer should yield a processor to it.
// Producers that run on beside a busy loop fight it for cache lines, the lock's and the callbacks' own. A long
// backlog also falls out of the cache. Taking turns costs less than both. Behind reports true whenever a batch has
// filled. In a long backlog it does so only at every doubling, because repeated yields do not help a loop that is
// stuck.
func (q *Inbox) Behind() bool {
	return len(q.tail) == 1 && q.full.n > 0 && (q.full.n <= yieldBatches || q.full.n&(q.full.n-1) == 0)
}

// Cap returns the number of words that the inbox holds on to.
func (q *Inbox) Cap() int { return cap(q.tail) + q.full.words() + q.spare.words() }

// Len returns the number of callbacks.
func (q *Inbox) Len() int { return len(q.tail) + q.full.callbacks() }

// Size is Len in constant time: batches before the newest are full.
func (q *Inbox) Size() int { return len(q.tail) + q.full.n*BatchSize }

// A Backlog is the loop's side of a lane: batches taken from the inbox. Only the owner touches it.
type Backlog struct {
	cur   []func() // the batch being run
	pos   int      // next in cur
	rest  batches  // after cur
	spare batches  // emptied ones, for the inbox
}

// Take moves everything from q, which is not empty, to the end of b. The ingress lock is held.
func (b *Backlog) Take(q *Inbox) {
	if q.full.n|b.rest.n|(len(b.cur)-b.pos) != 0 {
		b.takeBehind(q)
		return
	}
	b.cur, q.tail, b.pos = q.tail, b.cur[:0], 0 // the common case
}

// takeBehind is Take for a backlog that is not empty, or an inbox of more than one batch.
func (b *Backlog) takeBehind(q *Inbox) {
	for b.spare.n > 0 && q.spare.n < SpareBatches {
		q.spare.push(b.spare.pop())
	}
	b.rest.join(&q.full)
	if last := b.rest.last; last != nil && cap(last.fns)-len(last.fns) >= len(q.tail) {
		last.fns = append(last.fns, q.tail...) // a few at a time do not take a batch each
		clear(q.tail)
		q.tail = q.tail[:0]
		return
	}
	e := q.empty()
	q.tail, e.fns = e.fns, q.tail
	b.rest.push(e)
}

// Put adds one callback to b, which is empty.
func (b *Backlog) Put(fn func()) { b.cur, b.pos = append(b.cur[:0], fn), 0 }

// Ready returns the number of callbacks left in the batch being run.
func (b *Backlog) Ready() int { return len(b.cur) - b.pos }

// Next goes on to the oldest batch that has callbacks left, and reports whether there is one.
func (b *Backlog) Next() bool { return b.pos < len(b.cur) || b.rest.first != nil && b.advance() }

func (b *Backlog) advance() bool {
	next := b.rest.pop()
	b.cur, next.fns = next.fns, b.cur[:0]
	b.pos = 0
	if cap(next.fns) == BatchSize && b.spare.n < SpareBatches {
		b.spare.push(next)
	}
	return true
}

// Pop takes the next callback out of the batch being run, which must not be empty. It clears the slot so that the
// callback's captured values can be collected.
func (b *Backlog) Pop() func() {
	fn := b.cur[b.pos]
	b.cur[b.pos] = nil
	b.pos++
	return fn
}

// Empty reports whether the backlog is empty.
func (b *Backlog) Empty() bool { return b.pos == len(b.cur) && b.rest.first == nil }

// Len returns the number of callbacks.
func (b *Backlog) Len() int { return b.Ready() + b.rest.callbacks() }

// Size returns about how many there are, and not fewer, in constant time: it counts batches as full.
func (b *Backlog) Size() int { return b.Ready() + b.rest.n*BatchSize }

// Cap returns the number of words that the backlog holds on to.
func (b *Backlog) Cap() int { return cap(b.cur) + b.rest.words() + b.spare.words() }
