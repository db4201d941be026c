package timers

// This file has the owner's operations on the timers that it has taken over, and on its own.

// WantsRefill reports whether the owner should call Refill before ScheduleOwn.
func (s *Store) WantsRefill() bool { return len(s.own) == 0 && len(s.dropped) > 0 }

// ScheduleOwn is Schedule for the owner.
func (s *Store) ScheduleOwn(when, delay int64, fn func()) Handle {
	var t *Timer
	if n := len(s.own) - 1; n >= 0 {
		t, s.own[n] = s.own[n], nil
		s.own = s.own[:n]
	} else {
		t = &Timer{store: s}
	}
	h, v := t.use(delay, fn, Once)
	s.accept(1)
	s.push(Entry{When: when, Version: v, Timer: t})
	return h
}

// push adds an entry to the queue, or, if it would join the phase in progress, puts it aside.
func (s *Store) push(e Entry) {
	if s.inPhase && e.When <= s.by {
		s.aside = append(s.aside, e)
		return
	}
	if s.queue.Len() >= s.sweepAt {
		s.sweepGrown()
	}
	s.queue.Push(e)
}

// sweepGrown sweeps a queue that has grown, if that is worth the pass.
func (s *Store) sweepGrown() {
	if stale := int(s.stale.Load()); stale >= staleLeast && stale > s.queue.Len()/4 {
		s.sweep()
	}
	s.sweepAt = max(2*s.queue.Len(), staleLeast)
}

// Adopt sorts in the arrivals that Take took. It ends the phase, if there was one, after the timers that the phase
// had put aside.
func (s *Store) Adopt() {
	s.inPhase = false
	if len(s.aside) > 0 {
		for _, e := range s.aside {
			s.push(e)
		}
		s.aside = empty(s.aside)
	}
	if s.taken.head != nil {
		s.AdoptMore()
		s.compact()
	}
}

// AdoptMore is Adopt in the middle of a phase: nothing joins that.
func (s *Store) AdoptMore() {
	dropped := 0
	mixed := s.stale.Load() != 0
	for s.taken.head != nil {
		c := s.taken.shift()
		for i := range c.n {
			e := &c.e[i]
			if mixed && !e.live() {
				s.drop(e)
				dropped++
			} else {
				s.push(*e)
			}
		}
		if s.returned.n < poolSize {
			s.returned.put(c)
		} else {
			s.queue.pool.put(c)
		}
	}
	if dropped > 0 {
		s.stale.Add(int32(-dropped))
	}
}

// WantsTake reports whether there is something to hand back to those who schedule, which Take does.
func (s *Store) WantsTake() bool { return s.returned.head != nil || len(s.dropped) > 0 }

// WantsAdopt reports whether Adopt or Repeat have something to do.
func (s *Store) WantsAdopt() bool {
	return s.inPhase || s.taken.head != nil || len(s.aside)+len(s.ran) > 0
}

// Settled reports whether the queue has all timers that Take has taken.
func (s *Store) Settled() bool { return s.taken.head == nil }

// Ran reports whether repeating timers have fired and wait for Repeat.
func (s *Store) Ran() bool { return len(s.ran) > 0 }
