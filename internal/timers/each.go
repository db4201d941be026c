package timers

// An Armed describes an armed timer for [Store.Each].
type Armed struct {
	When, Delay int64
	Ref         bool
	Site        uint32
}

// Each calls visit for each timer that is armed, in no order. The owner calls it, with the lock held.
func (s *Store) Each(visit func(Armed)) {
	s.entries(func(e *Entry) {
		t := e.Timer
		if w := t.word.Load(); e.counts(w) {
			visit(Armed{e.When, t.delay, w&unref == 0, t.Site})
		}
	})
}

// entries looks at every entry.
func (s *Store) entries(look func(*Entry)) {
	all := func(entries []Entry) {
		for i := range entries {
			look(&entries[i])
		}
	}
	chunks := func(l *list) {
		for c := l.head; c != nil; c = c.next {
			all(c.e[:c.n])
		}
	}
	all(s.queue.heap)
	all(s.queue.run[s.queue.at:])
	for _, l := range s.queue.levels {
		for i := 0; l != nil && i < len(l.buckets); i++ {
			chunks(&l.buckets[i].list)
		}
	}
	all(s.aside)
	for i := range s.ran {
		look(&s.ran[i].Entry)
	}
	chunks(&s.taken)
	chunks(&s.arrivals.list)
}
