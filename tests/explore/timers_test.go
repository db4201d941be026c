//go:build explore

package explored

import (
	"slices"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// exOnce is the policy of a timer that does not repeat.
const exOnce = MissedTicks(timers.Once)

// An exTimer is a timer of the program: the calls on it, and the number of its runs.
type exTimer struct {
	w       *exWorld
	h       Timer
	known   bool // the call that made it has returned
	kind    MissedTicks
	period  int64
	arms    []*exArm
	fires   int
	stops   int  // calls of Stop and CancelTimer that have reported true
	stopOps int  // operations of the loop when the first such call had returned
	touched bool // a call of Stop or Reset has begun
	late    bool // it was stopped when the loop may have ended, and counted it as dropped
	unref   bool // a call of Unref has begun
}

// An exArm is one time that a timer was set.
type exArm struct {
	begin, end       int
	earliest, latest int64 // deadline
	accepted         int64 // when the call had returned
	ops              int   // operations of the loop when it had returned
	inPhase          bool  // a timer's callback has set it
}

// arm notes the begin of a call that sets the timer. The returned function notes its end.
func (t *exTimer) arm(delay int64) func(err error) {
	delay = max(delay, 0)
	a := &exArm{
		begin: t.w.stamp(), earliest: exNow() + delay, latest: exNow() + delay,
		inPhase: t.w.firing != nil && t.w.onLoop(),
	}
	t.arms = append(t.arms, a)
	return func(err error) {
		if err != nil {
			t.arms = slices.DeleteFunc(t.arms, func(o *exArm) bool { return o == a })
			return
		}
		a.end, a.latest, a.accepted, a.ops = t.w.stamp(), exNow()+delay, exNow(), explore.Ops(t.w.owner)
	}
}

// pending reports whether the timer is certainly pending.
func (t *exTimer) pending() bool {
	return len(t.arms) == 1 && t.arms[0].end > 0 && !t.touched && (t.kind != exOnce || t.fires == 0)
}

func (t *exTimer) simple() bool { return t.kind == exOnce && len(t.arms) == 1 && !t.touched }

// fire is the timer's callback.
func (t *exTimer) fire(body func()) {
	w := t.w
	w.begin(exTimerLane)
	defer w.end(exTimerLane)
	t.fires++
	now := exNow()
	if t.kind == exOnce && t.fires+t.stops > len(t.arms) {
		explore.Fail("a timer that was set %d times has run %d times and was stopped %d times", len(t.arms), t.fires, t.stops)
	}
	if t.kind != exOnce && t.stops > 0 && len(t.arms) == 1 && explore.Ops(w.owner)-t.stopOps > exMargin {
		explore.Fail("a repeating timer runs after it was stopped")
	}
	due := false
	for i, a := range t.arms {
		earliest := a.earliest
		if t.kind != exOnce && len(t.arms) == 1 {
			earliest += int64(t.fires-1) * t.period
		}
		superseded := false
		for _, b := range t.arms[i+1:] {
			superseded = superseded || a.end > 0 && b.begin > a.end && b.end > 0 && explore.Ops(w.owner)-b.ops > exMargin
		}
		due = due || earliest <= now && !superseded
	}
	if !due {
		explore.Fail("a timer runs early, at %d ns, set first to %d", now, t.arms[0].earliest)
	}
	if t.simple() {
		t.inOrder()
	}
	w.firing = t
	defer func() { w.firing = nil }()
	body()
}

// inOrder judges the order of timers whose deadlines are known.
func (t *exTimer) inOrder() {
	x := t.arms[0]
	for _, j := range t.w.waiting[exInternal] {
		// Goexit begins a new phase at once.
		if x.inPhase && !t.w.exited && j.end > 0 && j.end < x.begin {
			explore.Fail("a timer runs in the phase that has set it: a callback in the priority lane waits")
		}
	}
	for _, o := range t.w.timers {
		if o == t || !o.simple() || o.fires > 0 || o.arms[0].end == 0 {
			continue
		}
		y := o.arms[0]
		if y.end < x.begin && y.latest <= x.earliest {
			explore.Fail("a timer due at %d runs before one due at %d that was accepted before it", x.earliest, y.latest)
		}
		// When the phase began, the deadline of x had come, and y had been accepted before that.
		if y.accepted < x.earliest && y.latest < x.earliest {
			explore.Fail("a timer due at %d runs before one due at %d that was accepted at %d", x.earliest, y.latest, y.accepted)
		}
	}
}

// schedule makes a timer.
func (w *exWorld) schedule(slot int, owner bool, kind MissedTicks, delay int64, body func(t *exTimer)) {
	if len(w.timers) >= 50 { // repeating timers that make others would go on for very long
		return
	}
	t := &exTimer{w: w, kind: kind, period: delay}
	w.timers = append(w.timers, t)
	armed := t.arm(delay)
	fn := func() { t.fire(func() { body(t) }) }
	var err error
	switch {
	case kind != exOnce:
		t.h = w.loop.NewTicker(kind, fn)
		err = t.h.Reset(time.Duration(delay))
	case owner:
		t.h, err = adapter.Of(w.loop).ScheduleTimer(time.Duration(delay), fn)
	default:
		t.h, err = w.loop.ScheduleTimer(time.Duration(delay), fn)
	}
	armed(err)
	if err != nil {
		if t.fires > 0 {
			explore.Fail("a refused timer has run")
		}
		w.mayRefuse(err, exTimerLane)
		return
	}
	t.known = true
	w.slots[slot] = t
}

// unarmed makes a timer that is not armed, and often arms it.
func (w *exWorld) unarmed(slot int, how uint8, body func()) {
	if len(w.timers) >= 50 {
		return
	}
	t := &exTimer{w: w, kind: exOnce}
	w.timers = append(w.timers, t)
	if how%2 == 0 {
		t.h = w.loop.NewTimer(func() { t.fire(body) })
	} else {
		t.kind = MissedTicks(how % 3)
		t.h = w.loop.NewTicker(t.kind, func() {
			t.fire(func() {
				if t.fires >= 3 {
					t.cancel(false)
				}
				body()
			})
		})
	}
	t.known = true
	w.slots[slot] = t
	if how < 6 {
		t.reset(1e6 * int64(how%4))
	}
}

// cancel stops a timer, for good or not.
func (t *exTimer) cancel(forGood bool) {
	t.touched = true
	var pending bool
	if forGood {
		pending = t.w.loop.CancelTimer(t.h)
	} else {
		pending = t.h.Stop()
	}
	if !pending {
		return
	}
	if t.w.stopped > 0 || t.w.auto {
		t.late = true
	}
	if t.stops++; t.stops == 1 {
		t.stopOps = explore.Ops(t.w.owner)
	}
	if t.kind == exOnce && t.fires+t.stops > len(t.arms) {
		explore.Fail("a timer that was set %d times has run %d times and was stopped %d times", len(t.arms), t.fires, t.stops)
	}
}

// reset sets a timer again.
func (t *exTimer) reset(delay int64) {
	if t.w.resets++; t.w.resets > 20 { // or a timer that resets itself would go on for ever
		return
	}
	t.touched = true
	armed := t.arm(delay)
	err := t.h.Reset(time.Duration(delay))
	if err == nil {
		t.period = delay
	}
	armed(err)
	switch err {
	case nil, ErrTimerCancelled:
	case inside.ErrInvalidPeriod:
		if t.kind == exOnce || delay > 0 {
			explore.Fail("Reset to %d returns %v", delay, err)
		}
	default:
		t.w.mayRefuse(err, exTimerLane)
	}
}

// endedTimers judges the final states of the timers. The loop reports that it has dropped some of them.
func (w *exWorld) endedTimers(dropped int) {
	least, most := 0, 0
	for _, t := range w.timers {
		switch {
		case len(t.arms) == 0:
		case len(t.arms) > 1, t.late:
			most++
		case t.kind == exOnce && t.fires+t.stops == 0, t.kind != exOnce && t.stops == 0:
			least++
			most++
			// An auto-exit loop may end by itself before the request arrives.
			if t.kind == exOnce && !(w.auto && t.unref) && w.stopped > 0 && !w.closing && t.arms[0].end < w.stopped && t.arms[0].latest <= w.stopTime {
				explore.Fail("a timer that was due when the shutdown began has not run")
			}
		}
	}
	if dropped < least || dropped > most {
		explore.Fail("%d timers are counted as dropped, want %d to %d", dropped, least, most)
	}
}
