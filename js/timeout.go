package js

import "github.com/eventloop-go/eventloop"

// A Timeout is a timer, made by [Env.NewTimeout] or [Env.NewInterval]: the class Timeout of Node's timers module. Its
// methods may be called from any goroutine.
type Timeout struct {
	env        *Env
	fn         func()
	ms         int64
	start      int64 // nanoseconds since the origin
	id         uint64
	list       *timerList // nil while it is not pending
	prev, next *Timeout
	nesting    int
	repeat     bool
	unref      bool
	idle       bool // not pending, and does not count as keeping the loop open: fired or cleared
	cleared    bool // for good
}

func (t *Timeout) due() int64 { return t.start + t.ms*millisecond }

// expiry is the millisecond in which Node would run it.
func (t *Timeout) expiry() int64 { return t.start/millisecond + t.ms }

// NewTimeout arranges for fn to run once, when ms milliseconds have passed: setTimeout. It never runs early.
//
// Errors: [eventloop.ErrNilCallback], [eventloop.ErrLoopTerminated], [eventloop.ErrZeroLoop].
func (e *Env) NewTimeout(fn func(), ms float64) (*Timeout, error) {
	t, _, err := e.newTimer(fn, ms, false, false)
	return t, err
}

// NewInterval arranges for fn to run every ms milliseconds until the timer is cleared: setInterval. A callback that is
// late by less than a period does not shift the ones that follow, and neither does a machine that wakes the loop up to
// 10 ms late: beats missed by then are left out. What is later than that begins a rhythm anew.
func (e *Env) NewInterval(fn func(), ms float64) (*Timeout, error) {
	t, _, err := e.newTimer(fn, ms, true, false)
	return t, err
}

// newTimer starts a timer, with a number if that is wanted: before it can run, or it would have none any more.
func (e *Env) newTimer(fn func(), ms float64, repeat, numbered bool) (*Timeout, uint64, error) {
	if fn == nil {
		return nil, 0, eventloop.ErrNilCallback
	}
	t := &Timeout{env: e, fn: fn, repeat: repeat}
	t.ms, t.nesting = e.delay(ms)
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.insert(t, e.now(), true); err != nil {
		return nil, 0, err
	}
	if numbered {
		t.id = e.ids.add(t)
	}
	return t, t.id, nil
}

// insert makes a timer pending. A timer that is not counted yet as keeping the loop open is counted.
func (e *Env) insert(t *Timeout, start int64, count bool) error {
	if !e.loop.Accepting() {
		return e.refusal()
	}
	t.start = start
	if count || !t.repeat {
		e.read = start / millisecond
	}
	known := e.timers.byDelay[t.ms] != nil
	first := e.timers.insert(t)
	if expiry := t.list.expiry; !known && expiry < e.soonest {
		e.soonest, e.wake = expiry, e.read+t.ms
	}
	if first && !e.inPhase {
		if err := e.arm(t.due()); err != nil {
			list := t.list
			t.unlink()
			e.timers.drop(list)
			return err
		}
	}
	if count && !t.unref {
		e.addTimerRefs(1)
	}
	return nil
}

// refusal is the error of a loop that takes no timers.
func (e *Env) refusal() error {
	if _, err := e.loop.ScheduleTimer(0, func() {}); err != nil {
		return err
	}
	return eventloop.ErrLoopTerminated
}

// Close clears the timer; it may be called any number of times: clearTimeout, clearInterval.
func (t *Timeout) Close() {
	t.env.mu.Lock()
	defer t.env.mu.Unlock()
	t.close()
}

func (t *Timeout) close() {
	e := t.env
	if t.cleared {
		return
	}
	t.cleared = true
	t.forget()
	list := t.list
	t.unlink()
	if !t.idle {
		t.idle = true
		// The list of an unreferenced timer stays, as in Node: it is likely to be used again.
		if !t.unref {
			if list != nil && list.head == nil {
				e.timers.drop(list)
			}
			e.addTimerRefs(-1)
		}
	}
	t.fn = nil
}

// Refresh starts the timer anew with the delay it has, also after it has fired, but not after it was cleared:
// timeout.refresh.
func (t *Timeout) Refresh() error {
	e := t.env
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.cleared {
		return nil
	}
	wasIdle := t.idle
	t.idle = false
	return e.insert(t, e.now(), wasIdle)
}

// Ref makes the pending timer keep an auto-exit loop open, as it does when it is new: timeout.ref.
func (t *Timeout) Ref() { t.setUnref(false) }

// Unref lets an auto-exit loop end although the timer is pending: timeout.unref.
func (t *Timeout) Unref() { t.setUnref(true) }

func (t *Timeout) setUnref(unref bool) {
	e := t.env
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.unref == unref {
		return
	}
	t.unref = unref
	switch {
	case t.idle:
	case unref:
		e.addTimerRefs(-1)
	default:
		e.addTimerRefs(1)
	}
}

// HasRef reports whether the timer, when pending, keeps an auto-exit loop open: timeout.hasRef.
func (t *Timeout) HasRef() bool {
	t.env.mu.Lock()
	defer t.env.mu.Unlock()
	return !t.unref
}

// ID returns the timer's number, which is given to it at the first call: what a Timeout converts to as a primitive.
// It is 0 when the timer is neither pending nor running.
func (t *Timeout) ID() uint64 {
	t.env.mu.Lock()
	defer t.env.mu.Unlock()
	if t.id == 0 && !t.idle {
		t.id = t.env.ids.add(t)
	}
	return t.id
}

func (t *Timeout) forget() {
	if t.id != 0 {
		t.env.ids.remove(t.id)
		t.id = 0
	}
}
