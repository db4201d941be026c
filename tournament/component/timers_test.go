package component

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
)

var nothing = func() {}

// cancels schedules many one-hour timers and cancels them, one call at a time or in one. The slice is new each time
// or reused. The product cancels without a round trip, so the benchmark waits for nothing.
func cancels(b *testing.B, count int, batch, reuse bool) {
	l := loopUp(b)
	handles := make([]eventloop.Timer, count)
	cancelled := 0
	for range b.N {
		if !reuse {
			handles = make([]eventloop.Timer, count)
		}
		for i := range handles {
			handles[i], _ = l.ScheduleTimer(time.Hour, nothing)
		}
		if batch {
			cancelled += l.CancelTimers(handles...)
			continue
		}
		for _, h := range handles {
			if l.CancelTimer(h) {
				cancelled++
			}
		}
	}
	expect(b, "timers cancelled", cancelled, b.N*count)
}

// onlyCancels leaves the scheduling out of the clock: many times the number are scheduled at once.
func onlyCancels(b *testing.B, count int, batch bool) {
	l := loopUp(b)
	const rounds = 64
	cancelled := 0
	for left := b.N; left > 0; left -= rounds {
		b.StopTimer()
		sets := make([][]eventloop.Timer, min(left, rounds))
		for i := range sets {
			sets[i] = make([]eventloop.Timer, count)
			for k := range sets[i] {
				sets[i][k], _ = l.ScheduleTimer(time.Hour, nothing)
			}
		}
		b.StartTimer()
		for _, handles := range sets {
			if batch {
				cancelled += l.CancelTimers(handles...)
				continue
			}
			for _, h := range handles {
				if l.CancelTimer(h) {
					cancelled++
				}
			}
		}
	}
	expect(b, "timers cancelled", cancelled, b.N*count)
}

func cancelSizes(b *testing.B, run func(*testing.B, int)) {
	for _, count := range []int{10, 50, 100} {
		b.Run(fmt.Sprintf("timers_%d", count), func(b *testing.B) { run(b, count) })
	}
}

func BenchmarkCancelTimer_Individual(b *testing.B) {
	cancelSizes(b, func(b *testing.B, n int) { cancels(b, n, false, false) })
}

func BenchmarkCancelTimers_Batch(b *testing.B) {
	cancelSizes(b, func(b *testing.B, n int) { cancels(b, n, true, false) })
}

func BenchmarkCancelTimer_Individual_Only(b *testing.B) {
	cancelSizes(b, func(b *testing.B, n int) { onlyCancels(b, n, false) })
}

func BenchmarkCancelTimers_Batch_Only(b *testing.B) {
	cancelSizes(b, func(b *testing.B, n int) { onlyCancels(b, n, true) })
}

func BenchmarkCancelTimers_Comparison(b *testing.B) {
	b.Run("Batch", func(b *testing.B) { cancels(b, 50, true, true) })
	b.Run("Individual", func(b *testing.B) { cancels(b, 50, false, true) })
}

// scheduleAndCancel is one timer at a time, with others in the heap.
func scheduleAndCancel(b *testing.B, delay time.Duration, others int) {
	l := loopUp(b)
	for range others {
		_, err := l.ScheduleTimer(time.Hour, nothing)
		must(b, err)
	}
	drain(b, l)
	cancelled := 0
	b.ResetTimer()
	for range b.N {
		if h, _ := l.ScheduleTimer(delay, nothing); l.CancelTimer(h) {
			cancelled++
		}
	}
	if delay < time.Hour && cancelled < b.N { // the machine may stop us for longer than the delay
		b.Logf("%d of %d timers fired before they were cancelled", b.N-cancelled, b.N)
		return
	}
	expect(b, "timers cancelled", cancelled, b.N)
}

func BenchmarkTimerSchedule(b *testing.B)       { scheduleAndCancel(b, time.Hour, 0) }
func BenchmarkLargeTimerHeap(b *testing.B)      { scheduleAndCancel(b, time.Hour, 1000) }
func BenchmarkScheduleTimerCancel(b *testing.B) { scheduleAndCancel(b, 10*time.Millisecond, 0) }

func BenchmarkTimerSchedule_Parallel(b *testing.B) {
	l := loopUp(b)
	var cancelled atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		n := int64(0)
		for pb.Next() {
			if h, _ := l.ScheduleTimer(time.Hour, nothing); l.CancelTimer(h) {
				n++
			}
		}
		cancelled.Add(n)
	})
	expect(b, "timers cancelled", int(cancelled.Load()), b.N)
}

// BenchmarkTimerLatency is a round trip: the timer is due when it is scheduled.
func BenchmarkTimerLatency(b *testing.B) {
	l := loopUp(b)
	fired, n := make(chan struct{}), 0
	fn := func() { n++; fired <- struct{}{} }
	for range b.N {
		_, err := l.ScheduleTimer(0, fn)
		must(b, err)
		<-fired
	}
	expect(b, "timers fired", n, b.N)
}

// BenchmarkTimerLatency_Late has a deadline, and its figure is how much later than that the timer fires.
func BenchmarkTimerLatency_Late(b *testing.B) {
	const delay = 50 * time.Microsecond
	l := loopUp(b)
	var total time.Duration
	var due time.Time
	fired, n := make(chan time.Duration), 0
	fn := func() { n++; fired <- time.Since(due) }
	for range b.N {
		due = time.Now().Add(delay)
		_, err := l.ScheduleTimer(delay, fn)
		must(b, err)
		late := <-fired
		if late < 0 {
			b.Fatalf("a timer fired %v early", -late)
		}
		total += late
	}
	expect(b, "timers fired", n, b.N)
	b.ReportMetric(float64(total)/float64(b.N), "ns/op")
}

func BenchmarkTimerFire(b *testing.B) {
	l := loopUp(b)
	var pending sync.WaitGroup
	n := 0
	fn := func() { n++; pending.Done() }
	laps(b, within, func(n int) {
		for range n {
			pending.Add(1)
			_, _ = l.ScheduleTimer(0, fn)
		}
	}, pending.Wait)
	expect(b, "timers fired", n, b.N)
}

// pooled schedules timers back to back. Between laps those that are left fire.
func pooled(b *testing.B, counted bool, delay time.Duration, yieldEvery int) {
	l := loopUp(b)
	var pending sync.WaitGroup
	fired := 0
	fn := func() { fired++; pending.Done() }
	laps(b, counted, func(n int) {
		pending.Add(n)
		for i := range n {
			_, _ = l.ScheduleTimer(delay, fn)
			if yieldEvery > 0 && i%yieldEvery == 0 {
				runtime.Gosched()
			}
		}
	}, pending.Wait)
	expect(b, "timers fired", fired, b.N)
}

func BenchmarkScheduleTimerWithPool(b *testing.B)       { pooled(b, besides, 10*time.Millisecond, 0) }
func BenchmarkScheduleTimerWithPool_Fired(b *testing.B) { pooled(b, within, 10*time.Millisecond, 0) }
func BenchmarkScheduleTimerWithPool_FireAndReuse(b *testing.B) {
	pooled(b, besides, time.Microsecond, 100)
}
func BenchmarkScheduleTimerWithPool_FireAndReuse_Fired(b *testing.B) {
	pooled(b, within, time.Microsecond, 100)
}
func BenchmarkScheduleTimerWithPool_Immediate(b *testing.B)       { pooled(b, besides, 0, 0) }
func BenchmarkScheduleTimerWithPool_Immediate_Fired(b *testing.B) { pooled(b, within, 0, 0) }
