package eventloop

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// These benchmarks read and set fields of the loop. The others are in tests/bench.

// A million timers with random delays. The benchmark measures the cost of each to start, to cancel, in the order of
// starting and in another, to fire and to keep.
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
				testkit.On(b, l, do)
			} else {
				do()
			}
			testkit.On(b, l, func() {}) // by then the loop has put the timers in order
			return time.Since(t)
		}
		startAll := func() {
			start += timed(func() {
				if owner {
					for i, d := range delays {
						handles[i], _ = l.scheduleOwn(d, fn)
					}
					return
				}
				for i, d := range delays {
					handles[i], _ = l.ScheduleTimer(d, fn)
				}
			})
		}
		cancelAll := func() {
			if cancelled := l.CancelTimers(handles...); cancelled != n {
				b.Fatalf("%d timers cancelled, want %d", cancelled, n)
			}
		}

		clear(handles)
		before := testkit.HeapInUse()
		startAll()
		bytes += testkit.HeapInUse() - before
		cancel += timed(cancelAll)
		startAll()
		random.Shuffle(n, func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
		shuffled += timed(cancelAll)
		startAll()
		t := time.Now()
		testkit.On(b, l, func() { l.epoch = l.epoch.Add(-2 * time.Hour) }) // its clock leaps: all are due
		testkit.On(b, l, func() {})
		fire += time.Since(t)
		if fired != n {
			b.Fatalf("%d timers fired, want %d", fired, n)
		}
		testkit.Must(b, l.Close())
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

// BenchmarkLockBesideTimers is how long the loop's lock is taken, as another goroutine sees it. Meanwhile the loop
// starts a million timers, cancels every second one in a single callback, and sorts its heap. None is beside a
// callback that does not use the lock: the machine itself delays a goroutine for that long.
func BenchmarkLockBesideTimers(b *testing.B) {
	const n = 1_000_000
	timers := func(l *Loop) {
		handles := make([]Timer, n)
		random := rand.New(rand.NewPCG(1, 2))
		for i := range handles {
			handles[i], _ = l.ScheduleTimer(time.Hour+time.Duration(random.Int64N(int64(time.Hour))), func() {})
		}
		testkit.On(b, l, func() {
			for i := 0; i < n; i += 2 {
				handles[i].Stop()
			}
		})
		testkit.On(b, l, func() {}) // by then they have been taken out
		l.CancelTimers(handles...)
	}
	none := func(l *Loop) {
		testkit.On(b, l, func() {
			for began := time.Now(); time.Since(began) < 500*time.Millisecond; {
			}
		})
	}
	for _, c := range []struct {
		name string
		do   func(*Loop)
	}{{"None", none}, {"Timers", timers}} {
		b.Run(c.name, func(b *testing.B) {
			l := running(b)
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
