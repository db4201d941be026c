package loopsim

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestACrashUnwindsWhatWaitsAndLetsNothingOut(t *testing.T) {
	var log []string
	w := one(t, 1, Config{}, func(w *World) {
		w.Host("a", func(h *Host) {
			if h.Boot() > 1 {
				data, err := h.Disk().ReadFile("f")
				log = append(log, fmt.Sprintf("boot %d: %q %v", h.Boot(), data, err != nil))
				w.Stop()
				return
			}
			promise.Async(context.Background(), h.Loop(), func(co *promise.Coroutine) (int, error) {
				_, err := promise.Await(co, promise.Sleep(context.Background(), h.Loop(), time.Hour))
				log = append(log, fmt.Sprint("coroutine: ", errors.Is(err, eventloop.ErrLoopTerminated)))
				return 0, errors.Join(err, h.Disk().WriteFile("f", nil))
			})
			try(h, func() {
				defer func() { log = append(log, fmt.Sprint("blocking call: ", recover() != nil)) }()
				h.Spend(time.Hour)
			})
			try(h, func() {
				defer func() { h.Spend(time.Hour) }() // waits while it is unwound
				h.Spend(time.Hour)
				log = append(log, "goes on")
			})
			_, _ = h.Loop().ScheduleTimer(2*time.Second, func() { log = append(log, "timer") })
			_, _ = h.Loop().ScheduleTimer(time.Second, func() { w.Inject(Fault{Kind: Crash, Host: "a", For: time.Second}) })
		})
	})
	holds(t, w)
	want := []string{"coroutine: true", "blocking call: true", `boot 2: "" true`}
	if fmt.Sprint(log) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", log, want)
	}
}

func TestPromisifiedFunctionsTakeTurnsInAnOrderOfTheSeedAndLeaveByTheirContext(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(50) {
		var order []int
		ended := false
		w := one(t, seed, Config{}, func(w *World) {
			w.Host("a", func(h *Host) {
				for i := range 3 {
					try(h, func() { order = append(order, i) })
				}
				ctx, cancel := context.WithCancel(context.Background())
				promise.Sleep(ctx, h.Loop(), time.Hour).Catch(func(err error) (struct{}, error) {
					ended = errors.Is(err, context.Canceled) && w.Elapsed() < 2*time.Second
					return struct{}{}, nil
				})
				_, _ = h.Loop().ScheduleTimer(time.Second, cancel)
			})
		})
		holds(t, w)
		if orders[fmt.Sprint(order)] = true; len(order) != 3 || !ended {
			t.Fatalf("seed %d: %v; the context has ended the sleep: %v", seed, order, ended)
		}
	}
	if len(orders) != 6 {
		t.Errorf("%d orders of 6", len(orders))
	}
}

func TestClocksDriftAndJumpAndTimersGoByTheOneThatDrifts(t *testing.T) {
	var fired time.Duration
	var date, up time.Duration
	w := one(t, 1, Config{WakeUp: 1, Callback: 1, Duration: time.Hour}, func(w *World) {
		w.Host("a", func(h *Host) {
			w.Inject(Fault{Kind: ClockDrift, Host: "a", For: time.Hour, Amount: 10_000})
			w.Inject(Fault{Kind: ClockJump, Host: "a", For: time.Hour, Amount: int64(time.Minute)})
			_, _ = h.Loop().ScheduleTimer(time.Millisecond, func() {
				_, _ = h.Loop().ScheduleTimer(1010*time.Second, func() {
					fired, date, up = w.Elapsed(), h.Now().Sub(epoch), h.Uptime()
				})
			})
		})
	})
	holds(t, w)
	if r := fired.Round(time.Second); r != 1000*time.Second {
		t.Errorf("a timer of 1010 s on a clock that is 1 %% fast fires after %v", r)
	}
	if up.Round(time.Second) != 1010*time.Second || (date-up) != time.Minute {
		t.Errorf("the clock shows %v, the date %v", up, date)
	}
}

func TestAPausedHostDoesNothingAndThenGoesOn(t *testing.T) {
	var ticks []time.Duration
	w := one(t, 1, Config{Duration: 20 * time.Second}, func(w *World) {
		w.Host("a", func(h *Host) {
			_, _ = h.Loop().ScheduleRepeating(time.Second, func() { ticks = append(ticks, w.Elapsed()) })
			_, _ = h.Loop().ScheduleTimer(4500*time.Millisecond, func() { w.Inject(Fault{Kind: Pause, Host: "a", For: 10 * time.Second}) })
		})
	})
	holds(t, w)
	for _, at := range ticks {
		if at > 4510*time.Millisecond && at < 14500*time.Millisecond {
			t.Errorf("it ticks at %v", at)
		}
	}
	if n := len(ticks); n < 9 || ticks[n-1] < 19*time.Second {
		t.Errorf("ticks: %v", ticks)
	}
}

func TestAClockThatDriftsIsReadAsItIsSet(t *testing.T) {
	for _, ppm := range []int64{0, 1, -1, 10_000, -10_000, 999_999, -900_000} {
		c := clock{}
		c.drift(1000, ppm)
		for _, target := range []int64{1000, 1001, 12345, int64(time.Second), int64(100 * 24 * time.Hour)} {
			at := c.when(target)
			if c.read(at) < target {
				t.Errorf("%d ppm: at %d the clock shows %d, before %d", ppm, at, c.read(at), target)
			}
			if at > 1000 && c.read(at-1) > target+1 {
				t.Errorf("%d ppm: it shows %d before %d already", ppm, target, at)
			}
		}
	}
}
