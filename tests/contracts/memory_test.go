package contracts_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

const mebibyte = 1 << 20

// afterBurst runs a burst on a loop, parks it, and returns the memory that the loop has gained.
func afterBurst(t *testing.T, burst func(l *eventloop.Loop)) int {
	var kept int
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		result := testkit.Launch(l)
		synctest.Wait()
		before := testkit.HeapInUse()
		burst(l)
		synctest.Wait() // until it is parked
		kept = int(testkit.HeapInUse()) - int(before)
		testkit.Must(t, l.Shutdown(context.Background()))
		testkit.Must(t, <-result)
	})
	return kept
}

// After ten million tasks have drained, and after bursts of everything else, less than a mebibyte stays. The larger
// burst is a quarter under -race, a tenth with -short.
func TestMemoryComesBackAfterABurst(t *testing.T) {
	nothing := func() {}
	const many = 1_000_000
	for _, c := range []struct {
		name  string
		burst func(l *eventloop.Loop)
	}{
		{"external tasks behind a callback", func(l *eventloop.Loop) {
			_ = l.Submit(func() {
				for range testkit.Scale(10_000_000) {
					_ = l.Submit(nothing)
				}
			})
		}},
		{"tasks of all lanes", func(l *eventloop.Loop) {
			_ = l.Submit(func() {
				for range testkit.Scale(many) {
					_, _, _ = l.Submit(nothing), l.SubmitInternal(nothing), l.ScheduleImmediate(nothing)
				}
			})
		}},
		{"ticks and microtasks", func(l *eventloop.Loop) {
			_ = l.Submit(func() {
				for range testkit.Scale(many) {
					_, _ = l.NextTick(nothing), l.ScheduleMicrotask(nothing)
					adapter.Of(l).Enqueue(jobFunc(nothing))
					adapter.Of(l).Afterward(jobFunc(nothing))
				}
			})
		}},
		{"timers that fire", func(l *eventloop.Loop) {
			_ = l.Submit(func() {
				for i := range testkit.Scale(many) {
					_, _ = l.ScheduleTimer(time.Duration(i%1000), nothing)
					_, _ = adapter.Of(l).ScheduleTimer(time.Duration(i%1000), nothing)
				}
			})
			time.Sleep(time.Second)
		}},
		{"timers cancelled from outside while the loop sleeps", func(l *eventloop.Loop) {
			handles := make([]eventloop.Timer, testkit.Scale(many))
			for i := range handles {
				handles[i], _ = l.ScheduleTimer(time.Hour, nothing)
			}
			l.CancelTimers(handles...)
		}},
		{"timers in the heap, cancelled from outside", func(l *eventloop.Loop) {
			handles := make([]eventloop.Timer, testkit.Scale(many))
			for i := range handles {
				handles[i], _ = l.ScheduleTimer(time.Hour, nothing)
			}
			_ = l.Do(context.Background(), nothing)
			l.CancelTimers(handles...)
		}},
		{"timers in the heap, cancelled soonest first while the loop keeps up", func(l *eventloop.Loop) {
			handles := make([]eventloop.Timer, testkit.Scale(many))
			for i := range handles {
				handles[i], _ = l.ScheduleTimer(time.Hour, nothing)
			}
			for len(handles) > 1 { // the last one stays
				n := min(1000, len(handles)-1)
				_ = l.Do(context.Background(), nothing)
				l.CancelTimers(handles[:n]...)
				handles = handles[n:]
			}
			_ = l.Do(context.Background(), nothing)
		}},
		{"timers that fire, but for one", func(l *eventloop.Loop) {
			_, _ = l.ScheduleTimer(time.Hour, nothing)
			for range testkit.Scale(many) {
				_, _ = l.ScheduleTimer(time.Minute, nothing)
			}
			time.Sleep(2 * time.Minute)
		}},
		{"timers in the heap, with large callbacks, stopped and forgotten", func(l *eventloop.Loop) {
			handles := make([]eventloop.Timer, 20_000)
			for i := range handles {
				large := new([4096]byte)
				handles[i], _ = l.ScheduleTimer(time.Hour, func() { large[0]++ })
			}
			_ = l.Do(context.Background(), nothing)
			for i := range handles {
				handles[i].Stop()
				handles[i] = eventloop.Timer{}
			}
			_ = l.Do(context.Background(), nothing)
		}},
		{"one timer reset over and over", func(l *eventloop.Loop) {
			h, _ := l.ScheduleTimer(time.Hour, nothing)
			for range testkit.Scale(many) {
				_ = h.Reset(time.Hour)
			}
			h.Stop()
		}},
		{"repeating timers that tick together", func(l *eventloop.Loop) {
			handles := make([]eventloop.Timer, testkit.Scale(many))
			for i := range handles {
				handles[i], _ = l.ScheduleRepeating(time.Second, nothing)
			}
			time.Sleep(1500 * time.Millisecond)
			l.CancelTimers(handles...)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if kept := afterBurst(t, c.burst); kept > mebibyte {
				t.Errorf("%d KiB stay", kept/1024)
			}
		})
	}
}

// A cancelled timer releases its callback at once, also on a sleeping loop. It does so even beside so many live
// timers that the cancelled ones do not dominate.
func TestCancelledTimersLetGoOfTheirCallbacks(t *testing.T) {
	const size = 64 << 10
	for _, c := range []struct {
		name            string
		cancelled, live int
		cancel          func(l *eventloop.Loop, handles []eventloop.Timer)
	}{
		{"on a parked loop", 1000, 0, func(l *eventloop.Loop, handles []eventloop.Timer) {
			for _, h := range handles {
				l.CancelTimer(h)
			}
		}},
		{"beside live ones", 1400, 3000, func(l *eventloop.Loop, handles []eventloop.Timer) { l.CancelTimers(handles...) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if kept := afterBurst(t, func(l *eventloop.Loop) {
				for range c.live {
					testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, func() {}))
				}
				handles := make([]eventloop.Timer, c.cancelled)
				for i := range handles {
					large := new([size]byte)
					handles[i] = testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, func() { large[0]++ }))
				}
				testkit.Must(t, l.Do(context.Background(), func() {}))
				synctest.Wait() // until it is parked
				c.cancel(l, handles)
			}); kept > 2*mebibyte {
				t.Errorf("%d KiB stay", kept/1024)
			}
		})
	}
}

// A callback that has run is not held by the slot it stood in.
func TestCallbackThatHasRunCanBeCollected(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			l := running(t)
			collected := make(chan struct{})
			testkit.On(t, l, func() {
				large := new([1024]byte)
				runtime.AddCleanup(large, func(c chan struct{}) { close(c) }, collected)
				testkit.Must(t, k.schedule(l, func() { large[0]++ }))
			})
			settle(t, l)
			for deadline := time.Now().Add(testkit.Patience); ; {
				runtime.GC()
				select {
				case <-collected:
					return
				default:
				}
				if time.Now().After(deadline) {
					t.Fatal("the callback is still held")
				}
			}
		})
	}
}

// In steady state no kind of task allocates.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	nothing := func() {}
	job := adapter.Job(jobFunc(nothing))
	ops := map[string]func(*eventloop.Loop){
		"Submit":            func(l *eventloop.Loop) { _ = l.Submit(nothing) },
		"SubmitInternal":    func(l *eventloop.Loop) { _ = l.SubmitInternal(nothing) },
		"ScheduleImmediate": func(l *eventloop.Loop) { _ = l.ScheduleImmediate(nothing) },
		"ScheduleMicrotask": func(l *eventloop.Loop) { _ = l.ScheduleMicrotask(nothing) },
		"EnqueueJob":        func(l *eventloop.Loop) { _ = adapter.Of(l).EnqueueJob(job) },
		"NextTick":          func(l *eventloop.Loop) { _ = l.NextTick(nothing) },
		"Enqueue":           func(l *eventloop.Loop) { adapter.Of(l).Enqueue(job) },
		"Afterward":         func(l *eventloop.Loop) { adapter.Of(l).Afterward(job) },
		"cancelled timer": func(l *eventloop.Loop) {
			h, _ := l.ScheduleTimer(time.Hour, nothing)
			l.CancelTimer(h)
		},
		"cancelled timer of the Owner": func(l *eventloop.Loop) {
			h, _ := adapter.Of(l).ScheduleTimer(time.Hour, nothing)
			l.CancelTimer(h)
		},
	}
	for name, op := range ops {
		t.Run(name, func(t *testing.T) {
			const turns, perTurn = 200, 100
			var mallocs uint64
			l := eventloop.New(eventloop.WithAutoExit())
			turn := 0
			var step func()
			step = func() {
				turn++
				if turn == turns/2 { // by now everything has reached its final size
					mallocs = mallocCount()
				}
				if turn == turns {
					mallocs = mallocCount() - mallocs
					return
				}
				for range perTurn {
					op(l)
				}
				testkit.Must(t, l.Submit(step))
			}
			testkit.Must(t, l.Submit(step))
			testkit.Must(t, l.Run(testkit.Bounded(t)))
			// Some slack for the runtime, the test's own context, and the queues' last growth: a tenth of an
			// allocation for each hundred operations.
			if limit := uint64(turns / 2 * perTurn / 1000); mallocs > limit {
				t.Errorf("%d allocations in %d operations", mallocs, turns/2*perTurn)
			}
		})
	}
	t.Run("Submit from outside", func(t *testing.T) {
		l := running(t)
		drained := make(chan struct{})
		last := func() { drained <- struct{}{} }
		if n := testing.AllocsPerRun(1000, func() {
			for range 100 {
				_ = l.Submit(nothing)
			}
			_ = l.Submit(last)
			<-drained
		}); n > 0 {
			t.Errorf("%v allocations in 101 submissions", n)
		}
	})
}

func mallocCount() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
