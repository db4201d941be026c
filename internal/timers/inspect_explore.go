//go:build explore

package timers

// Account sums up the entries of a store. A judge compares it with the store's own counts.
type Account struct {
	Live  int // entries that count
	Stale int // entries that do not
	Refs  int // those that count and have a reference
}

// Account visits every entry. No other goroutine uses the store meanwhile.
func (s *Store) Account() (a Account) {
	s.entries(func(e *Entry) {
		switch w := e.Timer.word.Load(); {
		case !e.counts(w):
			a.Stale++
		case w&unref == 0:
			a.Refs++
			fallthrough
		default:
			a.Live++
		}
	})
	return a
}

// StaleCount is how many stale entries the store has counted.
func (s *Store) StaleCount() int { return int(s.stale.Load()) }
