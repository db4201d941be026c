package eventloop

import (
	"math/rand/v2"
	"slices"
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

// BenchmarkLockBesideTimers is how long the loop's lock is taken, as another goroutine sees it, while the loop starts a million timers,
// cancels every second one in a single callback, and brings its heap in order. None is beside a callback that leaves the lock
// alone: the machine itself holds a goroutine up for that long.
func BenchmarkLockBesideTimers(b *testing.B) {
	const n = 1_000_000
	timers := func(l *Loop) {
		handles := make([]Timer, n)
		random := rand.New(rand.NewPCG(1, 2))
		for i := range handles {
			handles[i], _ = l.ScheduleTimer(time.Hour+time.Duration(random.Int64N(int64(time.Hour))), func() {})
		}
		on(b, l, func() {
			for i := 0; i < n; i += 2 {
				handles[i].Stop()
			}
		})
		on(b, l, func() {}) // by then they have been taken out
		l.CancelTimers(handles...)
	}
	none := func(l *Loop) {
		on(b, l, func() {
			for began := time.Now(); time.Since(began) < 500*time.Millisecond; {
			}
		})
	}
	for _, c := range []struct {
		name string
		do   func(*Loop)
	}{{"None", none}, {"Timers", timers}} {
		b.Run(c.name, func(b *testing.B) {
			l := benchLoop(b)
			waits := make([]time.Duration, 0, 1<<24)
			for range b.N {
				over := make(chan struct{})
				go func() {
					defer close(over)
					c.do(l)
				}()
				for going := true; going && len(waits) < cap(waits); {
					select {
					case <-over:
						going = false
					default:
					}
					before := time.Now()
					for !l.in.mu.tryLock() { // lock would stay away for some time, which is not the holder's
					}
					waited := time.Since(before)
					l.in.mu.unlock()
					waits = append(waits, waited)
				}
				<-over
			}
			slices.Sort(waits)
			for _, p := range []struct {
				unit string
				of   int // one of so many waited longer
			}{{"p50-ns", 2}, {"p99-ns", 100}, {"p99.9-ns", 1000}, {"p99.99-ns", 10_000}} {
				b.ReportMetric(float64(waits[len(waits)-1-len(waits)/p.of]), p.unit)
			}
			b.ReportMetric(float64(waits[len(waits)-1]), "max-ns")
			b.ReportMetric(float64(len(waits))/float64(b.N), "locks/op")
		})
	}
}
