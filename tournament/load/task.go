package load

import (
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/internal/compute"
)

const (
	timeout    = time.Second            // of a task, in the mix with timers: armed and cancelled
	timerEvery = 16                     // one task in so many arms a timer that fires
	timerDelay = 500 * time.Microsecond // after so long
	chain      = 2                      // handlers of a promise
)

// needs are the capabilities that the mix requires.
func needs(m choose.Mix) []contestant.Capability {
	switch m {
	case choose.Timers:
		return []contestant.Capability{contestant.HasTimers}
	case choose.Microtasks:
		return []contestant.Capability{contestant.HasMicrotasks}
	case choose.Promises:
		return []contestant.Capability{contestant.HasPromises}
	}
	return nil
}

// timers is the number of timers that fire among those that n tasks arm.
func (d *driver) timers(n int) int {
	if d.spec.Mix != choose.Timers {
		return 0
	}
	return (n + timerEvery - 1) / timerEvery
}

// task makes the function of a slot. Every task reads the clock twice, and that is part of its cost.
func (d *driver) task(i int, s *slot) func() {
	work := func() {
		s.start = d.since()
		s.runs++
		if d.steps > 0 {
			s.sum = compute.Steps(uint64(s.start), d.steps)
		}
	}
	done := func() {
		s.end = d.since()
		d.trial.Ran.Add(1)
	}
	switch d.spec.Mix {
	case choose.Timers:
		return func() {
			cancel, err := d.arm(timeout, func() { d.failed(fmt.Errorf("a timeout that was cancelled after microseconds fired")) })
			work()
			if err == nil {
				cancel()
			}
			if i%timerEvery == 0 {
				due := d.since() + int64(timerDelay)
				if _, err := d.arm(timerDelay, func() {
					s.fired = d.since() - due
					d.trial.Ran.Add(1)
				}); err != nil {
					d.trial.Ran.Add(1)
				}
			}
			done()
		}
	case choose.Microtasks:
		second := done
		first := func() { d.queue(second) }
		return func() { work(); d.queue(first) }
	case choose.Promises:
		promises := d.trial.Loop.(contestant.Promises)
		return func() {
			settle, err := promises.Chain(chain, done)
			work()
			if err != nil {
				d.failed(err)
				done()
				return
			}
			settle()
		}
	default:
		return func() {
			work()
			done()
		}
	}
}

func (d *driver) arm(delay time.Duration, fn func()) (cancel func(), err error) {
	cancel, err = d.trial.Loop.(contestant.Timers).AfterFunc(delay, fn)
	if err != nil {
		d.failed(fmt.Errorf("arm a timer: %w", err))
	}
	return cancel, err
}

// queue queues a microtask, or runs it in its place and fails.
func (d *driver) queue(fn func()) {
	if err := d.trial.Loop.(contestant.Microtasks).ScheduleMicrotask(fn); err != nil {
		d.failed(fmt.Errorf("queue a microtask: %w", err))
		fn()
	}
}

// failed makes the trial fail. The first fault counts.
func (d *driver) failed(err error) { d.fault.CompareAndSwap(nil, &err) }
