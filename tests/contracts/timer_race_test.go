package contracts_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// A million times, a timer that is due meets a goroutine that wants to stop it: exactly one of the two has its way.
// Under -race a quarter, with -short a tenth.
func TestCancelVersusFire(t *testing.T) {
	for name, cancel := range map[string]func(*eventloop.Loop, eventloop.Timer) bool{
		"Stop":        func(_ *eventloop.Loop, h eventloop.Timer) bool { return h.Stop() },
		"CancelTimer": (*eventloop.Loop).CancelTimer,
		"CancelTimers": func(l *eventloop.Loop, h eventloop.Timer) bool {
			return l.CancelTimers(h) == 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := running(t)
			watch := testkit.Watchdog(t, "a race of "+name)
			defer watch.Stop()
			fired := make([]bool, testkit.Scale(350_000)) // the loop's
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
				// The winner gets a handicap, so that the two stay close.
				if won.Load() {
					distance = max(distance-7-distance/32, 0)
				} else {
					distance = min(distance+5+distance/32, farthest)
				}
				if cancelled[i] && h.Stop() {
					t.Fatal("stopped twice")
				}
				watch.Kick()
			}
			settle(t, l)
			testkit.On(t, l, func() {
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

// Reset of a timer that is firing: the timer fires once more for each Reset that found it fired. All Resets that
// found it pending count as one firing, which is never early. Two goroutines reset, one stops.
func TestResetVersusFireVersusStop(t *testing.T) {
	l := running(t)
	var fired atomic.Int64
	h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(0, func() { fired.Add(1) }))
	var wg sync.WaitGroup
	var resets atomic.Int64
	for range 2 {
		wg.Go(func() {
			for range testkit.Scale(200_000) {
				if h.Reset(0) == nil {
					resets.Add(1)
				}
			}
		})
	}
	wg.Go(func() {
		for range testkit.Scale(200_000) {
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
	testkit.Must(t, h.Reset(0))
	settle(t, l)
	if n := fired.Load() - before; n != 1 {
		t.Errorf("fired %d times after one Reset", n)
	}
}
