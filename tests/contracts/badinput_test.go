package contracts_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestNilCallbackIsRefused(t *testing.T) {
	l := eventloop.New()
	nothing := func() {}
	live, err := l.ScheduleTimer(time.Hour, nothing)
	testkit.Must(t, err)
	for name, call := range map[string]func() error{
		"Submit":                  func() error { return l.Submit(nil) },
		"SubmitInternal":          func() error { return l.SubmitInternal(nil) },
		"ScheduleImmediate":       func() error { return l.ScheduleImmediate(nil) },
		"ScheduleMicrotask":       func() error { return l.ScheduleMicrotask(nil) },
		"EnqueueJob":              func() error { return adapter.Of(l).EnqueueJob(nil) },
		"NextTick":                func() error { return l.NextTick(nil) },
		"Do":                      func() error { return l.Do(context.Background(), nil) },
		"ScheduleTimer":           func() error { _, err := l.ScheduleTimer(0, nil); return err },
		"ScheduleRepeating":       func() error { _, err := l.ScheduleRepeating(1, nil); return err },
		"Hooks.ScheduleTimer":     func() error { _, err := adapter.Of(l).ScheduleTimer(0, nil); return err },
		"nil before other faults": func() error { _, err := l.ScheduleRepeating(0, nil); return err },
	} {
		if err := call(); !errors.Is(err, eventloop.ErrInvalid) || err.Error() != "eventloop: nil callback" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Nothing of that was queued.
	testkit.Must(t, l.Close())
	if d, want := l.Dropped(), (eventloop.Dropped{Timers: 1}); d != want {
		t.Errorf("dropped %+v, want %+v", d, want)
	}
	live.Stop()
}

func TestZeroLoopIsRefused(t *testing.T) {
	var l eventloop.Loop
	nothing := func() {}
	ctx := testkit.Bounded(t)
	for name, call := range map[string]func() error{
		"Run":                 func() error { return l.Run(ctx) },
		"Shutdown":            func() error { return l.Shutdown(ctx) },
		"Close":               l.Close,
		"Submit":              func() error { return l.Submit(nothing) },
		"SubmitInternal":      func() error { return l.SubmitInternal(nothing) },
		"ScheduleImmediate":   func() error { return l.ScheduleImmediate(nothing) },
		"ScheduleMicrotask":   func() error { return l.ScheduleMicrotask(nothing) },
		"EnqueueJob":          func() error { return adapter.Of(&l).EnqueueJob(jobFunc(nothing)) },
		"NextTick":            func() error { return l.NextTick(nothing) },
		"Do":                  func() error { return l.Do(ctx, nothing) },
		"KeepAlive":           func() error { _, err := l.KeepAlive(); return err },
		"ScheduleTimer":       func() error { _, err := l.ScheduleTimer(0, nothing); return err },
		"ScheduleRepeating":   func() error { _, err := l.ScheduleRepeating(1, nothing); return err },
		"Hooks.ScheduleTimer": func() error { _, err := adapter.Of(&l).ScheduleTimer(0, nothing); return err },
	} {
		if err := call(); !errors.Is(err, eventloop.ErrInvalid) || err.Error() != "eventloop: zero Loop: make it with New" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if adapter.Of(&l).OnLoop() || l.CancelTimer(eventloop.Timer{}) || l.CancelTimers(eventloop.Timer{}, eventloop.Timer{}) != 0 || l.Dropped() != (eventloop.Dropped{}) {
		t.Error("a zero Loop claims to run, or to have had timers")
	}
	if l.Done() != nil {
		t.Error("Done of a zero Loop is not nil")
	}
}

func TestDelayThatIsNegativeMeansNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, delay := range []time.Duration{0, -1, -time.Hour, math.MinInt64} {
			var fired int
			start := time.Now()
			runMain(t, func(l *eventloop.Loop) {
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(delay, func() { fired++ }))
				testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(delay, func() { fired++ }))
				h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, func() { fired++ }))
				testkit.Must(t, h.Reset(delay))
			})
			if took := time.Since(start); fired != 3 || took != 0 {
				t.Errorf("delay %v: %d of 3 timers fired after %v", delay, fired, took)
			}
		}
	})
}

func TestDelayThatOverflowsTheClockMeansNever(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		result := testkit.Launch(l)
		time.Sleep(time.Second) // so that the loop's clock plus the delay overflows
		bad := func() { t.Error("fired") }
		var all []eventloop.Timer
		testkit.On(t, l, func() {
			for _, delay := range []time.Duration{math.MaxInt64, math.MaxInt64 - 1} {
				all = append(all, testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(delay, bad)),
					testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(delay, bad)),
					testkit.Scheduled[eventloop.Timer](t)(l.ScheduleRepeating(delay, bad)))
				h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Second, bad))
				testkit.Must(t, h.Reset(delay))
				all = append(all, h)
			}
		})
		time.Sleep(100 * 365 * 24 * time.Hour)
		for i, h := range all {
			if !h.Stop() {
				t.Errorf("timer %d is not pending after a hundred years", i)
			}
		}
		testkit.Must(t, l.Shutdown(context.Background()))
		testkit.Must(t, <-result)
	})
}

func TestZeroAndForeignTimersAreInert(t *testing.T) {
	a, b := eventloop.New(), eventloop.New()
	foreign := testkit.Scheduled[eventloop.Timer](t)(a.ScheduleTimer(time.Hour, func() {}))
	var zero eventloop.Timer
	zero.Ref()
	zero.Unref()
	if zero.Stop() || a.CancelTimer(zero) || a.CancelTimers() != 0 {
		t.Error("the zero Timer was pending")
	}
	if err := zero.Reset(1); !errors.Is(err, eventloop.ErrTimerCancelled) {
		t.Errorf("Reset of the zero Timer: %v", err)
	}
	if b.CancelTimer(foreign) || b.CancelTimers(zero, foreign) != 0 {
		t.Error("a loop cancelled a timer of another")
	}
	if !foreign.Stop() {
		t.Error("the attempt to cancel it elsewhere disarmed the timer")
	}
}

func TestTimerThatWasCancelledForGoodIsInert(t *testing.T) {
	l := eventloop.New()
	h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, func() {}))
	if !l.CancelTimer(h) || l.CancelTimer(h) || h.Stop() {
		t.Error("a pending timer was not cancelled exactly once")
	}
	if err := h.Reset(0); !errors.Is(err, eventloop.ErrTimerCancelled) {
		t.Errorf("Reset: %v", err)
	}
	h.Ref()
	h.Unref()
	testkit.Must(t, l.Close())
	if d := l.Dropped(); d.Timers != 0 {
		t.Errorf("%d timers dropped, want none", d.Timers)
	}
}

func TestPeriodThatIsNotPositiveIsRefused(t *testing.T) {
	l := eventloop.New()
	for _, period := range []time.Duration{0, -1, math.MinInt64} {
		if _, err := l.ScheduleRepeating(period, func() {}); !errors.Is(err, eventloop.ErrInvalid) || !strings.Contains(err.Error(), "period") {
			t.Errorf("ScheduleRepeating(%d): %v", period, err)
		}
		h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleRepeating(time.Hour, func() {}))
		if err := h.Reset(period); !errors.Is(err, eventloop.ErrInvalid) {
			t.Errorf("Reset(%d): %v", period, err)
		}
		if !h.Stop() {
			t.Errorf("the refused Reset(%d) disarmed the timer", period)
		}
		if err := h.Reset(period); !errors.Is(err, eventloop.ErrInvalid) || h.Stop() {
			t.Errorf("Reset(%d) of a stopped timer: %v, or it armed the timer", period, err)
		}
	}
}

func TestKeepAliveIsReleasedOnce(t *testing.T) {
	l := eventloop.New(eventloop.WithAutoExit())
	release, err := l.KeepAlive()
	testkit.Must(t, err)
	other, err := l.KeepAlive()
	testkit.Must(t, err)
	result := testkit.Launch(l)
	release()
	release() // which must not take the other's reference
	testkit.On(t, l, func() {})
	testkit.Must(t, l.Submit(func() {})) // the loop has not ended
	other()
	testkit.Must(t, testkit.Await(t, "Run", result))
	release, err = l.KeepAlive()
	if !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("KeepAlive of a loop that has ended: %v", err)
	}
	release()
}

func TestNilOptionsAreSkipped(t *testing.T) {
	var out bytes.Buffer
	before := slog.Default()
	defer slog.SetDefault(before)
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	l := eventloop.New(nil, eventloop.WithPanicHandler(nil), nil, eventloop.WithAutoExit())
	testkit.Must(t, l.Submit(func() { panic("oops") }))
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	if !strings.Contains(out.String(), "oops") {
		t.Errorf("WithPanicHandler(nil) has not logged the panic: %q", out.String())
	}
}
