package netpoll

// An entry is a registration.
type entry[T any] struct {
	callback   T
	generation uint32 // distinguishes registrations of one descriptor; 0 without one
	round      uint32 // of waiting, in which it was made
	events     Events // none while it is paused
	begun      bool   // it has waited for events
	reported   Events // in the pause
	ref        bool
}

// pageSize is how many descriptors share an allocation.
const pageSize = 128

type page[T any] struct {
	used    int
	entries [pageSize]entry[T]
}

// A table has the registrations by descriptor. Numbers of descriptors are small and dense, mostly; a page whose last
// registration goes is given back.
type table[T any] struct {
	pages []*page[T]
	n     int
}

// get returns the registration of a descriptor, or nil.
func (t *table[T]) get(fd int) *entry[T] {
	if i := fd / pageSize; fd >= 0 && i < len(t.pages) && t.pages[i] != nil {
		if e := &t.pages[i].entries[fd%pageSize]; e.generation != 0 {
			return e
		}
	}
	return nil
}

// put makes a registration for an unregistered descriptor.
func (t *table[T]) put(fd int, e entry[T]) {
	i := fd / pageSize
	for i >= len(t.pages) {
		t.pages = append(t.pages, nil)
	}
	if t.pages[i] == nil {
		t.pages[i] = new(page[T])
	}
	t.pages[i].used++
	t.pages[i].entries[fd%pageSize] = e
	t.n++
}

// remove ends the registration that a descriptor has.
func (t *table[T]) remove(fd int) {
	p := t.pages[fd/pageSize]
	p.entries[fd%pageSize] = entry[T]{}
	t.n--
	if p.used--; p.used == 0 {
		t.pages[fd/pageSize] = nil
	}
	if t.n == 0 {
		t.pages = nil
	}
}

// all yields the registrations.
func (t *table[T]) all(yield func(fd int, e *entry[T]) bool) {
	for i, p := range t.pages {
		if p == nil {
			continue
		}
		for j := range p.entries {
			if p.entries[j].generation != 0 && !yield(i*pageSize+j, &p.entries[j]) {
				return
			}
		}
	}
}
