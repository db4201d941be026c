package js

import (
	"time"

	"github.com/eventloop-go/eventloop"
)

// A driver is the loop's timer for all timers of an environment.
type driver struct {
	timer eventloop.Timer
	made  bool
	at    int64 // when it fires, in nanoseconds since the origin, or never
	held  bool  // callbacks of ours are in progress; it is set when they are over
	waits bool  // timers that are due wait for it: a shutdown does not end the loop before it fires
}

// awaited is a millisecond whose timers wait for the last of them.
type awaited struct {
	ms    int64 // or never
	until int64 // when the last is due, in nanoseconds since the origin
}

// arm sets the driver to fire at a time, unless it fires earlier anyway. An occasional needless firing costs less
// than moving the driver whenever the first timer is cleared. The caller holds the lock. The error says that the loop
// is ending.
func (e *Env) arm(when int64) error {
	d := &e.driver
	if when >= d.at {
		return nil
	}
	delay := time.Duration(max(when-e.now(), 0))
	if d.made {
		if err := d.timer.Reset(delay); err != nil {
			return err
		}
	} else {
		timer, err := e.loop.ScheduleTimer(delay, e.runTimers)
		if err != nil {
			return err
		}
		d.timer, d.made = timer, true
		if e.timerRefs == 0 {
			timer.Unref()
		}
	}
	d.at = when
	return nil
}

// addTimerRefs counts timers that keep the loop open; one does it for all.
func (e *Env) addTimerRefs(n int) {
	before := e.timerRefs
	e.timerRefs += n
	switch {
	case !e.driver.made:
	case before == 0 && e.timerRefs > 0:
		e.driver.timer.Ref()
	case before > 0 && e.timerRefs == 0:
		e.driver.timer.Unref()
	}
}

// enter and leave frame the running of timers, which may be nested when a host runs some ahead. However the callbacks
// end, leave arranges that the loop comes back for pending timers.
func (e *Env) enter() (outermost bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	outermost = !e.driver.held
	e.driver.held = true
	return outermost
}

func (e *Env) leave(outermost bool) {
	if !outermost {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.driver.held = false
	e.armFirst()
}

// armFirst sets the driver for the first timers that are pending. The lock is held.
func (e *Env) armFirst() {
	due := e.timers.due()
	when := due
	if e.awaited.ms != never {
		when = max(due, e.awaited.until)
	}
	armed := when != never && e.arm(when) == nil
	e.wait(armed && e.awaited.ms != never)
	if armed || when == never {
		return
	}
	// The loop takes no timers any more. While it drains, it runs those that are due; it fails when it has ended.
	if due <= e.drained() {
		_ = e.loop.SubmitInternal(e.runTimers)
	}
}

// wait reports to the loop whether timers that are due wait for the driver. It is called on the loop.
func (e *Env) wait(waits bool) {
	if waits == e.driver.waits {
		return
	}
	e.driver.waits = waits
	if waits {
		e.hooks.Hold(1)
	} else {
		e.hooks.Hold(-1)
	}
}

// drained returns the time at which we noticed that the loop takes no timers any more. Timers that are due later do
// not run on it. The caller holds the lock.
func (e *Env) drained() int64 {
	if e.ending == never {
		e.ending = e.now()
	}
	return e.ending
}
