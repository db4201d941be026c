package bench

import (
	"testing"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

// BenchmarkDiagnosis measures the cost of each diagnosis option: for a task in a batch, for a single task with a
// waiter, and for a timer.
func BenchmarkDiagnosis(b *testing.B) {
	nothing := func(inspect.Event) {}
	for _, o := range []struct {
		name   string
		option Option
		what   inspect.Events
	}{
		{"Off", nil, 0},
		{"Name", WithName("orders"), 0},
		{"Metrics", inspect.WithMetrics(), 0},
		{"Phases", nil, inspect.Phases},
		{"Callbacks", nil, inspect.Callbacks},
		{"SlowCallbacks", inspect.WithSlowCallbacks(time.Hour, nil), 0},
		{"Watchdog", inspect.WithWatchdog(time.Hour, nil), 0},
		{"TraceCreation", inspect.WithTraceCreation(), 0},
	} {
		start := func(b *testing.B) *Loop {
			l := benchLoop(b, o.option)
			inspect.Observe(l, o.what, nothing)
			return l
		}
		b.Run("Submit/"+o.name, func(b *testing.B) { submitInChunks(b, start(b)) })
		b.Run("PingPong/"+o.name, func(b *testing.B) { pingPong(b, submitTo(start(b))) })
		b.Run("Timer/"+o.name, func(b *testing.B) { fireTimers(b, start(b)) })
	}
}
