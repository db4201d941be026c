package inspect_test

import (
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
)

// The price of metrics is the difference between on and off, in each of the following. A single task, in PingPong,
// has no batch to share readings of the clock with.

func BenchmarkMetricsSubmit(b *testing.B) { onAndOff(b, submitInBatches) }

func BenchmarkMetricsSubmitFromTheLoop(b *testing.B) {
	onAndOff(b, func(b *testing.B, l *eventloop.Loop) {
		ran := 0
		task := func() { ran++ }
		rounds(b, l, b.N, func(n int) {
			for range n {
				_ = l.Submit(task)
			}
		})
		on(b, l, func() {})
		expectCount(b, "tasks", ran, b.N)
	})
}

func BenchmarkMetricsPingPong(b *testing.B) { onAndOff(b, pingPong) }

func BenchmarkMetricsTimerFire(b *testing.B) { onAndOff(b, fireTimers) }

// submitInBatches submits tasks, and waits now and then until they have run.
func submitInBatches(b *testing.B, l *eventloop.Loop) {
	ran := 0
	task := func() { ran++ }
	drained := make(chan struct{})
	last := func() { ran++; drained <- struct{}{} }
	for i := range b.N {
		if i == b.N-1 || i%chunk == chunk-1 {
			_ = l.Submit(last)
			<-drained
			continue
		}
		_ = l.Submit(task)
	}
	expectCount(b, "tasks", ran, b.N)
}

// pingPong waits for the answer of each task.
func pingPong(b *testing.B, l *eventloop.Loop) {
	ran := 0
	answer := make(chan struct{})
	task := func() { ran++; answer <- struct{}{} }
	for range b.N {
		_ = l.Submit(task)
		<-answer
	}
	expectCount(b, "tasks", ran, b.N)
}

func fireTimers(b *testing.B, l *eventloop.Loop) {
	fired := 0
	fn := func() { fired++ }
	rounds(b, l, b.N, func(n int) {
		for range n {
			_, _ = adapter.Of(l).ScheduleTimer(0, fn)
		}
	})
	on(b, l, func() {})
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

func onAndOff(b *testing.B, run func(*testing.B, *eventloop.Loop)) {
	b.Run("Off", func(b *testing.B) { run(b, benchLoop(b)) })
	b.Run("On", func(b *testing.B) { run(b, benchLoop(b, inspect.WithMetrics())) })
}

const chunk = 1024

func benchLoop(b *testing.B, opts ...eventloop.Option) *eventloop.Loop {
	l := running(b, opts...)
	on(b, l, func() {})
	b.ReportAllocs()
	b.ResetTimer()
	return l
}

func expectCount(b *testing.B, what string, got, want int) {
	b.Helper()
	if got != want {
		b.Fatalf("%d %s, want %d", got, what, want)
	}
}

// rounds runs n operations on the loop in chunks; do gets the number of operations for one callback.
func rounds(b *testing.B, l *eventloop.Loop, n int, do func(n int)) {
	for left := n; left > 0; left -= chunk {
		on(b, l, func() { do(min(left, chunk)) })
	}
	on(b, l, func() {}) // Do returns before the microtasks of its callback have run
}
