package js

import "math/bits"

// ids gives out numeric identifiers and finds what they stand for. They rise from 1 and are never used again: below
// 2⁵³, where a JavaScript number is exact, a million a second last for 285 years.
//
// It is a hash table with open addressing and linear probing. Go's map would do, but takes longer, and keeps the memory
// of a burst.
type ids[T comparable] struct {
	last  uint64
	count int
	slots []idSlot[T] // a power of two; at most half of them are taken
}

type idSlot[T comparable] struct {
	id   uint64 // 0 if the slot is free
	item T
}

const (
	fewestIDs = 16   // slots of a table that is in use
	keptIDs   = 2048 // slots that a table keeps, so that bursts of a thousand do not make it anew each time
)

func (d *ids[T]) add(item T) uint64 {
	if 2*(d.count+1) > len(d.slots) {
		d.resize(max(fewestIDs, 2*len(d.slots)))
	}
	d.last++
	d.count++
	d.slots[d.find(d.last)] = idSlot[T]{d.last, item}
	return d.last
}

func (d *ids[T]) get(id uint64) (item T, ok bool) {
	if id == 0 || d.count == 0 {
		return item, false
	}
	s := &d.slots[d.find(id)]
	return s.item, s.id == id
}

// remove forgets an identifier. A large table shrinks when it is nearly empty.
func (d *ids[T]) remove(id uint64) {
	if _, ok := d.get(id); !ok {
		return
	}
	d.count--
	hole := d.find(id)
	last := len(d.slots) - 1
	// What stands behind without a gap may have been put there because the hole was taken.
	for i := (hole + 1) & last; d.slots[i].id != 0; i = (i + 1) & last {
		if (i-d.home(d.slots[i].id))&last >= (i-hole)&last {
			d.slots[hole] = d.slots[i]
			hole = i
		}
	}
	d.slots[hole] = idSlot[T]{}
	if n := len(d.slots); n > keptIDs && 8*d.count < n {
		d.resize(n / 4)
	}
}

// find returns the slot of an identifier, or the one to put it in.
func (d *ids[T]) find(id uint64) int {
	last := len(d.slots) - 1
	i := d.home(id)
	for d.slots[i].id != id && d.slots[i].id != 0 {
		i = (i + 1) & last
	}
	return i
}

// home is where an identifier stands if the slot is free: Fibonacci hashing, which spreads numbers that follow each
// other evenly.
func (d *ids[T]) home(id uint64) int {
	const golden = 0x9E3779B97F4A7C15 // 2⁶⁴ divided by the golden ratio
	return int(id * golden >> (64 - bits.Len(uint(len(d.slots)-1))))
}

func (d *ids[T]) resize(n int) {
	old := d.slots
	d.slots = make([]idSlot[T], n)
	for _, s := range old {
		if s.id != 0 {
			d.slots[d.find(s.id)] = s
		}
	}
}
