package explore

// loaded is a machine whose processors are busy with other work. A goroutine that becomes ready may go on at once, as one does to
// which a wake-up hands the processor. Or it waits for the time slices of others, while those that run do a thousand operations.
// Where all that could go on wait, the clock does.
type loaded struct {
	random
	until map[*g]int // for a ready goroutine, the operation before which it does not go on
	slept int64      // nanoseconds that the clock is to be moved by
	quick bool       // a yield does not wait: the others are on busy processors, this one's is not
}

const (
	loadedOperations = 1000       // in a time slice, at most
	loadedSlice      = 10_000_000 // nanoseconds
)

func newLoaded(l lapse, every int) *loaded {
	return &loaded{random: random{l, every}, until: make(map[*g]int), quick: l.rng.Intn(2) == 0}
}

func (s *loaded) next(r *run, from *g, can, yield bool) *g {
	if can && !yield && s.rng.Intn(s.every) != 0 {
		return from
	}
	ready := r.enabled(from)
	if can {
		ready = append(ready, from)
	}
	if len(ready) == 0 {
		return nil
	}
	first, now := ready[0], 0
	for i, g := range ready {
		until, waits := s.until[g]
		if !waits {
			if s.rng.Intn(2) == 0 && !(g == from && s.quick) {
				until = r.steps + 1 + s.rng.Intn(loadedOperations)
			}
			s.until[g] = until
		}
		if until <= r.steps { // to the front: one of these goes on
			ready[i], ready[now] = ready[now], g
			now++
		} else if until < s.until[first] {
			first = g
		}
	}
	if now > 0 {
		first = ready[s.rng.Intn(now)]
	} else {
		s.slept += loadedSlice
	}
	delete(s.until, first)
	return first
}

func (s *loaded) elapse(r *run) int64 {
	d := s.random.elapse(r) + s.slept
	s.slept = 0
	return d
}
