package eventloop

import (
	"errors"
	"math"
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/timerheap"
)

// never is the time on the loop's clock that does not come.
const never = math.MaxInt64

// ErrTimerCancelled says that the timer was given back with CancelTimer, or is a zero Timer. Schedule a new one.
var ErrTimerCancelled = errors.New("eventloop: timer was cancelled for good")

// A Timer is a handle to a callback that [Loop.ScheduleTimer] or [Loop.ScheduleRepeating] will run. Handles are small
// values to be copied; all copies mean the same timer. The methods may be called from any goroutine. The zero Timer
// is valid and means no timer.
type Timer struct {
	t   *timer
	gen uint32
}

// A timer is what a handle points to. It is used again, for another handle, after CancelTimer.
//
// word is its state, changed only by compare-and-swap from any goroutine:
//
//	generation (31 bits) | version (30 bits) | released | unref | armed
//
// The generation changes when the timer is given back, and makes older handles inert. The version changes each time
// the timer is armed: an entry of the heap carries the version it was made for, and counts only while the timer is
// armed in that version. So Stop, Reset and CancelTimer need no message to the loop, and the owner's compare-and-swap
// from armed to not armed decides, exactly, between firing and cancelling.
type timer struct {
	word  sched.Uint64
	fn    func()
	loop  *Loop
	delay int64 // guarded by the ingress lock once the timer has been handed out
	kind  MissedTicks
	next  *timer // in a free list
}

const (
	timerArmed uint64 = 1 << iota
	timerUnref
	timerReleased

	timerFlags   = 3
	timerVersion = 1<<30 - 1
)

func timerWord(gen, version uint32, flags uint64) uint64 {
	return uint64(gen)<<33 | uint64(version&timerVersion)<<timerFlags | flags
}

func wordGen(w uint64) uint32     { return uint32(w >> 33) }
func wordVersion(w uint64) uint32 { return uint32(w>>timerFlags) & timerVersion }

// A timerEntry is one place in the heap, or on the way there. When is on the loop's clock; Version is the timer's, with
// entryFirst set in the entry from when the timer was scheduled.
type timerEntry = timerheap.Entry[timer]

// entryFirst marks the one entry in each generation of a timer whose dropping lets the timer be used again. The mark
// is in the entry, for the timer that a stale entry points to may be somebody else's by now.
const entryFirst = 1 << 31

// live reports whether the entry's timer is still armed in the version it was made for.
func live(e *timerEntry) bool {
	w := e.Timer.word.Load()
	return w&timerArmed != 0 && holds(e, w)
}

// holds reports whether the entry was made for the version in w.
func holds(e *timerEntry, w uint64) bool { return wordVersion(w) == e.Version&timerVersion }

// ScheduleTimer arranges for fn to run on the loop when delay has passed: never earlier, and later only by as much as
// the loop and the machine are busy. Timers run in the order of their deadlines, and of scheduling where these are
// equal. A delay that is not positive means as soon as possible; one that overflows the clock means never.
//
// The handle stays valid when the timer has fired: Reset arms it again. Timers that have not fired when the loop ends
// are dropped. Costs one allocation, or none when a cancelled timer can be used again.
//
// Errors: [ErrLoopTerminated], [ErrNilCallback], [ErrZeroLoop].
func (l *Loop) ScheduleTimer(delay time.Duration, fn func()) (Timer, error) {
	if fn == nil {
		return Timer{}, ErrNilCallback
	}
	return l.schedule(delay, fn, once)
}

func (l *Loop) schedule(delay time.Duration, fn func(), kind MissedTicks) (Timer, error) {
	when := l.deadline(delay)
	in := &l.in
	in.mu.lock()
	if !in.accepting() {
		err := in.refusal()
		in.mu.unlock()
		return Timer{}, err
	}
	t := in.free
	if t != nil {
		in.free, t.next = t.next, nil
		in.freeCount--
	} else {
		t = &timer{loop: l}
	}
	h, version := t.set(delay, fn, kind)
	if l.autoExit {
		l.live.Add(1)
	}
	l.countArmed(1)
	in.pushTimer(timerEntry{When: when, Version: version | entryFirst, Timer: t})
	asleep := l.alarmFor(when, delay)
	in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
	return h, nil
}

// deadline gives the time at which a delay from now has passed, on the loop's clock.
func (l *Loop) deadline(delay time.Duration) int64 {
	now := l.now()
	if delay <= 0 {
		return now
	}
	if int64(delay) > never-now {
		return never
	}
	return now + int64(delay)
}

// set arms a timer that nobody else knows yet, and makes the handle for it.
func (t *timer) set(delay time.Duration, fn func(), kind MissedTicks) (h Timer, version uint32) {
	w := t.word.Load()
	gen, version := wordGen(w), (wordVersion(w)+1)&timerVersion
	t.fn, t.delay, t.kind = fn, int64(delay), kind
	t.word.Store(timerWord(gen, version, timerArmed))
	return Timer{t, gen}, version
}

// Stop keeps the timer from firing, and reports whether it was pending: true means that the callback will not run,
// exactly, whichever goroutine asks. For a repeating timer it means that no further run begins; one that the loop has
// just begun goes on. Reset arms a stopped timer again.
func (h Timer) Stop() bool {
	t := h.t
	if t == nil {
		return false
	}
	for {
		w := t.word.Load()
		if wordGen(w) != h.gen || w&timerArmed == 0 {
			return false
		}
		if t.word.CompareAndSwap(w, w&^timerArmed) {
			t.loop.disarmed(w)
			return true
		}
	}
}

// disarmed accounts for a timer that was armed with the word w and will not fire.
func (l *Loop) disarmed(w uint64) {
	l.countArmed(-1)
	if l.autoExit && w&timerUnref == 0 {
		l.release()
	}
	// The loop compacts its heap once cancelled timers dominate. If it sleeps it must be told, but not often.
	if l.stale.Add(1)%staleNudge == 0 {
		l.nudge()
	}
}

// Reset arms the timer to fire once delay has passed from now, whether it is pending, stopped or has fired; a
// repeating timer takes delay as its new period. It may be called from the timer's own callback.
//
// Errors: [ErrTimerCancelled], [ErrLoopTerminated], and [ErrInvalidPeriod] for a repeating timer.
func (h Timer) Reset(delay time.Duration) error {
	return h.rearm(func(int64) int64 { return int64(delay) })
}

// Refresh is Reset with the delay that the timer has: Node's timeout.refresh.
func (h Timer) Refresh() error {
	return h.rearm(func(delay int64) int64 { return delay })
}

func (h Timer) rearm(choose func(int64) int64) error {
	t := h.t
	if t == nil {
		return ErrTimerCancelled
	}
	l := t.loop
	now := l.now()
	in := &l.in
	in.mu.lock()
	asleep, err := l.rearmLocked(h, choose, now)
	in.mu.unlock()
	if asleep {
		sched.Send(l.wake)
	}
	return err
}

func (l *Loop) rearmLocked(h Timer, choose func(int64) int64, now int64) (asleep bool, err error) {
	t, in := h.t, &l.in
	if !in.accepting() {
		return false, in.refusal()
	}
	var version uint32
	for {
		w := t.word.Load()
		if wordGen(w) != h.gen {
			return false, ErrTimerCancelled
		}
		// Only now is it certain that delay and kind are this handle's: giving the timer back and using it again
		// takes the lock, or the owner, who changes the generation first.
		delay := choose(t.delay)
		if t.kind != once && delay <= 0 {
			return false, ErrInvalidPeriod
		}
		version = (wordVersion(w) + 1) & timerVersion
		if !t.word.CompareAndSwap(w, timerWord(h.gen, version, w&timerUnref|timerArmed)) {
			continue
		}
		t.delay = delay
		switch {
		case w&timerArmed != 0:
			l.stale.Add(1)
		case l.autoExit && w&timerUnref == 0:
			l.live.Add(1)
		}
		if w&timerArmed == 0 {
			l.countArmed(1)
		}
		break
	}
	when := int64(never)
	if d := max(t.delay, 0); d <= never-now {
		when = now + d
	}
	in.pushTimer(timerEntry{When: when, Version: version, Timer: t})
	return l.alarmFor(when, time.Duration(t.delay)), nil
}

// Unref lets a loop with [WithAutoExit] end although the timer is pending. Ref undoes it. Neither does anything to a
// loop without that option.
func (h Timer) Unref() { h.setRef(timerUnref) }

// Ref makes a pending timer keep a loop with [WithAutoExit] open, as it does when it is new.
func (h Timer) Ref() { h.setRef(0) }

func (h Timer) setRef(unref uint64) {
	t := h.t
	if t == nil {
		return
	}
	l := t.loop
	for {
		w := t.word.Load()
		if wordGen(w) != h.gen || w&timerUnref == unref {
			return
		}
		counts := l.autoExit && w&timerArmed != 0
		// The count is raised before the word says that it was, and lowered after: whoever disarms the timer in
		// between takes back only what has been counted.
		if counts && unref == 0 {
			l.live.Add(1)
		}
		done := t.word.CompareAndSwap(w, w^timerUnref)
		if counts && done == (unref != 0) {
			l.release()
		}
		if done {
			return
		}
	}
}

// CancelTimer stops the timer for good and gives its memory back to the loop, to be used for the next one. It reports
// whether the timer was pending, as [Timer.Stop] does. The handle and its copies are inert from then on.
func (l *Loop) CancelTimer(h Timer) bool {
	t := h.t
	if t == nil || t.loop != l {
		return false
	}
	for {
		w := t.word.Load()
		if wordGen(w) != h.gen {
			return false
		}
		if !t.word.CompareAndSwap(w, timerWord(h.gen+1, wordVersion(w), timerReleased)) {
			continue
		}
		if w&timerArmed == 0 {
			return false
		}
		l.disarmed(w)
		return true
	}
}

// CancelTimers is [Loop.CancelTimer] for many timers. It returns how many were pending.
func (l *Loop) CancelTimers(handles ...Timer) int {
	n := 0
	for _, h := range handles {
		if l.CancelTimer(h) {
			n++
		}
	}
	return n
}
