package inspect_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/inspect"
)

// near fails unless a quantile is within the documented error of want.
func near(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if d := (got - want).Abs(); float64(d) > float64(want)/64 {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestMetricsMeasureRunTimeQueueDelayAndLateness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(inspect.WithMetrics(), eventloop.WithAutoExit())
		const n = 1000
		for i := range n {
			must(t, l.Submit(func() { time.Sleep(time.Duration(i+1) * time.Millisecond) }))
		}
		scheduled(t)(l.ScheduleTimer(time.Second, func() {}))
		must(t, l.Run(context.Background()))
		m := inspect.ReadMetrics(l)
		if m.RunTime.Count != n+1 || m.Ran.External != n || m.Ran.Timers != 1 {
			t.Fatalf("%d runs, %+v", m.RunTime.Count, m.Ran)
		}
		near(t, "P50", m.RunTime.P50, 500*time.Millisecond)
		near(t, "P90", m.RunTime.P90, 900*time.Millisecond)
		near(t, "P95", m.RunTime.P95, 950*time.Millisecond)
		near(t, "P99", m.RunTime.P99, 990*time.Millisecond)
		near(t, "P99.9", m.RunTime.P999, 999*time.Millisecond)
		if m.RunTime.Max != time.Second {
			t.Errorf("the longest run took %v", m.RunTime.Max)
		}
		near(t, "mean", m.RunTime.Mean, n*(n+1)/2*time.Millisecond/(n+1))

		// Task i waits for those before it: i·(i+1)/2 ms. The sample is one of 32, so its quantiles are near.
		whole := n * (n + 1) / 2 * time.Millisecond
		if d := m.QueueDelay; d.Count < n/32 || d.Count > n/32+1 || d.P50 < whole/5 || d.P50 > whole*3/10 || d.Max > whole || d.Max < whole*9/10 {
			t.Errorf("queue delay %+v, the whole took %v", d, whole)
		}
		// The timer was due after a second, and had to wait for the batch.
		if d := m.Lateness; d.Count != 1 || d.Max != whole-time.Second {
			t.Errorf("lateness %+v, want %v", d, whole-time.Second)
		}
		if m.Elapsed != whole {
			t.Errorf("%v have passed, want %v", m.Elapsed, whole)
		}
		if m.Queued != (inspect.Lanes{}) {
			t.Errorf("%+v are queued on a loop that has ended", m.Queued)
		}
	})
}

func TestMetricsTellHowLongTheLoopSlept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(inspect.WithMetrics(), eventloop.WithAutoExit())
		check := func(elapsed, idle time.Duration) {
			t.Helper()
			if m := inspect.ReadMetrics(l); m.Elapsed != elapsed || m.Idle != idle {
				t.Errorf("%v have passed, %v idle, want %v and %v", m.Elapsed, m.Idle, elapsed, idle)
			}
		}
		time.Sleep(time.Second)
		check(0, 0)
		scheduled(t)(l.ScheduleTimer(2*time.Second, func() {
			check(2*time.Second, 2*time.Second)
			time.Sleep(3 * time.Second)
			check(5*time.Second, 2*time.Second)
			scheduled(t)(l.ScheduleTimer(5*time.Second, func() {}))
			go func() {
				time.Sleep(4 * time.Second)
				check(9*time.Second, 6*time.Second) // in the middle of the sleep
				must(t, l.Submit(func() { check(9*time.Second, 6*time.Second) }))
			}()
		}))
		must(t, l.Run(context.Background()))
		time.Sleep(time.Second)
		check(10*time.Second, 7*time.Second)
	})
}

func TestMetricsCountARunWithItsTicksAndMicrotasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := runMain(t, func(l *eventloop.Loop) {
			sleep := func() { time.Sleep(time.Millisecond) }
			sleep()
			_, _ = l.NextTick(sleep), l.ScheduleMicrotask(sleep)
		}, inspect.WithMetrics())
		m := inspect.ReadMetrics(l)
		if m.RunTime.Count != 1 || m.RunTime.Max != 3*time.Millisecond || m.Jobs != 2 {
			t.Errorf("%+v, %d jobs", m.RunTime, m.Jobs)
		}
	})
}

func TestMetricsCountACheckpointThatFollowsNoCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(inspect.WithMetrics(), eventloop.WithAutoExit())
		must(t, l.ScheduleMicrotask(func() { time.Sleep(time.Second) }))
		must(t, l.Run(context.Background()))
		if m := inspect.ReadMetrics(l); m.RunTime.Count != 1 || m.RunTime.Max != time.Second || m.Ran.Total() != 0 || m.Jobs != 1 {
			t.Errorf("%+v", m)
		}
	})
}

func TestMetricsCountCallbacksThatPanicOrExit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h heard
		l := eventloop.New(inspect.WithMetrics(), eventloop.WithAutoExit(), h.option())
		sleep := func() { time.Sleep(time.Second) }
		must(t, l.Submit(func() { sleep(); panic("alone") }))
		must(t, l.Submit(func() {
			sleep()
			_ = l.ScheduleMicrotask(func() { sleep(); panic("in its microtask") })
			_ = l.ScheduleMicrotask(sleep)
			panic("with microtasks to come")
		}))
		must(t, l.SubmitInternal(func() { sleep(); runtime.Goexit() }))
		must(t, l.ScheduleImmediate(func() { panic("immediate") }))
		scheduled(t)(l.ScheduleTimer(time.Millisecond, func() { panic("timer") }))
		<-launch(l)
		m := inspect.ReadMetrics(l)
		if want := (inspect.Lanes{External: 2, Internal: 1, Immediates: 1, Timers: 1}); m.Ran != want || len(h) != 6 {
			t.Errorf("%+v ran, want %+v; %d reports", m.Ran, want, len(h))
		}
		if m.RunTime.Count != 5 || m.RunTime.Max != 3*time.Second || m.Jobs != 2 {
			t.Errorf("%+v, %d jobs", m.RunTime, m.Jobs)
		}
	})
}

func TestMetricsTellWhatIsQueued(t *testing.T) {
	l := eventloop.New(inspect.WithMetrics())
	nothing := func() {}
	for range 5 {
		must(t, l.Submit(nothing))
	}
	_, _, _ = l.SubmitInternal(nothing), l.ScheduleImmediate(nothing), l.ScheduleMicrotask(nothing)
	timer := scheduled(t)(l.ScheduleTimer(time.Hour, nothing))
	scheduled(t)(l.ScheduleRepeating(time.Hour, nothing))
	want := inspect.Lanes{External: 5, Internal: 1, Immediates: 1, Timers: 2, Jobs: 1}
	if got := inspect.ReadMetrics(l).Queued; got != want {
		t.Errorf("queued %+v, want %+v", got, want)
	}
	timer.Stop()
	timer.Stop()
	if got := inspect.ReadMetrics(l).Queued.Timers; got != 1 {
		t.Errorf("%d timers after one was stopped", got)
	}
	must(t, timer.Reset(time.Hour))
	must(t, timer.Reset(time.Hour))
	result := launch(l)
	on(t, l, func() {
		scheduled(t)(adapter.Of(l).ScheduleTimer(time.Hour, nothing))
	})
	untilAsleep(t, l)
	if got := inspect.ReadMetrics(l); got.Queued != (inspect.Lanes{Timers: 3}) || got.Ran.Total() != 8 || got.Jobs != 1 {
		t.Errorf("asleep: %+v", got)
	}
	must(t, l.Close())
	<-result
	if got := inspect.ReadMetrics(l); got.Queued != (inspect.Lanes{}) || got.Ran.Total() != 8 {
		t.Errorf("closed: %+v", got)
	}
}

func TestMetricsShowACallbackThatIsStillRunning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(inspect.WithMetrics(), eventloop.WithAutoExit())
		must(t, l.Submit(func() { time.Sleep(100 * time.Millisecond) }))
		must(t, l.Submit(func() { time.Sleep(50 * time.Millisecond) }))
		check := func(running, longest time.Duration) {
			t.Helper()
			if m := inspect.ReadMetrics(l); (m.Running-running).Abs() > time.Microsecond || (m.RunTime.Max-longest).Abs() > time.Microsecond {
				t.Errorf("running for %v, %v at most; want %v and %v", m.Running, m.RunTime.Max, running, longest)
			}
		}
		check(0, 0)
		result := launch(l)
		time.Sleep(99 * time.Millisecond)
		check(99*time.Millisecond, 99*time.Millisecond)
		time.Sleep(11 * time.Millisecond)
		check(10*time.Millisecond, 100*time.Millisecond)
		must(t, <-result)
		check(0, 100*time.Millisecond)
	})
}

func TestMetricsCountTheCallbackThatCloses(t *testing.T) {
	l := eventloop.New(inspect.WithMetrics())
	must(t, l.Submit(func() { _ = l.Close() }))
	must(t, l.Submit(func() { t.Error("runs after Close") }))
	_ = l.Run(bounded(t))
	if m := inspect.ReadMetrics(l); m.Ran.External != 1 || m.RunTime.Count != 1 {
		t.Errorf("%+v", m)
	}
}

func TestMetricsOfALoopWithoutThemAreZero(t *testing.T) {
	l := runMain(t, func(*eventloop.Loop) {})
	if m := inspect.ReadMetrics(l); m != (inspect.Metrics{}) {
		t.Errorf("%+v", m)
	}
	if m := inspect.ReadMetrics(new(eventloop.Loop)); m != (inspect.Metrics{}) {
		t.Errorf("zero loop: %+v", m)
	}
}

func TestMetricsGiveTheThroughputBetweenTwoSnapshots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New(inspect.WithMetrics())
		result := launch(l)
		var at [3]inspect.Metrics
		for i := range at {
			for range 100 * i {
				must(t, l.Submit(func() {}))
			}
			time.Sleep(time.Second)
			at[i] = inspect.ReadMetrics(l)
		}
		if a, b := at[1].Sub(at[0]).Throughput(), at[2].Sub(at[1]).Throughput(); a != 100 || b != 200 {
			t.Errorf("%v and %v callbacks a second, want 100 and 200", a, b)
		}
		if all := at[2].Throughput(); all != 100 {
			t.Errorf("%v callbacks a second since Run, want 100", all)
		}
		if none := at[2].Sub(at[2]).Throughput(); none != 0 {
			t.Errorf("%v callbacks in no time", none)
		}
		must(t, l.Shutdown(context.Background()))
		must(t, <-result)
	})
}

// The values of one snapshot must fit together at every moment, on any goroutine, and must never decrease.
func TestMetricsAreOfOneMoment(t *testing.T) {
	l := running(t, inspect.WithMetrics())
	const producers, each = 4, 20_000
	var work, look sync.WaitGroup
	stop := make(chan struct{})
	check := func(earlier inspect.Metrics) inspect.Metrics {
		m := inspect.ReadMetrics(l)
		if m.RunTime.Count < m.Ran.Total() || m.Lateness.Count != m.Ran.Timers {
			t.Errorf("%d runs and %d latenesses of %+v", m.RunTime.Count, m.Lateness.Count, m.Ran)
		}
		if q := m.Queued; q.External+m.Ran.External > producers*each+1 || q.Internal+m.Ran.Internal > producers*each {
			t.Errorf("more than was submitted: %+v ran, %+v queued", m.Ran, q)
		}
		if m.Ran.Total() < earlier.Ran.Total() || m.Jobs < earlier.Jobs || m.Elapsed < earlier.Elapsed ||
			m.QueueDelay.Count < earlier.QueueDelay.Count ||
			// A callback that was in progress may have ended already, before the loop could say so.
			m.RunTime.Max < earlier.RunTime.Max && earlier.RunTime.Max != earlier.Running {
			t.Errorf("%+v came after %+v", m, earlier)
		}
		return m
	}
	for range 2 {
		look.Go(func() {
			var m inspect.Metrics
			for {
				select {
				case <-stop:
					return
				default:
					m = check(m)
					runtime.Gosched()
				}
			}
		})
	}
	for range producers {
		work.Go(func() {
			for i := range each {
				_, _ = l.Submit(func() {}), l.SubmitInternal(func() {})
				switch i % 100 {
				case 0:
					_ = l.ScheduleImmediate(func() { check(inspect.Metrics{}) })
				case 1:
					_, _ = l.ScheduleTimer(0, func() {})
				case 2:
					_ = l.ScheduleMicrotask(func() {})
				}
			}
		})
	}
	work.Wait()
	on(t, l, func() {})
	untilAsleep(t, l)
	close(stop)
	look.Wait()
	m := inspect.ReadMetrics(l)
	want := inspect.Lanes{External: producers*each + 1, Internal: producers * each, Immediates: producers * each / 100, Timers: producers * each / 100}
	if m.Ran != want || m.Queued != (inspect.Lanes{}) || m.Jobs != producers*each/100 {
		t.Errorf("in the end %+v ran, %d jobs, %+v queued", m.Ran, m.Jobs, m.Queued)
	}
	if n, want := m.QueueDelay.Count, uint64(2*producers*each/32+producers*each/100/32+3); n > want || n < want-3 {
		t.Errorf("a sample of %d, want about %d", n, want)
	}
}

func TestMetricsAllocateForSnapshotsOnly(t *testing.T) {
	l := running(t, inspect.WithMetrics())
	nothing := func() {}
	done := make(chan struct{})
	last := func() { done <- struct{}{} }
	round := func() {
		for range 200 {
			_ = l.Submit(nothing)
		}
		_ = l.Submit(last)
		<-done
		_ = inspect.ReadMetrics(l)
	}
	for range 100 {
		round()
	}
	// A snapshot has copies of two histograms; the third, of timers, is empty. The meter hands over three more.
	if n := testing.AllocsPerRun(100, round); n > 7 {
		t.Errorf("%v allocations for a round of 201 tasks and a snapshot", n)
	}
}
