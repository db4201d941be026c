package timers

// Giving memory back.

// compact drops the stale entries once they dominate. The amortised cost for each cancelled timer is a few
// nanoseconds. The memory stays within a constant factor of the live entries.
func (s *Store) compact() {
	if stale := int(s.stale.Load()); stale >= staleLeast && stale > s.queue.Len()/2 {
		s.sweep()
		s.queue.Trim()
	}
}

func (s *Store) sweep() {
	before := s.queue.Len()
	s.queue.Filter(func(e *Entry) bool {
		w := e.Timer.word.Load()
		if e.counts(w) {
			return true
		}
		if len(s.dropped) < reuse && e.reusable(w) {
			s.dropped = append(s.dropped, e.Timer)
		}
		return false
	})
	s.stale.Add(int32(s.queue.Len() - before))
}

// Trim gives back the memory that a burst has left.
func (s *Store) Trim() {
	s.compact()
	s.queue.Trim()
	s.sweepAt = max(2*s.queue.Len(), staleLeast)
	if cap(s.ran) > keep {
		s.ran = nil
	}
}

// Clear drops everything, and returns the number of timers that were armed. No goroutine schedules or re-arms any
// more.
func (s *Store) Clear() int {
	n := 0
	count := func(e *Entry) bool {
		if e.live() {
			n++
		}
		return false
	}
	s.queue.Filter(count)
	filter(s.aside, count)
	for i := range s.ran {
		count(&s.ran[i].Entry)
	}
	for _, l := range []*list{&s.taken, &s.arrivals.list} {
		for c := l.head; c != nil; c = c.next {
			filter(c.e[:c.n], count)
		}
	}
	s.queue, s.taken, s.returned = Queue{}, list{}, pool{}
	s.arrivals.list, s.arrivals.spare, s.arrivals.free = list{}, pool{}, nil
	s.dropped, s.own, s.aside, s.ran = nil, nil, nil, nil
	return n
}

// Slots returns how many entries the memory of the store has room for. No other goroutine uses it meanwhile.
func (s *Store) Slots() int {
	n := s.queue.Slots() + cap(s.aside) + cap(s.ran) + (s.returned.n+s.arrivals.spare.n)*chunkSize
	for _, l := range []*list{&s.taken, &s.arrivals.list} {
		for c := l.head; c != nil; c = c.next {
			n += chunkSize
		}
	}
	return n
}
