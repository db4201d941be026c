//go:build explore

package timers

// Account is what the entries of a store come to, for a judge that compares it with what the store has counted.
type Account struct {
	Live  int // entries that count
	Stale int // entries that do not
	Refs  int // those that count and have a reference
}

// Account looks at every entry. Nobody else uses the store meanwhile.
func (s *Store) Account() (a Account) {
	look := func(e *Entry) {
		switch w := e.Timer.word.Load(); {
		case !e.counts(w):
			a.Stale++
		case w&unref == 0:
			a.Refs++
			fallthrough
		default:
			a.Live++
		}
	}
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
	return a
}

// StaleCount is how many stale entries the store has counted.
func (s *Store) StaleCount() int { return int(s.stale.Load()) }
