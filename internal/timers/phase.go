package timers

// A phase: the owner fires the timers that are due, and sets repeating timers again.

// Empty reports whether the owner has no timers.
func (s *Store) Empty() bool { return s.queue.Len() == 0 }

// Begin begins a phase, which fires the present timers that are due at the time by. It reports false if no timer is
// due. Timers added while it runs wait for the next phase.
func (s *Store) Begin(by int64) bool {
	s.by, s.inPhase = by, s.queue.First(by) != nil
	return s.inPhase
}

// Fire takes out the next timer of the phase and returns its callback and its deadline, or nil at the end of the
// phase, and outside one. It fires unless Stop, Release or Rearm changed its word first; if it does, those come too late for
// this firing.
func (s *Store) Fire() (fn func(), when int64) {
	for s.inPhase {
		p := s.queue.First(s.by)
		if p == nil {
			break
		}
		e := *p
		s.queue.Pop()
		if fn := s.claim(&e); fn != nil {
			return fn, e.When
		}
		s.drop(&e)
		s.stale.Add(-1)
	}
	return nil, 0
}

// claim decides whether the timer of an entry fires.
func (s *Store) claim(e *Entry) func() {
	t := e.Timer
	for {
		w := t.word.Load()
		if !e.counts(w) {
			return nil
		}
		if w&repeats == 0 {
			if !t.word.CompareAndSwap(w, w|idle|firing) {
				continue
			}
			if s.options.Refs != nil && w&unref == 0 {
				s.options.Refs.Add(-1)
			}
			s.count(-1)
		} else {
			// It stays armed, in a new version. That is written down before the callback runs, so that a panic does not
			// end the repetition.
			v := (version(w) + 1) & versionMask
			if !t.word.CompareAndSwap(w, pack(generation(w), v, w&(unref|repeats)|firing)) {
				continue
			}
			next := Entry{When: e.When, Version: v | e.Version&(first|odd), Timer: t}
			s.ran = append(s.ran, ran{next, t.period.Load(), t.missed})
		}
		fn := t.fn
		t.fired(w)
		return fn
	}
}

// drop forgets a stale entry. The caller takes it off the count of those.
func (s *Store) drop(e *Entry) {
	if len(s.dropped) < reuse && e.reusable(e.Timer.word.Load()) {
		s.dropped = append(s.dropped, e.Timer)
	}
}

// Due reports, exactly, whether a timer is due at the time by. It drops cancelled timers that are first.
func (s *Store) Due(by int64) bool {
	for {
		e := s.queue.First(by)
		if e == nil {
			e = s.queue.near()
		}
		switch {
		case e == nil:
			return false
		case e.live():
			return e.When <= by
		}
		s.drop(e)
		s.stale.Add(-1)
		s.queue.Pop()
	}
}

// Next returns a time before which no timer is due. A timer that was cancelled may count. It takes a few nanoseconds.
func (s *Store) Next() int64 { return s.queue.Next() }

// NextLive reports whether the time that Next returns may belong to a live timer. Otherwise Due drops the stale ones.
func (s *Store) NextLive() bool {
	e := s.queue.near()
	return e == nil || e.live()
}

// Repeat sets the repeating timers that have fired again, in the order in which they fired. It follows Adopt. The
// time end bounds the last timers to run, or is negative.
func (s *Store) Repeat(now, end int64) {
	for _, r := range s.ran {
		if !r.live() {
			s.drop(&r.Entry)
			s.stale.Add(-1)
			continue
		}
		r.When = r.missed.NextAtEnd(r.When, r.period, now, end)
		s.push(r.Entry)
	}
	s.ran = empty(s.ran)
}

func empty[T any](list []T) []T {
	clear(list)
	if cap(list) > keep {
		return nil
	}
	return list[:0]
}
