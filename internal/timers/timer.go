package timers

import "github.com/eventloop-go/eventloop/internal/sched"

// A Timer is a callback with a deadline. It is used again, for another handle, after Release.
//
// word is its state, changed only by compare-and-swap, from any goroutine:
//
//	generation (32 bits) | version (28 bits) | repeats | firing | unref | idle
//
// A timer is armed while it is not idle. The generation changes when the timer is given back, and makes older handles
// inert. The version changes then too, each time the timer is re-armed, and each time a repeating one fires. An entry
// carries the version it was made for, and counts only while the timer is armed in that version. So Stop, Release and
// Rearm need no message to the owner. The owner's compare-and-swap of the word decides, exactly, between firing and
// cancelling.
//
// fn belongs, in turn, to:
//
//   - the goroutine that arms a timer, before others know it;
//   - the owner, from the compare-and-swap that sets firing to the one that takes it away. It copies fn in between;
//   - the goroutine that released the timer, if firing was not set at that time. Otherwise the owner, when it takes firing away,
//     finds that the generation has changed. Either of them forgets fn and then clears idle. No handle of the
//     new generation and no entry of the new version exists, so the timer is ready for its next user, as a new one is.
//
// A timer is used again once that has been done and the entry from when it was scheduled is dropped. If that entry is
// dropped in the instant before, the timer is left to the garbage collector.
type Timer struct {
	word   sched.Uint64
	fn     func()
	store  *Store
	delay  int64       // guarded by the lock once the timer has been handed out
	period sched.Int64 // of a repeating timer: delay, for the owner, who reads it without the lock
	missed MissedTicks
	Site   uint32 // for the caller's use, who guards it by the lock
}

const (
	idle uint64 = 1 << iota
	unref
	firing
	repeats

	flagBits    = 4
	versionMask = 1<<28 - 1
)

func pack(gen, version uint32, flags uint64) uint64 {
	return uint64(gen)<<32 | uint64(version&versionMask)<<flagBits | flags
}

func generation(w uint64) uint32 { return uint32(w >> 32) }
func version(w uint64) uint32    { return uint32(w>>flagBits) & versionMask }

// An Entry is one place in the queue, or on the way there.
type Entry struct {
	When    int64  // the deadline
	Seq     uint32 // set by Queue.Push
	Version uint32 // the timer's, with marks
	Timer   *Timer
}

const (
	// first marks the one entry in each generation of a timer whose dropping lets the timer be used again: the entry
	// from its scheduling. The mark is in the entry, because a stale entry may point to a timer that already has
	// another user.
	first = 1 << 31

	// odd is the last bit of the generation. A timer's bit changes once at most before its first entry is dropped.
	odd = 1 << 30
)

// before wraps around: it compares rightly as long as entries with one deadline are within 2³¹ timers of each other.
func (e *Entry) before(o *Entry) bool {
	if e.When != o.When {
		return e.When < o.When
	}
	return int32(e.Seq-o.Seq) < 0
}

// counts reports whether a timer with the word w is armed in the version that the entry was made for.
func (e *Entry) counts(w uint64) bool { return w&idle == 0 && version(w) == e.Version&versionMask }

// live reports whether the entry counts now.
func (e *Entry) live() bool { return e.counts(e.Timer.word.Load()) }

// reusable reports whether the dropping of a stale entry, whose timer has the word w, lets the timer be used again.
func (e *Entry) reusable(w uint64) bool {
	return e.Version&first != 0 && w&idle == 0 && (generation(w)<<30^e.Version)&odd != 0
}

// A Handle is how users know a timer. The zero Handle means no timer.
type Handle struct {
	Timer *Timer
	gen   uint32
}

// use gives a callback to a timer that no other goroutine knows yet. It returns the handle, and the version for the
// timer's first entry.
func (t *Timer) use(delay int64, fn func(), missed MissedTicks) (h Handle, v uint32) {
	w := t.word.Load() // the timer is armed already: that saves an exchange
	t.fn, t.delay, t.missed = fn, delay, missed
	if missed != Once {
		t.period.Store(delay)
		t.word.Store(w | repeats)
	}
	gen := generation(w)
	return Handle{t, gen}, version(w) | first | gen<<30&odd
}

// Store returns the store that the timer is of.
func (h Handle) Store() *Store { return h.Timer.store }

// Touch brings the timer's state into the cache.
func (h Handle) Touch() {
	if h.Timer != nil {
		h.Timer.word.Load()
	}
}

// Stop disarms the timer, and reports whether it was armed. Any goroutine may call it.
func (h Handle) Stop() bool {
	t := h.Timer
	for {
		w := t.word.Load()
		if generation(w) != h.gen || w&idle != 0 {
			return false
		}
		if t.word.CompareAndSwap(w, w|idle) {
			t.store.unrefer(w)
			t.store.Disarmed(1)
			return true
		}
	}
}

// Release disarms the timer, makes its handles inert, forgets its callback, and lets the timer be used again. It reports
// whether the timer was armed; if it was, the caller owes a call of Disarmed. Any goroutine may call it.
func (h Handle) Release() bool {
	t := h.Timer
	for {
		w := t.word.Load()
		if generation(w) != h.gen {
			return false
		}
		released := pack(h.gen+1, version(w)+1, w&firing|idle)
		if !t.word.CompareAndSwap(w, released) {
			continue
		}
		if w&firing == 0 {
			t.forget(released)
		}
		if w&idle != 0 {
			return false
		}
		t.store.unrefer(w)
		return true
	}
}

// forget drops the callback of a timer that was released, when its word became w. No other goroutine changes it.
func (t *Timer) forget(w uint64) {
	t.fn = nil
	t.word.Store(w &^ (firing | idle))
}

// fired is the owner's last step of claiming a timer whose word was w: fn has been copied.
func (t *Timer) fired(w uint64) {
	for {
		now := t.word.Load()
		if generation(now) != generation(w) {
			t.forget(now)
			return
		}
		if t.word.CompareAndSwap(now, now&^firing) {
			return
		}
	}
}

// SetRef says whether the timer, while it is armed, is among the references. Any goroutine may call it.
func (h Handle) SetRef(ref bool) {
	t := h.Timer
	want := unref
	if ref {
		want = 0
	}
	for {
		w := t.word.Load()
		if generation(w) != h.gen || w&unref == want {
			return
		}
		counts := t.store.options.Refs != nil && w&idle == 0
		// The count is raised before the word says so, and lowered after. So a goroutine that disarms the timer in
		// between takes back only a reference that has been counted.
		if counts && ref {
			t.store.options.Refs.Add(1)
		}
		done := t.word.CompareAndSwap(w, w^unref)
		if counts && done != ref {
			t.store.unrefer(w &^ unref)
		}
		if done {
			return
		}
	}
}
