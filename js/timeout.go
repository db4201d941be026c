package js

import (
	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// A Timeout is a timer, made by [Env.NewTimeout] or [Env.NewInterval]: the class Timeout of Node's timers module. Its
// methods may be called from any goroutine.
type Timeout struct {
	env        *Env
	fn         func()
	ms         int64
	start      int64 // nanoseconds since the origin
	id         uint64
	list       *timerList // of its delay while it is pending, or the list of running timers
	prev, next *Timeout
	nesting    int
	repeat     bool
	unref      bool
	idle       bool // at rest: it does not keep the loop open
	cleared    bool // for good
}

func (t *Timeout) due() int64 { return t.start + t.ms*millisecond }

// expiry is the millisecond in which Node would run it.
func (t *Timeout) expiry() int64 { return t.start/millisecond + t.ms }

// NewTimeout arranges for fn to run once, when ms milliseconds have passed: setTimeout. It never runs early.
//
// Errors: [eventloop.ErrInvalid], [eventloop.ErrLoopTerminated].
func (e *Env) NewTimeout(fn func(), ms float64) (*Timeout, error) {
	t, _, err := e.newTimer(fn, ms, false, false)
	return t, err
}

// NewInterval arranges for fn to run every ms milliseconds until the timer is cleared: setInterval. A callback that
// is late by less than a period does not shift the later ones. A machine that wakes the loop up to 10 ms late does
// not either: beats missed by then are left out. A longer delay starts a new rhythm.
func (e *Env) NewInterval(fn func(), ms float64) (*Timeout, error) {
	t, _, err := e.newTimer(fn, ms, true, false)
	return t, err
}

// newTimer starts a timer. If it is to have a number, it gets that before it can run.
func (e *Env) newTimer(fn func(), ms float64, repeat, numbered bool) (*Timeout, uint64, error) {
	if fn == nil {
		return nil, 0, inside.ErrNilCallback
	}
	t := &Timeout{env: e, fn: fn, repeat: repeat, idle: true}
	t.ms, t.nesting = e.delay(ms)
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.begin(t); err != nil {
		return nil, 0, err
	}
	if numbered {
		t.id = e.ids.add(t)
	}
	return t, t.id, nil
}

// begin makes a timer pending, from now on. A refusal leaves everything as it was. The lock is held.
func (e *Env) begin(t *Timeout) error {
	if !e.hooks.Accepting() {
		return e.refusal()
	}
	counts := t.idle && !t.unref
	if counts { // before it can fire: the loop must not end meanwhile
		e.addTimerRefs(1)
	}
	now := e.now()
	if expiry := now/millisecond + t.ms; !e.driver.held && e.timers.byDelay[t.ms] == nil && expiry <= e.timers.expiry() {
		if err := e.arm(now + t.ms*millisecond); err != nil {
			if counts {
				e.addTimerRefs(-1)
			}
			return err
		}
	}
	t.idle = false
	e.node.read(now / millisecond)
	e.insert(t, now)
	return nil
}

// insert puts a timer into the list of its delay. The lock is held.
func (e *Env) insert(t *Timeout, start int64) {
	t.start = start
	if e.timers.insert(t) {
		e.node.inserted(t.list.expiry, t.ms)
	}
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
	list := t.list
	t.unlink()
	// The list of an unreferenced timer stays, as in Node: it is likely to be used again.
	if list != nil && list.head == nil && !t.unref {
		e.timers.drop(list)
	}
	t.rest()
	t.fn = nil
}

// rest is for a timer that is no longer pending or running. The lock is held.
func (t *Timeout) rest() {
	t.forget()
	if t.idle {
		return
	}
	t.idle = true
	if !t.unref {
		t.env.addTimerRefs(-1)
	}
}

// Refresh starts the timer again with its delay, also after it has fired, but not after it was cleared:
// timeout.refresh. If the loop refuses, the timer is unchanged.
//
// Errors: [eventloop.ErrLoopTerminated], [eventloop.ErrInvalid].
func (t *Timeout) Refresh() error {
	e := t.env
	e.mu.Lock()
	defer e.mu.Unlock()
	if t.cleared {
		return nil
	}
	return e.begin(t)
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

// ID returns the timer's number, assigned at the first call: the primitive value of a Timeout. For a timer that is
// not pending or running it is 0.
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
