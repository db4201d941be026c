package eventloop

import (
	"runtime"
	"slices"
	"testing"
	"time"
)

// The rival of these benchmarks is the loop that a Go programmer writes by hand: a goroutine that receives functions
// from a buffered channel.
func channelLoop(b *testing.B) (submit func(func())) {
	tasks := make(chan func(), 1024)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for task := range tasks {
			task()
		}
	}()
	b.Cleanup(func() { close(tasks); <-done })
	return func(fn func()) { tasks <- fn }
}

func besideChannel(b *testing.B, measure func(b *testing.B, submit func(func()))) {
	b.Run("Loop", func(b *testing.B) {
		l := benchLoop(b)
		measure(b, func(fn func()) { _ = l.Submit(fn) })
	})
	b.Run("Channel", func(b *testing.B) {
		submit := channelLoop(b)
		b.ReportAllocs()
		measure(b, submit)
	})
}

// BenchmarkPingPongLatency submits one task and waits until it has run.
func BenchmarkPingPongLatency(b *testing.B) {
	besideChannel(b, func(b *testing.B, submit func(func())) {
		ran := 0
		answer := make(chan struct{})
		task := func() { ran++; answer <- struct{}{} }
		for range b.N {
			submit(task)
			<-answer
		}
		expectCount(b, "tasks", ran, b.N)
	})
}

// BenchmarkWakeUp submits one task to a loop that has had the time to go to sleep, and measures from the submission to
// the start of the task: the median of single wake-ups.
func BenchmarkWakeUp(b *testing.B) {
	besideChannel(b, func(b *testing.B, submit func(func())) {
		ran := 0
		began := time.Now()
		answer := make(chan time.Duration)
		task := func() { ran++; answer <- time.Since(began) }
		waits := make([]time.Duration, b.N)
		for i := range b.N {
			for range 10 {
				runtime.Gosched()
			}
			submitted := time.Since(began)
			submit(task)
			waits[i] = <-answer - submitted
		}
		expectCount(b, "tasks", ran, b.N)
		slices.Sort(waits)
		b.ReportMetric(float64(waits[len(waits)/2]), "p50-ns")
		b.ReportMetric(float64(waits[len(waits)*99/100]), "p99-ns")
	})
}

// BenchmarkFeedsItself is a task that submits the next: a turn for each.
func BenchmarkFeedsItself(b *testing.B) {
	for _, tasks := range []int{1, 10, 4096} {
		b.Run(map[int]string{1: "Tasks=1", 10: "Tasks=10", 4096: "Tasks=4096"}[tasks], func(b *testing.B) {
			l := benchLoop(b)
			left, running := b.N, 0
			done := make(chan struct{})
			var again func()
			again = func() {
				if left--; left < 0 {
					if running--; running == 0 {
						close(done)
					}
					return
				}
				_ = l.Submit(again)
			}
			on(b, l, func() {
				running = tasks
				for range tasks {
					_ = l.Submit(again)
				}
			})
			await(b, "the tasks", done)
			expectCount(b, "tasks left", left, -tasks)
		})
	}
}
