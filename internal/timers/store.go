// Package timers has a store of timers for a loop: it knows what is due, and whether it has been cancelled. It
// knows nothing of the loop.
//
// A store has one owner, who fires timers. Other goroutines schedule and re-arm under a lock that the caller has, for it
// guards more than timers; they stop and release timers without it. Every method says which of the three it is for.
package timers

import "github.com/eventloop-go/eventloop/internal/sched"

// A Store is a set of timers. It must be initialised, and not be copied.
type Store struct {
	// Any goroutine's.
	options  Options
	stale    sched.Int32 // entries whose timer was stopped, released or re-armed since, anywhere in the store
	armed    sched.Int64 // timers that are armed; see Options.Count
	hasFree  sched.Bool  // a hint that arrivals.free is not empty
	arrivals arrivals    // guarded by the lock

	_ [64]byte // keeps the line that producers write apart from the owner's

	// The owner's.
	queue    Queue
	by       int64    // the time that the phase works to
	inPhase  bool     // between Begin and Adopt
	aside    []Entry  // what the phase has added and is due by that time: it waits for the next phase
	ran      []ran    // repeating timers that have fired in the phase
	taken    list     // arrivals, about to enter the queue
	returned pool     // chunks, on their way back to the arrivals
	dropped  []*Timer // timers to use again, before they have been under the lock
	own      []*Timer // timers to use again, after
	sweepAt  int      // length of the queue at which Push looks whether to sweep
}

// Options are what a store is to keep account of, and whom to tell.
type Options struct {
	Owner any          // for the caller's use
	Refs  *sched.Int64 // the number of armed timers with a reference is added to it; or nil
	Count bool         // keep the number of armed timers

	// Look is called by whoever has disarmed a timer when the owner, if it sleeps, is to look after the store, or at Refs,
	// which it has made zero.
	Look func()
}

// ran is a repeating timer that has fired: the entry that it has from then on, but for the deadline, and what the
// next deadline depends on, as it was when the timer fired.
type ran struct {
	Entry
	period int64
	missed MissedTicks
}

const (
	lookEvery  = 1024 // cancelled timers after which a sleeping owner is to look whether to sweep
	staleLeast = 64   // fewer cancelled timers than this are not worth a sweep
	reuse      = 1024 // timers kept for reuse, in each of three places
	handOver   = 128  // of them that change sides at a time
)

// Init makes the store ready for use.
func (s *Store) Init(o Options) { s.options = o }

// Owner returns what Init was given.
func (s *Store) Owner() any { return s.options.Owner }

// Any goroutine.

// Disarmed accounts for n timers that were armed and will not fire.
func (s *Store) Disarmed(n int) {
	if n == 0 {
		return
	}
	s.count(-n)
	// The owner sweeps once cancelled timers dominate. If it sleeps it must be told, but not often.
	if int(s.stale.Add(int32(n)))%lookEvery < n {
		s.options.Look()
	}
}

// unrefer takes a timer that had the word w off the references, if it was among them.
func (s *Store) unrefer(w uint64) {
	if s.options.Refs != nil {
		s.unreferSlow(w)
	}
}

func (s *Store) unreferSlow(w uint64) {
	if w&(idle|unref) == 0 && s.options.Refs.Add(-1) == 0 {
		s.options.Look()
	}
}

func (s *Store) count(change int) {
	if s.options.Count {
		s.armed.Add(int64(change))
	}
}

// Armed returns the number of armed timers, if the store counts them.
func (s *Store) Armed() int { return int(s.armed.Load()) }

// Under the lock, but for the methods of Supply.

// A Supply is memory for Schedule and Rearm. It is made without the lock: to allocate may take long.
type Supply struct {
	timer *Timer
	chunk *chunk
}

// Expect makes what Schedule will probably need.
func (u *Supply) Expect(s *Store) {
	if !s.hasFree.Load() {
		u.timer = &Timer{store: s}
	}
}

// Make makes all that may be needed.
func (u *Supply) Make(s *Store) {
	u.timer, u.chunk = &Timer{store: s}, new(chunk)
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

// Rearm arms the timer anew, whether it is armed or not, with a delay that choose makes of the one it had. The timer
// then fires at now plus that delay; Rearm returns both.
func (s *Store) Rearm(u *Supply, h Handle, now int64, choose func(int64) int64) (when, delay int64, outcome Outcome) {
	if s.arrivals.full() && !s.makeRoom(u) {
		return 0, 0, Short
	}
	t := h.Timer
	for {
		w := t.word.Load()
		if generation(w) != h.gen {
			return 0, 0, Inert
		}
		// Only now is it certain that delay is this handle's: using the timer again takes the lock, and a change of the
		// generation before that.
		delay = choose(t.delay)
		if w&repeats != 0 && delay <= 0 {
			return 0, 0, Refused
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
		return when, delay, Rearmed
	}
}

// An Outcome is what became of Rearm.
type Outcome uint8

const (
	Rearmed Outcome = iota
	Inert           // the timer was released; nothing has changed, here and in what follows
	Refused         // the delay is none for a repeating timer
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

// hint tells whether there are timers to use again.
func (s *Store) hint() {
	if has := len(s.arrivals.free) > 0; has != s.hasFree.Load() {
		s.hasFree.Store(has)
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

// Refill lets the owner use the timers that it has dropped. They must have been under the lock first, for somebody with
// a stale handle may be looking at one in Rearm.
func (s *Store) Refill() { s.own, s.dropped = s.dropped, s.own[:0] }

// The owner's.

// WantsRefill reports whether the owner had better call Refill before ScheduleOwn.
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

// Adopt puts the arrivals that Take took in order. It ends the phase, if there was one: behind what the phase had
// put aside.
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

// Returns reports whether there is something to hand back to those who schedule, which Take does.
func (s *Store) Returns() bool { return s.returned.head != nil || len(s.dropped) > 0 }

// Unsettled reports whether Adopt or Repeat have something to do.
func (s *Store) Unsettled() bool {
	return s.inPhase || s.taken.head != nil || len(s.aside)+len(s.ran) > 0
}

// Settled reports whether the queue has all timers that Take has taken.
func (s *Store) Settled() bool { return s.taken.head == nil }

// Ran reports whether repeating timers have fired that Repeat is to set anew.
func (s *Store) Ran() bool { return len(s.ran) > 0 }

// Repeat sets the repeating timers that have fired anew, in the order in which they did. It follows Adopt. The time end
// is when everything due is the last to run, or negative.
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

// Empty reports whether the owner has no timers.
func (s *Store) Empty() bool { return s.queue.Len() == 0 }

// Begin begins a phase, which fires the timers that are there and due at the time by. It reports false if there are
// none. What is added while it runs waits for the next phase.
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

// NextLive reports whether the time that Next returns may be that of a timer that still counts. If it may not, Due drops
// those that do not.
func (s *Store) NextLive() bool {
	e := s.queue.near()
	return e == nil || e.live()
}

// compact drops the stale entries once they dominate: amortised, that costs each cancelled timer a few nanoseconds, and
// keeps the memory within a factor of what is live.
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

// Clear drops everything, and returns the number of timers that were armed. Nobody schedules or re-arms any more.
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
	s.queue, s.arrivals, s.taken, s.returned = Queue{}, arrivals{}, list{}, pool{}
	s.dropped, s.own, s.aside, s.ran = nil, nil, nil, nil
	return n
}

// Slots returns how many entries the memory of the store has room for. Nobody else uses it meanwhile.
func (s *Store) Slots() int {
	n := s.queue.Slots() + cap(s.aside) + cap(s.ran) + (s.returned.n+s.arrivals.spare.n)*chunkSize
	for _, l := range []*list{&s.taken, &s.arrivals.list} {
		for c := l.head; c != nil; c = c.next {
			n += chunkSize
		}
	}
	return n
}
