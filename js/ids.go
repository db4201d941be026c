package js

import "maps"

// ids allocates numeric identifiers and maps them to their objects. They rise from 1 and are never used again: below
// 2⁵³, where a JavaScript number is exact, a million a second last for 285 years.
//
// Identifiers that follow each other stand in one chunk. A chunk is dropped when all its identifiers are removed. So
// a timer that is set and cleared soon touches only the chunk in use.
type ids[T comparable] struct {
	last   uint64
	adding *idChunk[T]            // that identifiers are being added to
	recent *idChunk[T]            // another that was looked at last, or nil
	chunks map[uint64]*idChunk[T] // all but adding, by number
	most   int                    // chunks that the map has had: Go's maps keep their size
	spare  *idChunk[T]
}

type idChunk[T comparable] struct {
	number uint64
	count  int
	items  [idsInChunk]T
}

const (
	idsInChunk = 32
	keptChunks = 64 // a map that has had no more keeps its size
)

func (d *ids[T]) add(item T) uint64 {
	d.last++
	c := d.adding
	if number := d.last / idsInChunk; c == nil || c.number != number {
		c = d.nextChunk()
		c.number = number
	}
	c.items[d.last%idsInChunk] = item
	c.count++
	return d.last
}

// nextChunk makes an empty chunk the one to add to.
func (d *ids[T]) nextChunk() *idChunk[T] {
	if c := d.adding; c != nil {
		if c.count == 0 {
			return c
		}
		if d.chunks == nil {
			d.chunks = make(map[uint64]*idChunk[T])
		}
		d.chunks[c.number] = c
		d.most = max(d.most, len(d.chunks))
	}
	if d.adding, d.spare = d.spare, nil; d.adding == nil {
		d.adding = new(idChunk[T])
	}
	return d.adding
}

// chunk finds the chunk of an identifier, or nil.
func (d *ids[T]) chunk(id uint64) *idChunk[T] {
	if c := d.adding; c != nil && c.number == id/idsInChunk {
		return c
	}
	return d.older(id / idsInChunk)
}

// older finds a chunk that is no longer added to, or nil.
func (d *ids[T]) older(number uint64) *idChunk[T] {
	if c := d.recent; c != nil && c.number == number {
		return c
	}
	c := d.chunks[number]
	if c != nil {
		d.recent = c
	}
	return c
}

func (d *ids[T]) get(id uint64) (item T, ok bool) {
	c := d.chunk(id)
	if c == nil {
		return item, false
	}
	var none T
	item = c.items[id%idsInChunk]
	return item, item != none
}

// remove forgets an identifier that is in use.
func (d *ids[T]) remove(id uint64) {
	var none T
	c := d.chunk(id)
	c.items[id%idsInChunk] = none
	if c.count--; c.count > 0 || c == d.adding {
		return
	}
	delete(d.chunks, c.number)
	d.recent, d.spare = nil, c
	if n := len(d.chunks); d.most > keptChunks && 8*n < d.most {
		kept := make(map[uint64]*idChunk[T], n)
		maps.Copy(kept, d.chunks)
		d.chunks, d.most = kept, n
	}
}
