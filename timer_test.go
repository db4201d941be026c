package eventloop

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/internal/timers"
)

func TestTimerThatIsNotArmed(t *testing.T) {
	for name, make := range map[string]func(*Loop, func()) Timer{
		"NewTimer":  (*Loop).NewTimer,
		"NewTicker": func(l *Loop, fn func()) Timer { return l.NewTicker(99, fn) },
	} {
		t.Run(name, func(t *testing.T) {
			l := New(WithAutoExit(), measured())
			fired := 0
			var timer Timer
			timer = make(l, func() {
				fired++
				timer.Stop()
			})
			if timer.Stop() || l.timers.Armed() != 0 || l.live.Load() != 0 {
				t.Error("it is armed from the start")
			}
			timer.Unref()
			testkit.Must(t, timer.Reset(time.Hour))
			if l.live.Load() != 0 || !timer.Stop() || timer.Stop() {
				t.Error("Unref before Reset, Stop")
			}
			timer.Ref()
			if l.live.Load() != 0 {
				t.Error("Ref counts a timer that is not armed")
			}
			testkit.Must(t, timer.Reset(time.Nanosecond))
			testkit.Must(t, l.Run(testkit.Bounded(t))) // its reference keeps the loop open
			if fired != 1 || timer.Reset(1) != ErrLoopTerminated || l.Dropped().Timers != 0 {
				t.Errorf("fired %d times, then Reset: %v", fired, timer.Reset(1))
			}
		})
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
					if h.Reset(0) == nil {
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
			for range testkit.Scale(100_000) {
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
		h := testkit.Scheduled[Timer](t)(l.ScheduleTimer(time.Hour, func() {}))
		reused[h.h.Timer]++
		l.CancelTimer(h)
	}
	if len(reused) == 1000 {
		t.Error("no timer was ever used again: the test tested nothing")
	}
}

// All methods of one timer from several goroutines, repeating, on a loop that schedules through the Owner as well.
// The race detector judges this test; otherwise it checks only that the loop's accounts balance in the end.
func TestTimerBooksAreBalancedAfterAStorm(t *testing.T) {
	l := New(WithAutoExit())
	token, err := l.KeepAlive()
	testkit.Must(t, err)
	result := testkit.Launch(l)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range testkit.Scale(30_000) {
				h, _ := l.ScheduleTimer(time.Duration(i%5)*time.Microsecond, func() {
					if o, err := l.scheduleOwn(time.Duration(i%3), func() {}); err == nil && i%2 == 0 {
						l.CancelTimer(o)
					}
				})
				r := l.NewTicker(MissedTicks(i%3), func() {})
				_ = r.Reset(time.Microsecond)
				done := make(chan struct{})
				go func() {
					h.Ref()
					r.Unref()
					_ = h.Reset(time.Microsecond)
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
	token()
	testkit.Must(t, testkit.Await(t, "Run, with nothing left", result))
	if n := l.live.Load(); n != 0 {
		t.Errorf("%d references are left", n)
	}
	if d := l.Dropped(); d != (Dropped{}) {
		t.Errorf("dropped %+v", d)
	}
}
