package component

import (
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func micros(b *testing.B, counted bool) {
	l := loopUp(b)
	ran := 0
	job := func() { ran++ }
	laps(b, counted, func(n int) {
		for range n {
			_ = l.ScheduleMicrotask(job)
		}
	}, func() { drain(b, l) })
	expect(b, "microtasks", ran, b.N)
}

func microsParallel(b *testing.B, counted bool) {
	l := loopUp(b)
	ran := 0
	job := func() { ran++ }
	parallelLaps(b, counted, 1, func() { _ = l.ScheduleMicrotask(job) }, func() { drain(b, l) })
	expect(b, "microtasks", ran, b.N)
}

func BenchmarkMicrotaskSchedule(b *testing.B)                  { micros(b, besides) }
func BenchmarkMicrotaskExecution(b *testing.B)                 { micros(b, within) }
func BenchmarkMicrotaskSchedule_Parallel(b *testing.B)         { microsParallel(b, besides) }
func BenchmarkMicrotaskSchedule_Parallel_Drained(b *testing.B) { microsParallel(b, within) }

func BenchmarkMicrotaskLatency(b *testing.B) {
	l := loopUp(b)
	ran := 0
	answer := make(chan struct{})
	job := func() { ran++; answer <- struct{}{} }
	for range b.N {
		must(b, l.ScheduleMicrotask(job))
		<-answer
	}
	expect(b, "microtasks", ran, b.N)
}

// BenchmarkMixedWorkload performs, of ten operations, four microtasks, three tasks, two timers that are due, and one
// promise with a handler.
func BenchmarkMixedWorkload(b *testing.B) {
	l := loopUp(b)
	ran := 0
	fn := func() { ran++ }
	next := 0
	laps(b, within, func(n int) {
		for range n {
			switch k := next % 10; {
			case k < 4:
				_ = l.ScheduleMicrotask(fn)
			case k < 7:
				_ = l.Submit(fn)
			case k < 9:
				_, _ = l.ScheduleTimer(0, fn)
			default:
				p, r := promise.WithResolvers[int](l)
				promise.Then(p, func(v int) (int, error) { ran++; return v, nil })
				r.Resolve(1)
			}
			next++
		}
	}, func() { timersDrained(b, l) })
	expect(b, "callbacks", ran, b.N)
}

// timersDrained waits until the timers that are due have fired: one with a later deadline comes behind them.
func timersDrained(b *testing.B, l *eventloop.Loop) {
	fired := make(chan struct{})
	_, err := l.ScheduleTimer(time.Nanosecond, func() { close(fired) })
	must(b, err)
	<-fired
	drain(b, l)
}
