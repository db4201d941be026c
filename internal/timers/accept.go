package timers

// Scheduling and re-arming, and handing over to the owner. All of it is done under the lock, but for the methods of Supply.

// A Supply is memory for Schedule and Rearm. It is made without the lock: to allocate may take long.
type Supply struct {
	timer *Timer
	chunk *chunk
}

// Expect makes the objects that Schedule will probably need.
func (u *Supply) Expect(s *Store) {
	if !s.arrivals.hasFree.Load() {
		u.timer = &Timer{store: s}
	}
}

// Make makes all that may be needed.
func (u *Supply) Make(s *Store) {
	u.timer, u.chunk = &Timer{store: s}, new(chunk)
	u.chunk.e[0].When = Never // the first write may be a page fault, which must not happen under the lock
}

// Schedule makes a timer that will fire when the time when has come. It reports false if that needs more memory than
// there is.
func (s *Store) Schedule(u *Supply, when, delay int64, fn func(), missed MissedTicks) (Handle, bool) {
	a := &s.arrivals
	if u.timer == nil && len(a.free) == 0 || a.full() && !s.makeRoom(u) {
		return Handle{}, false
	}
	t := u.timer
	if t == nil {
		n := len(a.free) - 1
		t, a.free[n] = a.free[n], nil
		if a.free = a.free[:n]; n == 0 {
			s.hint()
		}
	}
	h, v := t.use(delay, fn, missed)
	s.accept(1)
	a.push(Entry{When: when, Version: v, Timer: t})
	a.n++
	return h, true
}

// Unarmed makes a timer that fires when it has been armed by Rearm. It needs no lock. It has no first entry, so it is
// not used again: when it has been released the garbage collector takes it.
func (s *Store) Unarmed(fn func(), missed MissedTicks) Handle {
	t := &Timer{fn: fn, store: s, missed: missed}
	if missed != Once {
		t.word.Store(idle | repeats)
	} else {
		t.word.Store(idle)
	}
	return Handle{Timer: t}
}

// accept counts a timer that is armed now.
func (s *Store) accept(refs int64) {
	if s.options.Refs != nil {
		s.options.Refs.Add(refs)
	}
	s.count(1)
}

// Rearm arms the timer, whether it is armed or not, to fire at now plus delay, which it returns.
func (s *Store) Rearm(u *Supply, h Handle, now, delay int64) (when int64, outcome Outcome) {
	if s.arrivals.full() && !s.makeRoom(u) {
		return 0, Short
	}
	t := h.Timer
	for {
		w := t.word.Load()
		if generation(w) != h.gen {
			return 0, Inert
		}
		if w&repeats != 0 && delay <= 0 {
			return 0, Refused
		}
		v := (version(w) + 1) & versionMask
		if !t.word.CompareAndSwap(w, pack(h.gen, v, w&(unref|firing|repeats))) {
			continue
		}
		t.delay = delay
		if w&repeats != 0 {
			t.period.Store(delay)
		}
		switch {
		case w&idle == 0:
			s.stale.Add(1)
		case w&unref == 0:
			s.accept(1)
		default:
			s.accept(0)
		}
		when = After(now, delay)
		s.arrivals.push(Entry{When: when, Version: v, Timer: t})
		s.arrivals.n++
		return when, Rearmed
	}
}

// An Outcome is the result of Rearm.
type Outcome uint8

const (
	Rearmed Outcome = iota
	Inert           // the timer was released; nothing has changed, as with the outcomes below
	Refused         // a repeating timer cannot have this delay
	Short           // more memory is needed
)

// After gives the time at which a delay from now has passed.
func After(now, delay int64) int64 {
	if delay <= 0 {
		return now
	}
	if delay > Never-now {
		return Never
	}
	return now + delay
}

// hint notes whether the store has timers to use again.
func (s *Store) hint() {
	if has := len(s.arrivals.free) > 0; has != s.arrivals.hasFree.Load() {
		s.arrivals.hasFree.Store(has)
	}
}

// Waiting returns the number of timers that the owner has not taken.
func (s *Store) Waiting() int { return s.arrivals.n }

// Take takes the arrivals over, and reports whether there were any. The owner then calls Adopt or AdoptMore, without
// the lock.
func (s *Store) Take() bool {
	a := &s.arrivals
	if len(s.dropped) > 0 {
		s.giveBack()
	}
	if a.n == 0 {
		return false
	}
	var next *chunk
	if s.returned.head != nil {
		next = s.returned.get()
	}
	if s.returned.n > 0 && a.spare.n < poolSize/2 {
		a.spare.join(&s.returned)
	}
	more := a.take(next)
	if s.taken.head == nil {
		s.taken = more
	} else {
		s.taken.tail.next, s.taken.tail = more.head, more.tail
	}
	return true
}

// giveBack hands timers that the owner has dropped to those who schedule, if they have few.
func (s *Store) giveBack() {
	a := &s.arrivals
	if len(a.free) >= handOver {
		return
	}
	from := len(s.dropped) - min(len(s.dropped), handOver)
	a.free = append(a.free, s.dropped[from:]...)
	clear(s.dropped[from:])
	s.dropped = s.dropped[:from]
	s.hint()
}

// Refill lets the owner use the timers that it has dropped. They must have been under the lock first, because a
// goroutine with a stale handle may be reading one in Rearm.
func (s *Store) Refill() { s.own, s.dropped = s.dropped, s.own[:0] }
