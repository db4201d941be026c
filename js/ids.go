package js

// ids gives out numeric identifiers that fit a JavaScript number: the place in a table, with a generation above it
// so that an identifier that is used up means nothing. A table needs no hashing and no memory for each new entry.
type ids[T comparable] struct {
	slots []idSlot[T]
	free  []uint32
}

type idSlot[T comparable] struct {
	gen  uint32
	item T
}

const idGenerations = 1 << 20 // the table's 2³² places times this stay below 2⁵³

func (d *ids[T]) add(item T) uint64 {
	var i uint32
	if n := len(d.free); n > 0 {
		i, d.free = d.free[n-1], d.free[:n-1]
	} else {
		i = uint32(len(d.slots))
		d.slots = append(d.slots, idSlot[T]{})
	}
	d.slots[i].item = item
	return uint64(d.slots[i].gen)<<32 | uint64(i+1)
}

func (d *ids[T]) get(id uint64) (item T, ok bool) {
	i := int64(uint32(id)) - 1
	if i < 0 || i >= int64(len(d.slots)) || uint64(d.slots[i].gen) != id>>32 {
		return item, false
	}
	var none T
	item = d.slots[i].item
	return item, item != none
}

// remove forgets an identifier. When the last is gone, a table that a burst has made long goes too.
func (d *ids[T]) remove(id uint64) {
	var none T
	i := uint32(id) - 1
	s := &d.slots[i]
	s.item, s.gen = none, (s.gen+1)%idGenerations
	d.free = append(d.free, i)
}
