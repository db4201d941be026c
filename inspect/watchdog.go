package inspect

import (
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// WithWatchdog has the loop report a callback that has been running for threshold and has not returned, once, with the
// stack of its goroutine at that moment. A report of nil logs it through [log/slog] as a warning. It is called on another
// goroutine while the callback runs; it may use the loop, but must not wait for it. Its panic goes to the panic handler, on the
// loop.
//
// A callback is reported between one and one and a half times the threshold after it has begun. Taking the stack
// stops the program for as long as it takes to walk the stacks of all goroutines, 64 MB of text at most. A watchdog
// costs as much as observing callbacks, see [Observe]. It also costs an allocation and two atomic stores for each
// callback, and a timer while the loop is awake. If the callback is a coroutine, the stack is the stack of a running
// coroutine of some loop. Off for a threshold ≤ 0.
//
// Under package looptest it watches the time of the loop's clock, which passes in a callback by Spend. It then calls report
// in the callback, on the goroutine that calls Spend.
func WithWatchdog(threshold time.Duration, report func(SlowCallback)) eventloop.Option {
	return option(func(d inside.Diagnosis) {
		if threshold <= 0 {
			return
		}
		if report == nil {
			report = SlowCallback.Log
		}
		w := &stallDetector{loop: d, threshold: threshold, report: report}
		observe(d, Phases|Callbacks, w.observe)
	})
}

// A stallDetector is a watchdog: it checks its loop twice in each threshold, while the loop is awake.
//
// The owner publishes the callback in progress before it begins, and withdraws it after its end. The owner clears
// asleep and then sets the timer if it is not set. The timer's function clears that mark and then reads asleep. So if
// the loop is awake, one of them sets the timer again.
type stallDetector struct {
	loop      inside.Diagnosis
	threshold time.Duration
	report    func(SlowCallback)

	current sched.Pointer[Event] // nil if no callback is in progress
	told    *Event               // the last that was reported; the timer's
	asleep  sched.Bool
	set     sched.Bool

	goroutine sched.Uint64 // the owner's number, since its first phase; of a driven loop, that of the phase
}

func (w *stallDetector) observe(e Event) {
	switch e.Type {
	case CallbackBegan:
		began := e // a copy, so that no other event is allocated
		w.current.Store(&began)
	case CallbackEnded:
		w.current.Store(nil)
	case LoopSleeps:
		w.asleep.Store(true)
	case LoopWakes, PhaseBegan:
		if e.Type == PhaseBegan && (w.loop.Driven() || w.goroutine.Load() == 0) {
			w.goroutine.Store(stacktrace.Number())
		}
		w.asleep.Store(false)
		w.arm()
	}
}

func (w *stallDetector) arm() {
	if !w.set.Load() && w.set.CompareAndSwap(false, true) {
		w.loop.AfterFunc(w.threshold/2, w.look)
	}
}

func (w *stallDetector) look() {
	defer w.again() // also if the report calls Goexit
	e := w.current.Load()
	if e != nil && e != w.told {
		if took := w.loop.Now() - e.At; took >= w.threshold {
			w.told = e
			w.loop.Guard(func() { w.tell(*e, took) })
		}
	}
}

func (w *stallDetector) again() {
	w.set.Store(false)
	select {
	case <-w.loop.Done():
	default:
		if !w.asleep.Load() {
			w.arm()
		}
	}
}

func (w *stallDetector) tell(e Event, took time.Duration) {
	stack := stacktrace.Of(w.goroutine.Load())
	e.Took = took
	s := slowCallback(w.loop, &e)
	s.Running, s.Jobs, s.Stack = true, 0, stack
	w.report(s)
}
