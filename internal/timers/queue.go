package timers

import (
	"cmp"
	"math/bits"
	"slices"
)

// A Queue orders entries by deadline, then by the order in which they were pushed. The zero value is ready for use.
//
// It is a radix heap whose first part is ordered. Entries up to the time upTo are near. They are in a sorted run, or,
// if they came after the run was made, in a heap. All other entries are in buckets. The level of a bucket is the
// highest digit, of six bits, in which the deadline differs from upTo; the value of that digit selects the bucket. So
// the buckets follow each other in time, levels first, and no bucket is examined before its time comes. When the near
// part is empty and the first bucket is small, that becomes the run; otherwise it is spread over the levels below.
// Thus an entry is moved a few times, always from one sequence to others. A large heap would chase it through the
// cache.
//
// Few entries are all near: there are buckets only when the heap has grown to nearLimit.
type Queue struct {
	run   []Entry
	at    int // the first entry of the run that is left
	heap  heap
	limit int   // the heap is spilled at this length, if it is longer than nearLimit
	upTo  int64 // while there are buckets
	shift uint  // upTo is the last of 2^shift times that begin at a multiple of that

	far    int    // entries in buckets
	used   uint16 // levels that are not empty, as bits
	levels [levels]*level
	pool   pool
	floor  int64 // the latest time that First was asked for
	seq    uint32
}

type level struct {
	used    uint64 // buckets that are not empty, as bits
	buckets [1 << digitBits]bucket
}

type bucket struct {
	list
	min int64 // no deadline in it is earlier
}

const (
	digitBits = 6
	levels    = (63 + digitBits - 1) / digitBits

	nearLimit = 2048 // a heap of this length stays in the cache
	runChunks = 6    // a bucket of this many chunks is sorted, a larger one is spread
	lookahead = 16
	keep      = 4096 // longest slice of entries that is kept when it has emptied
)

// Len returns the number of entries.
func (q *Queue) Len() int { return len(q.run) - q.at + len(q.heap) + q.far }

// Push adds an entry behind all that have its deadline.
func (q *Queue) Push(e Entry) {
	q.seq++
	e.Seq = q.seq
	if len(q.heap) >= max(q.limit, nearLimit) && (q.far == 0 || e.When <= q.upTo) {
		q.spill()
	}
	if q.far > 0 && e.When > q.upTo {
		q.put(e)
	} else {
		q.heap.push(e)
	}
}

// put adds an entry to its bucket.
func (q *Queue) put(e Entry) {
	i := uint(bits.Len64(uint64(e.When^q.upTo))-1) / digitBits
	digit := uint(e.When>>(i*digitBits)) % (1 << digitBits)
	l := q.levels[i]
	if l == nil {
		l = new(level)
		q.levels[i] = l
	}
	b := &l.buckets[digit]
	if b.full() {
		if b.tail == nil {
			b.min = e.When
			l.used |= 1 << digit
			q.used |= 1 << i
		}
		b.append(q.pool.get())
	}
	b.min = min(b.min, e.When)
	b.push(e)
	q.far++
}

// First returns the first entry if its deadline is at or before the time by, and else nil. It is valid until the queue
// changes.
func (q *Queue) First(by int64) *Entry {
	q.floor = max(q.floor, by)
	for {
		e := q.near()
		switch {
		case e != nil && e.When <= by:
			return e
		case e != nil || !q.refill(by):
			return nil
		}
	}
}

// near returns the first entry that is near.
func (q *Queue) near() *Entry {
	switch {
	case q.at < len(q.run) && (len(q.heap) == 0 || q.run[q.at].before(&q.heap[0])):
		return &q.run[q.at]
	case len(q.heap) > 0:
		return &q.heap[0]
	default:
		return nil
	}
}

// Pop removes the entry that First returned. Now and then it reads the states of the next few timers of the run
// together: the processor waits for them at the same time, instead of one after the other.
func (q *Queue) Pop() {
	if q.at == len(q.run) || len(q.heap) > 0 && q.heap[0].before(&q.run[q.at]) {
		q.heap.pop()
		return
	}
	q.run[q.at].Timer = nil
	q.at++
	if q.at%lookahead == 0 {
		touch(q.run[q.at:min(q.at+lookahead, len(q.run))])
	}
}

func touch(entries []Entry) {
	for i := range entries {
		entries[i].Timer.word.Load()
	}
}

// Next returns a time before which no entry is due. It is the deadline of the first entry or, if that is in a bucket,
// the earliest deadline that the bucket has ever held.
func (q *Queue) Next() int64 {
	if e := q.near(); e != nil {
		return e.When
	}
	if q.far == 0 {
		return Never
	}
	b, _, _ := q.firstBucket()
	return b.min
}

// firstBucket returns the first bucket that is not empty, and its place.
func (q *Queue) firstBucket() (b *bucket, i, digit int) {
	i = bits.TrailingZeros16(q.used)
	l := q.levels[i]
	digit = bits.TrailingZeros64(l.used)
	return &l.buckets[digit], i, digit
}

// empty takes the entries of a bucket out of the queue.
func (q *Queue) empty(b *bucket, i, digit int) list {
	entries := b.list
	*b = bucket{}
	if q.levels[i].used &^= 1 << digit; q.levels[i].used == 0 {
		q.used &^= 1 << i
	}
	return entries
}

// refill takes the first bucket apart, if it may have entries that are due at the time by. Nothing is near.
func (q *Queue) refill(by int64) bool {
	if q.far == 0 {
		return false
	}
	b, i, digit := q.firstBucket()
	if b.min > by {
		return false
	}
	entries := q.empty(b, i, digit)
	q.limit = 0
	shift := uint(i) * digitBits
	start := q.upTo>>(shift+digitBits)<<(shift+digitBits) | int64(digit)<<shift
	if i == 0 || small(&entries) {
		q.upTo, q.shift = start|(1<<shift-1), shift
		q.sort(entries)
		return true
	}
	q.upTo, q.shift = start, 0
	for entries.head != nil {
		c := entries.shift()
		q.far -= c.n
		for _, e := range c.e[:c.n] {
			if e.When > start {
				q.put(e)
			} else {
				q.heap.push(e)
			}
		}
		q.pool.put(c)
	}
	return true
}

func small(l *list) bool {
	n := 0
	for c := l.head; c != nil; c = c.next {
		if n++; n > runChunks {
			return false
		}
	}
	return true
}

// sort makes the run of the entries of a bucket.
func (q *Queue) sort(entries list) {
	q.run, q.at = q.run[:0], 0
	for entries.head != nil {
		c := entries.shift()
		q.run = append(q.run, c.e[:c.n]...)
		q.pool.put(c)
	}
	q.far -= len(q.run)
	slices.SortFunc(q.run, func(a, b Entry) int {
		if a.When != b.When {
			return cmp.Compare(a.When, b.When)
		}
		return int(int32(a.Seq - b.Seq))
	})
	touch(q.run[:min(lookahead, len(q.run))])
}

// spill moves the latest entries of the near part, whose heap has become long, to buckets.
func (q *Queue) spill() {
	near := append(q.heap, q.run[q.at:]...)
	q.heap, q.run, q.at = nil, nil, 0
	shift, start := uint(levels*digitBits), int64(0)
	if q.far > 0 {
		shift, start = q.shift, q.upTo>>q.shift<<q.shift
	}
	from := max(q.floor, start)
	upTo, stay := int64(Never), len(near)
	if q.far > 0 {
		upTo = q.upTo
	}
	for shift > 0 && stay > nearLimit/2 && from < upTo {
		shift -= digitBits
		upTo = from | (1<<shift - 1)
		stay = 0
		for i := range near {
			if near[i].When <= upTo {
				stay++
			}
		}
	}
	if stay < len(near) {
		q.upTo, q.shift = upTo, shift
		q.heap = make(heap, 0, max(stay, nearLimit))
		for _, e := range near {
			if e.When > upTo {
				q.put(e)
			} else {
				q.heap = append(q.heap, e)
			}
		}
	} else {
		q.heap = near
	}
	q.heap.init()
	q.limit = 2 * len(q.heap)
}

// Filter drops the entries that keep does not want.
func (q *Queue) Filter(keep func(*Entry) bool) {
	q.heap = filter(q.heap, keep)
	q.heap.init()
	q.run, q.at = filter(q.run[q.at:], keep), 0
	for i, l := range q.levels {
		if q.used>>i&1 == 0 {
			continue
		}
		for used := l.used; used != 0; used &= used - 1 {
			digit := bits.TrailingZeros64(used)
			b := &l.buckets[digit]
			entries := q.empty(b, i, digit)
			var kept list
			least := int64(Never)
			for entries.head != nil {
				c := entries.shift()
				q.far -= c.n
				for j := range c.n {
					e := &c.e[j]
					if !keep(e) {
						continue
					}
					least = min(least, e.When)
					if kept.full() {
						kept.append(q.pool.get())
					}
					kept.push(*e)
					q.far++
				}
				q.pool.put(c)
			}
			if kept.head != nil {
				*b = bucket{kept, least}
				l.used |= 1 << digit
				q.used |= 1 << i
			}
		}
	}
}

func filter(entries []Entry, keep func(*Entry) bool) []Entry {
	kept := entries[:0]
	for i := range entries {
		if keep(&entries[i]) {
			kept = append(kept, entries[i])
		}
	}
	clear(entries[len(kept):])
	return kept
}

// Trim gives the memory back of which most is not used any more.
func (q *Queue) Trim() {
	q.heap = shrink(q.heap)
	if q.at == len(q.run) {
		q.run, q.at = shrink(q.run[:0]), 0
	}
	if q.far == 0 {
		q.levels = [levels]*level{}
		q.pool = pool{}
	}
}

func shrink(entries []Entry) []Entry {
	switch n := len(entries); {
	case cap(entries) <= keep || n >= cap(entries)/4:
		return entries
	case n == 0:
		return nil
	default:
		return append(make([]Entry, 0, n+n/4+1), entries...)
	}
}

// Slots returns how many entries the memory of the queue has room for.
func (q *Queue) Slots() int {
	n := cap(q.heap) + cap(q.run) + q.pool.n*chunkSize
	for _, l := range q.levels {
		if l == nil {
			continue
		}
		for i := range l.buckets {
			for c := l.buckets[i].head; c != nil; c = c.next {
				n += chunkSize
			}
		}
	}
	return n
}
