package eventloop

import "testing"

// The price of metrics is the difference between on and off, in each of these. A task of its own, in PingPong, has no
// batch to share readings of the clock with.

func BenchmarkMetricsSubmit(b *testing.B) { onAndOff(b, submitInBatches) }

func BenchmarkMetricsSubmitFromTheLoop(b *testing.B) {
	onAndOff(b, func(b *testing.B, l *Loop) {
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
func submitInBatches(b *testing.B, l *Loop) {
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
func pingPong(b *testing.B, l *Loop) {
	ran := 0
	answer := make(chan struct{})
	task := func() { ran++; answer <- struct{}{} }
	for range b.N {
		_ = l.Submit(task)
		<-answer
	}
	expectCount(b, "tasks", ran, b.N)
}

func fireTimers(b *testing.B, l *Loop) {
	fired := 0
	fn := func() { fired++ }
	rounds(b, l, b.N, func(n int) {
		o := l.Owner()
		for range n {
			_, _ = o.ScheduleTimer(0, fn)
		}
	})
	on(b, l, func() {})
	expectCount(b, "timers fired", fired, b.N)
}

// BenchmarkMetricsSnapshot is what a reader pays, and what the loop may have to wait for.
func BenchmarkMetricsSnapshot(b *testing.B) {
	l := benchLoop(b, WithMetrics())
	for range b.N {
		if l.Metrics().Ran.Total() == 0 {
			b.Fatal("nothing has run")
		}
	}
}

func onAndOff(b *testing.B, run func(*testing.B, *Loop)) {
	b.Run("Off", func(b *testing.B) { run(b, benchLoop(b)) })
	b.Run("On", func(b *testing.B) { run(b, benchLoop(b, WithMetrics())) })
}
