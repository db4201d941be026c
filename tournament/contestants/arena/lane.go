package arena

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A lane is a ring of slots that many goroutines fill and one empties, with an overflow list.
//
// Order. While the list is in use, every producer adds to it: a producer with a task there must not overtake itself
// through the ring. The loop turns to the list when it sees, under the list's lock, that the ring is empty. So all
// tasks that a producer put into the ring before it came to the list have run by then.
type lane struct {
	tail atomic.Uint64 // the next slot to be claimed, and the bit closedBit
	_    [56]byte

	head atomic.Uint64 // slots before it are free again; the loop writes it now and then
	_    [56]byte

	slots []slot // a power of two

	spilled  atomic.Bool // the list is in use
	mu       sync.Mutex  // guards the list, and closing
	overflow []func()

	// Below is the loop's.
	_     [64]byte
	next  uint64   // the slot to be emptied next
	known uint64   // tail when the loop last looked
	taken []func() // the list that is being run
	pos   int
}

// A slot holds a task when turn is its position plus one. Positions differ by the size of the ring, so the lower half
// distinguishes them.
type slot struct {
	task func()
	turn atomic.Uint32
}

// closedBit in tail says that nothing more is accepted. Being in the word that producers swap, it leaves no time
// between looking and claiming.
const closedBit = 1 << 63

// headEvery is how many slots the loop empties before it informs producers.
const headEvery = 64

// push adds a task and reports whether it was accepted.
func (q *lane) push(task func()) bool {
	for {
		if q.spilled.Load() {
			if accepted, retry := q.spill(task); !retry {
				return accepted
			}
			continue
		}
		tail := q.tail.Load()
		if tail&closedBit != 0 {
			return false
		}
		if q.full(tail) {
			if accepted, retry := q.spill(task); !retry {
				return accepted
			}
			continue
		}
		if q.tail.CompareAndSwap(tail, tail+1) {
			s := &q.slots[tail&uint64(len(q.slots)-1)]
			s.task = task
			s.turn.Store(uint32(tail + 1))
			return true
		}
	}
}

// full reports whether all slots before tail are in use. The head that it reads may be newer than tail.
func (q *lane) full(tail uint64) bool { return int64(tail-q.head.Load()) >= int64(len(q.slots)) }

// spill adds a task to the list, or says that there is room in the ring again. The loop is far behind, so it lets it
// have the processor: a producer that runs on only makes the list longer.
func (q *lane) spill(task func()) (accepted, retry bool) {
	defer runtime.Gosched()
	q.mu.Lock()
	defer q.mu.Unlock()
	tail := q.tail.Load()
	if tail&closedBit != 0 {
		return false, false
	}
	if !q.spilled.Load() && !q.full(tail) {
		return false, true
	}
	q.overflow = append(q.overflow, task)
	q.spilled.Store(true)
	return true, false
}

// pop takes the next task, or nil. Only the loop calls it.
func (q *lane) pop() func() {
	if q.pos < len(q.taken) {
		task := q.taken[q.pos]
		q.taken[q.pos] = nil
		q.pos++
		return task
	}
	if q.next == q.known && !q.look() {
		return nil
	}
	if q.pos < len(q.taken) { // look has taken the list
		return q.pop()
	}
	s := &q.slots[q.next&uint64(len(q.slots)-1)]
	for s.turn.Load() != uint32(q.next+1) {
		runtime.Gosched() // claimed and not yet filled: a matter of two stores
	}
	task := s.task
	s.task = nil
	q.next++
	if q.next%headEvery == 0 {
		q.head.Store(q.next)
	}
	return task
}

// look finds out whether there is more, in the ring or, if that is empty, in the list, which it takes.
func (q *lane) look() bool {
	if q.known = q.tail.Load() &^ closedBit; q.next != q.known {
		return true
	}
	if q.head.Load() != q.next {
		q.head.Store(q.next)
	}
	if !q.spilled.Load() {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.known = q.tail.Load() &^ closedBit; q.next == q.known {
		q.taken, q.overflow, q.pos = q.overflow, nil, 0
		q.spilled.Store(false)
	}
	return true
}

// empty reports whether nothing is there. Only the loop calls it.
func (q *lane) empty() bool {
	return q.pos == len(q.taken) && q.next == q.tail.Load()&^closedBit && !q.spilled.Load()
}

func (q *lane) closed() bool { return q.tail.Load()&closedBit != 0 }

// close makes the lane refuse tasks, and reports whether it had not been closed before.
func (q *lane) close() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.tail.Or(closedBit)&closedBit == 0
}

// closeIfEmpty closes the lane in the operation that sees it empty. Only the loop calls it.
func (q *lane) closeIfEmpty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed() {
		return q.empty()
	}
	return q.empty() && q.tail.CompareAndSwap(q.next, q.next|closedBit)
}
