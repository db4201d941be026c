package bench

import (
	"testing"
	"time"

	. "github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// BenchmarkTimerCancelFromOutside schedules a timer and cancels it, from another goroutine, beside the usual Go code
// without a loop.
func BenchmarkTimerCancelFromOutside(b *testing.B) {
	b.Run("CancelTimer", func(b *testing.B) {
		l := benchLoop(b)
		cancelled := 0
		for range b.N {
			if h, _ := l.ScheduleTimer(time.Hour, func() {}); l.CancelTimer(h) {
				cancelled++
			}
		}
		expectCount(b, "timers cancelled", cancelled, b.N)
	})
	b.Run("Stop", func(b *testing.B) {
		l := benchLoop(b)
		stopped := 0
		for range b.N {
			if h, _ := l.ScheduleTimer(time.Hour, func() {}); h.Stop() {
				stopped++
			}
		}
		expectCount(b, "timers stopped", stopped, b.N)
	})
	b.Run("AfterFunc", func(b *testing.B) {
		b.ReportAllocs()
		stopped := 0
		for range b.N {
			if t := time.AfterFunc(time.Hour, func() {}); t.Stop() {
				stopped++
			}
		}
		expectCount(b, "timers stopped", stopped, b.N)
	})
}

func BenchmarkTimerCancelFromTheLoop(b *testing.B) {
	schedulers := map[string]func(*Loop, time.Duration, func()) (Timer, error){
		"Loop":  (*Loop).ScheduleTimer,
		"Owner": func(l *Loop, d time.Duration, fn func()) (Timer, error) { return adapter.Of(l).ScheduleTimer(d, fn) },
	}
	for _, name := range []string{"Loop", "Owner"} {
		schedule := schedulers[name]
		b.Run(name, func(b *testing.B) {
			l := benchLoop(b)
			cancelled := 0
			testkit.On(b, l, func() {
				for range b.N {
					if h, _ := schedule(l, time.Hour, func() {}); l.CancelTimer(h) {
						cancelled++
					}
				}
			})
			expectCount(b, "timers cancelled", cancelled, b.N)
		})
	}
}

// BenchmarkTimerFire schedules timers that are due, and runs them.
func BenchmarkTimerFire(b *testing.B) {
	l := benchLoop(b)
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

// BenchmarkTimerLatency measures from scheduling a due timer on an idle loop to its callback.
func BenchmarkTimerLatency(b *testing.B) {
	l := benchLoop(b)
	fired := make(chan struct{})
	n := 0
	fn := func() { n++; fired <- struct{}{} }
	for range b.N {
		_, _ = l.ScheduleTimer(0, fn)
		<-fired
	}
	expectCount(b, "timers fired", n, b.N)
}
