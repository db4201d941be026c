package nodecompat

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"github.com/dop251/goja"
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine/gojavm"
)

// A Timer is the handle of [EventLoop.SetTimeout], for ClearTimeout. Scripts that get it may clear it too.
type Timer struct{ goTimer }

// An Interval is the handle of [EventLoop.SetInterval], for ClearInterval. Scripts that get it may clear it too.
type Interval struct{ goTimer }

// Immediate is here because goja_nodejs exports it. No function takes or returns one.
type Immediate struct{}

// A goTimer is a timer of Go code. The loop of each run has its own for it.
type goTimer struct {
	owner   *EventLoop
	fn      job
	delay   time.Duration
	repeat  bool
	cleared atomic.Bool // or has run; the first to come sets it

	// The owner's, from when it is armed.
	seq   uint64
	due   time.Time
	timer eventloop.Timer
}

// SetTimeout arranges for fn to run on the loop once timeout has passed, exactly and never earlier. The time begins
// when the loop handles the call, behind earlier functions of RunOnLoop. So on a loop that is stopped it begins with
// the start. A timer that is pending when the loop stops stays pending, and keeps its deadline.
//
// It returns nil if the loop is terminated. Otherwise see [EventLoop.RunOnLoop] about fn.
func (l *EventLoop) SetTimeout(fn func(*goja.Runtime), timeout time.Duration) *Timer {
	mustNotBeNil(fn)
	t := &Timer{goTimer{owner: l, fn: fn, delay: timeout}}
	if !l.enqueue(t.arm) {
		return nil
	}
	return t
}

// SetInterval arranges for fn to run on the loop every timeout, which is 1 ms if it is not positive, until it is cleared.
// It keeps its rhythm; of the runs that fall into a time when the loop is busy or stopped, one is made up for. For the
// rest it is as [EventLoop.SetTimeout].
func (l *EventLoop) SetInterval(fn func(*goja.Runtime), timeout time.Duration) *Interval {
	mustNotBeNil(fn)
	if timeout <= 0 {
		timeout = time.Millisecond
	}
	i := &Interval{goTimer{owner: l, fn: fn, delay: timeout, repeat: true}}
	if !l.enqueue(i.arm) {
		return nil
	}
	return i
}

// ClearTimeout cancels a timer. If it is called on the loop, fn will not run any more, unless it has begun. Nil, and a
// timer that has run or was cleared, mean nothing.
func (l *EventLoop) ClearTimeout(t *Timer) {
	if t != nil {
		t.clear()
	}
}

// ClearInterval is [EventLoop.ClearTimeout] for an interval.
func (l *EventLoop) ClearInterval(i *Interval) {
	if i != nil {
		i.clear()
	}
}

func (t *goTimer) clear() {
	if !t.cleared.Swap(true) {
		t.owner.enqueue(t.disarm) // a terminated loop has cleared it already
	}
}

// arm, on the loop, begins the time.
func (t *goTimer) arm(*goja.Runtime) {
	if t.cleared.Load() {
		return
	}
	l := t.owner
	l.seq++
	t.seq, t.due = l.seq, time.Now().Add(t.delay)
	l.armed[t] = struct{}{}
	l.pending.Add(1)
	t.schedule(l.rt.Loop())
}

func (t *goTimer) schedule(loop *eventloop.Loop) {
	t.timer, _ = loop.ScheduleTimer(time.Until(t.due), t.fire) // it fails only on a loop that has ended
}

// disarm, on the loop, forgets a timer that is not to run any more.
func (t *goTimer) disarm(*goja.Runtime) {
	l := t.owner
	if _, ok := l.armed[t]; ok {
		delete(l.armed, t)
		l.pending.Add(-1)
		t.timer.Stop()
	}
}

// fire is the callback of the loop's timer.
func (t *goTimer) fire() {
	switch {
	case t.cleared.Load():
		return // disarm is in the queue
	case !t.repeat:
		t.cleared.Store(true)
		t.disarm(nil)
	default:
		t.due = t.due.Add(t.delay)
		if late := time.Since(t.due); late >= 0 {
			t.due = t.due.Add((late/t.delay + 1) * t.delay)
		}
		_ = t.timer.Reset(time.Until(t.due)) // it fails only on a loop that is ending, and the next arms it again
	}
	t.owner.call(t.fn)
}

// rearm hands the timers that are pending to the loop of a new run, in the order in which they are due.
func (l *EventLoop) rearm(loop *eventloop.Loop) {
	timers := make([]*goTimer, 0, len(l.armed))
	for t := range l.armed {
		timers = append(timers, t)
	}
	slices.SortFunc(timers, func(a, b *goTimer) int {
		if c := a.due.Compare(b.due); c != 0 {
			return c
		}
		return cmp.Compare(a.seq, b.seq)
	})
	for _, t := range timers {
		t.schedule(loop)
	}
}

// clear clears all timers and immediates.
func (l *EventLoop) clear() {
	l.rt.Env().Close()
	for t := range l.armed {
		t.cleared.Store(true)
		t.disarm(nil)
	}
}

// clearTimer clears a timer of Go code that a script has passed to a function that clears its own, and reports whether it is
// one.
func clearTimer(v goja.Value) bool {
	if t, ok := gojavm.HostValue[*Timer](v); ok {
		t.clear()
		return true
	}
	i, ok := gojavm.HostValue[*Interval](v)
	if ok {
		i.clear()
	}
	return ok
}
