package inspect

import (
	"context"
	"github.com/eventloop-go/eventloop/internal/meter"
	"log/slog"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
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
// an observer is; see [Observe] for the cost. A threshold that is not positive reports none.
func WithSlowCallbacks(threshold time.Duration, report func(SlowCallback)) eventloop.Option {
	return option(func(d inside.Diagnosis) {
		if threshold <= 0 {
			return
		}
		if report == nil {
			report = SlowCallback.Log
		}
		observe(d, Callbacks, func(e Event) {
			if e.Type == CallbackEnded && e.Took >= threshold {
				d.Count(meter.Slow)
				report(slowCallback(d, &e))
			}
		})
	})
}

func slowCallback(d inside.Diagnosis, e *Event) SlowCallback {
	return SlowCallback{
		Loop: d.Name(), Phase: e.Phase, Checkpoint: e.Checkpoint, Function: e.Function(), Submitted: e.Submitted(),
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
