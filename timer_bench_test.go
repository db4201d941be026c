package eventloop

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Schedule a timer and cancel it, from another goroutine, beside what a Go programmer would do without a loop.
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
		"Owner": func(l *Loop, d time.Duration, fn func()) (Timer, error) { return l.Owner().ScheduleTimer(d, fn) },
	}
	for _, name := range []string{"Loop", "Owner"} {
		schedule := schedulers[name]
		b.Run(name, func(b *testing.B) {
			l := benchLoop(b)
			cancelled := 0
			on(b, l, func() {
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
		o := l.Owner()
		for range n {
			_, _ = o.ScheduleTimer(0, fn)
		}
	})
	on(b, l, func() {})
	expectCount(b, "timers fired", fired, b.N)
}

// BenchmarkTimerLatency is from scheduling a due timer on a loop with nothing to do to being told by its callback.
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

// A million timers with random delays: what each costs to start, to cancel, in the order of starting and in another, to fire
// and to keep.
func BenchmarkMillionTimers(b *testing.B) {
	b.Run("Loop", func(b *testing.B) { benchmarkMillionTimers(b, false) })
	b.Run("Owner", func(b *testing.B) { benchmarkMillionTimers(b, true) })
}

func benchmarkMillionTimers(b *testing.B, owner bool) {
	const n = 1_000_000
	delays := make([]time.Duration, n)
	handles := make([]Timer, n)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range delays {
		delays[i] = time.Hour + time.Duration(random.Int64N(int64(time.Hour)))
	}
	var start, cancel, shuffled, fire time.Duration
	var bytes uint64
	for range b.N {
		l := running(b)
		fired := 0
		fn := func() { fired++ }
		timed := func(do func()) time.Duration {
			t := time.Now()
			if owner {
				on(b, l, do)
			} else {
				do()
			}
			on(b, l, func() {}) // by then the loop has put the timers in order
			return time.Since(t)
		}
		startAll := func() {
			start += timed(func() {
				if o := l.Owner(); owner {
					for i, d := range delays {
						handles[i], _ = o.ScheduleTimer(d, fn)
					}
					return
				}
				for i, d := range delays {
					handles[i], _ = l.ScheduleTimer(d, fn)
				}
			})
		}
		cancelAll := func() { expectCount(b, "timers cancelled", l.CancelTimers(handles...), n) }

		clear(handles)
		before := heapInUse()
		startAll()
		bytes += heapInUse() - before
		cancel += timed(cancelAll)
		startAll()
		random.Shuffle(n, func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
		shuffled += timed(cancelAll)
		startAll()
		t := time.Now()
		on(b, l, func() { l.epoch = l.epoch.Add(-2 * time.Hour) }) // its clock leaps: all are due
		on(b, l, func() {})
		fire += time.Since(t)
		expectCount(b, "timers fired", fired, n)
		must(b, l.Close())
		<-l.Done()
	}
	per := float64(b.N) * n
	b.ReportMetric(float64(start)/per/3, "start-ns/timer")
	b.ReportMetric(float64(cancel)/per, "cancel-ns/timer")
	b.ReportMetric(float64(shuffled)/per, "shuffled-cancel-ns/timer")
	b.ReportMetric(float64(fire)/per, "fire-ns/timer")
	b.ReportMetric(float64(bytes)/per, "B/timer")
	b.ReportMetric(0, "ns/op")
}
