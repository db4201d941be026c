package bench

import (
	"testing"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The price of metrics is the difference between on and off, in each of the following. A single task, in PingPong,
// has no batch to share readings of the clock with.

func BenchmarkMetricsSubmit(b *testing.B) { onAndOff(b, submitInChunks) }

func BenchmarkMetricsSubmitFromTheLoop(b *testing.B) { onAndOff(b, submitFromTheLoop) }

func BenchmarkMetricsPingPong(b *testing.B) {
	onAndOff(b, func(b *testing.B, l *Loop) { pingPong(b, submitTo(l)) })
}

func BenchmarkMetricsTimerFire(b *testing.B) { onAndOff(b, fireTimers) }

func fireTimers(b *testing.B, l *Loop) {
	fired := 0
	fn := func() { fired++ }
	rounds(b, l, b.N, func(n int) {
		for range n {
			_, _ = adapter.Of(l).ScheduleTimer(0, fn)
		}
	})
	testkit.On(b, l, func() {})
	expectCount(b, "timers fired", fired, b.N)
}

// BenchmarkMetricsSnapshot measures the cost for a reader, and the wait for the loop.
func BenchmarkMetricsSnapshot(b *testing.B) {
	l := benchLoop(b, inspect.WithMetrics())
	for range b.N {
		if inspect.ReadMetrics(l).Ran.Total() == 0 {
			b.Fatal("nothing has run")
		}
	}
}

func onAndOff(b *testing.B, run func(*testing.B, *Loop)) {
	b.Run("Off", func(b *testing.B) { run(b, benchLoop(b)) })
	b.Run("On", func(b *testing.B) { run(b, benchLoop(b, inspect.WithMetrics())) })
}
