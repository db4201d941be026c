package component

import (
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

// submits has one caller submit empty tasks. The product has one mode, so that the rows named for a fast path, and those
// without metrics, are the same operation.
func submits(b *testing.B, counted bool, opts ...eventloop.Option) {
	l := loopUp(b, opts...)
	ran := 0
	task := func() { ran++ }
	laps(b, counted, func(n int) {
		for range n {
			_ = l.Submit(task)
		}
	}, func() { drain(b, l) })
	expect(b, "tasks", ran, b.N)
}

func BenchmarkSubmit(b *testing.B)                     { submits(b, besides) }
func BenchmarkSubmit_Executed(b *testing.B)            { submits(b, within) }
func BenchmarkFastPathSubmit(b *testing.B)             { submits(b, besides) }
func BenchmarkFastPathSubmit_Executed(b *testing.B)    { submits(b, within) }
func BenchmarkSubmitExecution(b *testing.B)            { submits(b, within) }
func BenchmarkFastPathExecution(b *testing.B)          { submits(b, within) }
func BenchmarkNoMetrics(b *testing.B)                  { submits(b, besides) }
func BenchmarkNoMetrics_Executed(b *testing.B)         { submits(b, within) }
func BenchmarkMetricsCollection(b *testing.B)          { submits(b, besides, inspect.WithMetrics()) }
func BenchmarkMetricsCollection_Executed(b *testing.B) { submits(b, within, inspect.WithMetrics()) }

func submitsInternal(b *testing.B, counted bool) {
	l := loopUp(b)
	ran := 0
	task := func() { ran++ }
	laps(b, counted, func(n int) {
		for range n {
			_ = l.SubmitInternal(task)
		}
	}, func() { drainInternal(b, l) })
	expect(b, "tasks", ran, b.N)
}

// drainInternal is drain behind a long backlog of the priority lane, which lets a batch of external tasks run between two of its own.
func drainInternal(b *testing.B, l *eventloop.Loop) {
	ran := make(chan struct{})
	if err := l.SubmitInternal(func() { close(ran) }); err != nil {
		b.Fatal(err)
	}
	select {
	case <-ran:
	case <-time.After(patience):
		b.Fatal("the loop has not run what it took")
	}
}

func BenchmarkSubmitInternal(b *testing.B)          { submitsInternal(b, besides) }
func BenchmarkSubmitInternal_Executed(b *testing.B) { submitsInternal(b, within) }

// submitsParallel has all processors submit. One of the rows is defined with a nil task. The product refuses a nil
// task before it reaches the queue, so that row too submits an empty one.
func submitsParallel(b *testing.B, counted bool) {
	l := loopUp(b)
	ran := 0
	task := func() { ran++ }
	parallelLaps(b, counted, 1, func() { _ = l.Submit(task) }, func() { drain(b, l) })
	expect(b, "tasks", ran, b.N)
}

func BenchmarkSubmit_Parallel(b *testing.B)                         { submitsParallel(b, besides) }
func BenchmarkSubmit_Parallel_Executed(b *testing.B)                { submitsParallel(b, within) }
func BenchmarkTask1_2_ConcurrentSubmissions(b *testing.B)           { submitsParallel(b, besides) }
func BenchmarkTask1_2_ConcurrentSubmissions_Executed(b *testing.B)  { submitsParallel(b, within) }
func BenchmarkWakeUpDeduplicationIntegration(b *testing.B)          { submitsParallel(b, besides) }
func BenchmarkWakeUpDeduplicationIntegration_Executed(b *testing.B) { submitsParallel(b, within) }

// BenchmarkSubmitLatency awaits each task before the next.
func BenchmarkSubmitLatency(b *testing.B) { answers(b, 0) }

// BenchmarkLatencyAnalysis_SubmitWhileRunning is the same with a channel that has room for a lap.
func BenchmarkLatencyAnalysis_SubmitWhileRunning(b *testing.B) { answers(b, lap) }

// BenchmarkLatencyAnalysis_SubmitWhileRunning_Busy has a loop that runs: a task submits itself again as long as the time lasts.
func BenchmarkLatencyAnalysis_SubmitWhileRunning_Busy(b *testing.B) {
	l := loopUp(b)
	ran, busy := 0, true
	var again func()
	again = func() {
		if busy {
			_ = l.Submit(again)
		}
	}
	must(b, l.Submit(again))
	answer := make(chan struct{}, lap)
	task := func() { ran++; answer <- struct{}{} }
	b.ResetTimer()
	for range b.N {
		must(b, l.Submit(task))
		<-answer
	}
	b.StopTimer()
	on(b, l, func() { busy = false })
	expect(b, "tasks", ran, b.N)
}

func answers(b *testing.B, room int) {
	l := loopUp(b)
	ran := 0
	answer := make(chan struct{}, room)
	task := func() { ran++; answer <- struct{}{} }
	for range b.N {
		must(b, l.Submit(task))
		<-answer
	}
	expect(b, "tasks", ran, b.N)
}

// closes makes a channel for each task, which closes it.
func closes(b *testing.B, each func()) {
	l := loopUp(b)
	ran := 0
	for range b.N {
		each()
		done := make(chan struct{})
		must(b, l.Submit(func() { ran++; close(done) }))
		<-done
	}
	expect(b, "tasks", ran, b.N)
}

func BenchmarkMicroPingPong(b *testing.B)          { closes(b, func() {}) }
func BenchmarkMicroPingPongWithCount(b *testing.B) { closes(b, func() {}) }

// BenchmarkLatencyAnalysis_EndToEnd has two readings of the clock in every operation.
func BenchmarkLatencyAnalysis_EndToEnd(b *testing.B) {
	var began time.Time
	var total time.Duration
	closes(b, func() {
		if !began.IsZero() {
			total += time.Since(began)
		}
		began = time.Now()
	})
	if total < 0 {
		b.Fatal("the clock went back")
	}
}

func BenchmarkLatencyAnalysis_PingPong(b *testing.B) {
	l := loopUp(b)
	ping, pong := make(chan struct{}), make(chan struct{})
	ran := 0
	task := func() { ran++; pong <- struct{}{} }
	go func() {
		for range ping {
			_ = l.Submit(task)
		}
	}()
	for range b.N {
		ping <- struct{}{}
		<-pong
	}
	close(ping)
	expect(b, "answers", ran, b.N)
}

// contends has four callers on each processor, each operation a task and a microtask. It also runs the remainder of
// b.N after an even division, unlike the published one.
func contends(b *testing.B, counted bool) {
	l := loopUp(b)
	tasks, micros := 0, 0
	task, micro := func() { tasks++ }, func() { micros++ }
	parallelLaps(b, counted, 4, func() { _, _ = l.Submit(task), l.ScheduleMicrotask(micro) }, func() { drain(b, l) })
	expect(b, "tasks", tasks, b.N)
	expect(b, "microtasks", micros, b.N)
}

func BenchmarkHighContention(b *testing.B)          { contends(b, besides) }
func BenchmarkHighContention_Executed(b *testing.B) { contends(b, within) }
