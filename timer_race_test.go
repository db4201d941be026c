package eventloop

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// A million times, a timer that is due meets a goroutine that wants to stop it: exactly one of the two has its way.
// Under -race a quarter, with -short a tenth.
func TestCancelVersusFire(t *testing.T) {
	for name, cancel := range map[string]func(*Loop, Timer) bool{
		"Stop":        func(_ *Loop, h Timer) bool { return h.Stop() },
		"CancelTimer": (*Loop).CancelTimer,
		"CancelTimers": func(l *Loop, h Timer) bool {
			return l.CancelTimers(h) == 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := running(t)
			watch := watchdog(t, "a race of "+name)
			defer watch.stop()
			fired := make([]bool, scale(350_000)) // the loop's
			cancelled := make([]bool, len(fired))
			var won atomic.Bool // by the loop, in the race in progress
			distance := 100     // how far behind the loop's wake-up the cancelling side is, as iterations of an empty loop
			const farthest = 100_000
			for i := range fired {
				won.Store(false)
				h, err := l.ScheduleTimer(0, func() { fired[i] = true; won.Store(true) })
				if err != nil {
					t.Fatal(err)
				}
				sched.Pause(distance)
				if distance == farthest {
					runtime.Gosched() // the loop has no processor: no distance in time would be enough
				}
				cancelled[i] = cancel(l, h)
				// Whoever wins is given a handicap, so that the two stay close.
				if won.Load() {
					distance = max(distance-7-distance/32, 0)
				} else {
					distance = min(distance+5+distance/32, farthest)
				}
				if cancelled[i] && h.Stop() {
					t.Fatal("stopped twice")
				}
				watch.kick()
			}
			settle(t, l)
			on(t, l, func() {
				fires := 0
				for i := range fired {
					if fired[i] == cancelled[i] {
						t.Fatalf("race %d: fired %v, cancelled %v", i, fired[i], cancelled[i])
					}
					if fired[i] {
						fires++
					}
				}
				t.Logf("%d fired, %d were cancelled", fires, len(fired)-fires)
				if fires == 0 || fires == len(fired) {
					t.Error("one side won every race: they were none")
				}
			})
		})
	}
}

// settle waits until the timers that are due have run.
func settle(t *testing.T, l *Loop) {
	t.Helper()
	on(t, l, func() {})
	on(t, l, func() {}) // the timers phase of this turn came after whatever was due before it
}

// Reset of a timer that is firing: it fires once more for each Reset that found it fired, once for all that found it
// pending, and never early. Two goroutines reset, one stops.
func TestResetVersusFireVersusStop(t *testing.T) {
	l := running(t)
	var fired atomic.Int64
	h := scheduled(t)(l.ScheduleTimer(0, func() { fired.Add(1) }))
	var wg sync.WaitGroup
	var resets atomic.Int64
	for range 2 {
		wg.Go(func() {
			for range scale(200_000) {
				if h.Reset(0) == nil {
					resets.Add(1)
				}
			}
		})
	}
	wg.Go(func() {
		for range scale(200_000) {
			h.Stop()
		}
	})
	wg.Wait()
	settle(t, l)
	if h.Stop() {
		t.Error("a timer that is due is pending after a turn")
	}
	if n := fired.Load(); n > resets.Load()+1 {
		t.Errorf("fired %d times after %d resets", n, resets.Load())
	}
	// It works as ever.
	before := fired.Load()
	must(t, h.Reset(0))
	settle(t, l)
	if n := fired.Load() - before; n != 1 {
		t.Errorf("fired %d times after one Reset", n)
	}
}

// Stale handles are used by one goroutine against timers that others get to use again: they must never touch them.
func TestStaleHandlesNeverTouchATimerInReuse(t *testing.T) {
	l := running(t)
	var stale atomic.Pointer[Timer]
	stop := make(chan struct{})
	var wg, harassed sync.WaitGroup
	for range 2 {
		harassed.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if h := stale.Load(); h != nil {
					if h.Stop() || l.CancelTimer(*h) {
						t.Error("a stale handle disarmed a timer")
						return
					}
					if h.Reset(0) == nil || h.Refresh() == nil {
						t.Error("a stale handle armed a timer")
						return
					}
					h.Unref()
					h.Ref()
				}
				runtime.Gosched()
			}
		})
	}
	reused := map[*timers.Timer]int{}
	for range 2 {
		wg.Go(func() {
			for range scale(100_000) {
				h, err := l.ScheduleTimer(time.Hour, func() { t.Error("fired") })
				if err != nil {
					t.Error(err)
				}
				if !l.CancelTimer(h) {
					t.Error("a timer due in an hour was not pending")
				}
				old := h
				stale.Store(&old)
				h, _ = l.ScheduleTimer(time.Hour, func() { t.Error("fired") })
				if !h.Stop() || h.Stop() {
					t.Error("a timer due in an hour was not stopped exactly once")
				}
				l.CancelTimer(h)
			}
		})
	}
	wg.Wait()
	close(stop)
	harassed.Wait()
	for range 1000 {
		h := scheduled(t)(l.ScheduleTimer(time.Hour, func() {}))
		reused[h.h.Timer]++
		l.CancelTimer(h)
	}
	if len(reused) == 1000 {
		t.Error("no timer was ever used again: the test tested nothing")
	}
}

// All methods of one timer from several goroutines, repeating, on a loop that schedules through the Owner as well.
// There is nothing to check but the race detector's opinion, and that the loop's books are balanced in the end.
func TestTimerBooksAreBalancedAfterAStorm(t *testing.T) {
	l := New(WithAutoExit())
	token, err := l.KeepAlive()
	must(t, err)
	result := launch(l)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range scale(30_000) {
				h, _ := l.ScheduleTimer(time.Duration(i%5)*time.Microsecond, func() {
					if o, err := l.Owner().ScheduleTimer(time.Duration(i%3), func() {}); err == nil && i%2 == 0 {
						l.CancelTimer(o)
					}
				})
				r, _ := l.ScheduleRepeating(time.Microsecond, MissedTicks(i%3), func() {})
				done := make(chan struct{})
				go func() {
					h.Ref()
					r.Unref()
					_ = h.Refresh()
					_ = r.Reset(time.Duration(i%7) * time.Microsecond)
					r.Ref()
					close(done)
				}()
				h.Unref()
				if g%2 == 0 {
					h.Stop()
				}
				r.Stop()
				<-done
				l.CancelTimers(r, h)
			}
		})
	}
	wg.Wait()
	must(t, token.Release())
	must(t, await(t, "Run, with nothing left", result))
	if n := l.live.Load(); n != 0 {
		t.Errorf("%d references are left", n)
	}
	if d := l.Dropped(); d != (Dropped{}) {
		t.Errorf("dropped %+v", d)
	}
}
