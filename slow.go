package eventloop

import (
	"context"
	"log/slog"
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/stacktrace"
)

// A SlowCallback is a callback that holds up its loop, or has held it up.
type SlowCallback struct {
	Loop       string // the name, see WithName
	Phase      Phase
	Checkpoint bool          // it is nextTick callbacks and microtasks that follow no callback
	Function   string        // the name of its function, or ""
	Submitted  string        // where it was submitted, see Event.Submitted; "" without WithTraceCreation
	Took       time.Duration // until it ended, or until now if it is still running
	Jobs       uint64        // nextTick callbacks and microtasks that ran in it; 0 if it is still running
	Running    bool          // a watchdog reports it
	Stack      []byte        // where it is, in the format of runtime.Stack; of a watchdog only
}

// WithSlowCallbacks has the loop report callbacks that take at least threshold, with the nextTick callbacks and microtasks
// that follow, when they have ended. A report of nil logs them through [log/slog] as warnings. It is called on the loop, as
// an observer is; see [Loop.Observe] for the cost. A threshold that is not positive reports none.
func WithSlowCallbacks(threshold time.Duration, report func(SlowCallback)) Option {
	return optionFunc(func(l *Loop) {
		if threshold <= 0 {
			return
		}
		if report == nil {
			report = SlowCallback.Log
		}
		l.Observe(ObserveCallbacks, func(e Event) {
			if e.Type == CallbackEnded && e.Took >= threshold {
				report(l.slowCallback(&e))
			}
		})
	})
}

func (l *Loop) slowCallback(e *Event) SlowCallback {
	return SlowCallback{
		Loop: l.name, Phase: e.Phase, Checkpoint: e.Checkpoint, Function: e.Function(), Submitted: e.Submitted(),
		Took: e.Took, Jobs: e.Jobs,
	}
}

// Log logs the callback through [log/slog], as a loop does whose report is nil.
func (s SlowCallback) Log() {
	what := "eventloop: slow callback"
	if s.Running {
		what = "eventloop: callback does not return"
	}
	var attrs []slog.Attr
	add := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	add("loop", s.Loop)
	add("phase", s.Phase.String())
	if s.Checkpoint {
		add("function", "microtasks that follow no callback")
	}
	add("function", s.Function)
	add("submitted", s.Submitted)
	attrs = append(attrs, slog.Duration("took", s.Took))
	if !s.Running {
		attrs = append(attrs, slog.Uint64("jobs", s.Jobs))
	}
	stacktrace.Log(context.Background(), slog.LevelWarn, what, s.Stack, attrs...)
}

// WithWatchdog has the loop report a callback that has been running for threshold and has not returned, once, with the
// stack of its goroutine at that moment. A report of nil logs it through [log/slog] as a warning. It is called on another
// goroutine while the callback runs; it may use the loop, but must not wait for it.
//
// A callback is reported between one and one and a half times the threshold after it has begun. To take the stack stops the
// program for as long as it takes to walk the stacks of all goroutines, 64 MB of text at most. A watchdog costs what observing
// callbacks costs, see [Loop.Observe], an allocation and two atomic stores for each, and a timer while the loop does not sleep. If the callback
// is a coroutine, the stack is that of a coroutine of some loop that runs. A threshold that is not positive means none.
func WithWatchdog(threshold time.Duration, report func(SlowCallback)) Option {
	return optionFunc(func(l *Loop) {
		if threshold <= 0 {
			return
		}
		if report == nil {
			report = SlowCallback.Log
		}
		w := &stallDetector{loop: l, threshold: threshold, report: report}
		l.Observe(ObservePhases|ObserveCallbacks, w.observe)
	})
}

// A stallDetector is a watchdog: it looks at its loop twice in each threshold, as long as that does not sleep.
//
// The owner publishes the callback in progress before it begins, and withdraws it when it has ended. It clears asleep, and
// then sets the timer if that is not set; the timer's function takes the mark away, and then looks at asleep. So one of them
// sets it anew if the loop does not sleep.
type stallDetector struct {
	loop      *Loop
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
		if e.Type == PhaseBegan && (w.loop.driven || w.goroutine.Load() == 0) {
			w.goroutine.Store(stacktrace.Number())
		}
		w.asleep.Store(false)
		w.arm()
	}
}

func (w *stallDetector) arm() {
	if !w.set.Load() && w.set.CompareAndSwap(false, true) {
		sched.AfterFunc(w.threshold/2, w.look)
	}
}

func (w *stallDetector) look() {
	e := w.current.Load()
	if e != nil && e != w.told {
		if took := time.Duration(w.loop.now()) - e.At; took >= w.threshold {
			w.told = e
			w.tell(*e, took)
		}
	}
	w.set.Store(false)
	select {
	case <-w.loop.done:
	default:
		if !w.asleep.Load() {
			w.arm()
		}
	}
}

func (w *stallDetector) tell(e Event, took time.Duration) {
	stack := stacktrace.Of(w.goroutine.Load())
	e.Took = took
	s := w.loop.slowCallback(&e)
	s.Running, s.Jobs, s.Stack = true, 0, stack
	w.report(s)
}
