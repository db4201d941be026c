package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The baseline of the following benchmarks is a hand-written loop: a goroutine that receives functions from a
// buffered channel.
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

// reportQuantiles reports the median and the 99th percentile. It sorts waits.
func reportQuantiles(b *testing.B, waits []time.Duration) {
	slices.Sort(waits)
	b.ReportMetric(float64(waits[len(waits)/2]), "p50-ns")
	b.ReportMetric(float64(waits[len(waits)*99/100]), "p99-ns")
}

func besideChannel(b *testing.B, measure func(b *testing.B, submit func(func()))) {
	testkit.Bounded(b) // a pending timer makes the runtime's scheduler read the clock: for both, or for none
	b.Run("Loop", func(b *testing.B) {
		measure(b, submitTo(benchLoop(b)))
	})
	b.Run("Channel", func(b *testing.B) {
		submit := channelLoop(b)
		b.ReportAllocs()
		measure(b, submit)
	})
}

// BenchmarkPingPongLatency submits one task and waits until it has run.
func BenchmarkPingPongLatency(b *testing.B) {
	besideChannel(b, pingPong)
}

// BenchmarkWakeUp submits one task to a loop that has had the time to go to sleep. It measures from the submission to
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
		reportQuantiles(b, waits)
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
			testkit.On(b, l, func() {
				running = tasks
				for range tasks {
					_ = l.Submit(again)
				}
			})
			testkit.Await(b, "the tasks", done)
			expectCount(b, "tasks left", left, -tasks)
		})
	}
}

// BenchmarkOpenLoop has tasks come in at random, whether or not the loop keeps up. A generator, which never sleeps
// and takes a processor for itself, submits each at its time. It measures from that time to the start of the task.
func BenchmarkOpenLoop(b *testing.B) {
	for _, rate := range []int{1_000, 100_000} {
		for _, c := range []struct {
			name  string
			setup func(b *testing.B) func(func())
		}{
			{"Channel", channelLoop},
			{"Loop", func(b *testing.B) func(func()) { return submitTo(benchLoop(b)) }},
			{"BusyPolling", func(b *testing.B) func(func()) { return submitTo(benchLoop(b, WithBusyPolling(20*time.Millisecond))) }},
		} {
			b.Run(fmt.Sprintf("Rate=%d/%s", rate, c.name), func(b *testing.B) {
				submit := c.setup(b)
				random := rand.New(rand.NewPCG(1, 2))
				var ran sync.WaitGroup
				ran.Add(b.N)
				// The tasks are made before: the collector, at work for a generator that allocates, holds every loop up
				// for milliseconds.
				var began time.Time
				intended, waits, tasks := make([]time.Duration, b.N), make([]time.Duration, b.N), make([]func(), b.N)
				at := time.Duration(0)
				for i := range b.N {
					at += time.Duration(random.ExpFloat64() * float64(time.Second) / float64(rate))
					intended[i] = at
					tasks[i] = func() { waits[i] = time.Since(began) - intended[i]; ran.Done() }
				}
				runtime.GC()
				b.ResetTimer()
				began = time.Now()
				for i, task := range tasks {
					for time.Since(began) < intended[i] {
					}
					submit(task)
				}
				ran.Wait()
				reportQuantiles(b, waits)
			})
		}
	}
}
