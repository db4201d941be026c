package contracts_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestAutoExitLoopWithNothingToDoEndsAtOnce(t *testing.T) {
	l := eventloop.New(eventloop.WithAutoExit())
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	testkit.Await(t, "Done", l.Done())
}

// The resources that hold an auto-exit loop open, and for how long, in virtual time.
func TestWhatKeepsALoopAlive(t *testing.T) {
	nothing := func() {}
	for _, c := range []struct {
		name string
		main func(*testing.T, *eventloop.Loop)
		want time.Duration
	}{
		{"a timer", func(t *testing.T, l *eventloop.Loop) {
			testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, nothing))
		}, time.Hour},
		{"a timer of the Owner", func(t *testing.T, l *eventloop.Loop) {
			testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(time.Hour, nothing))
		}, time.Hour},
		{"the last of several timers", func(t *testing.T, l *eventloop.Loop) {
			for _, d := range []time.Duration{3, 5, 1} {
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(d*time.Hour, nothing))
			}
		}, 5 * time.Hour},
		{"not a timer that is stopped", func(t *testing.T, l *eventloop.Loop) {
			h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, nothing))
			h.Stop()
		}, 0},
		{"not a timer that is cancelled", func(t *testing.T, l *eventloop.Loop) {
			l.CancelTimer(testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(time.Hour, nothing)))
		}, 0},
		{"not a timer without reference, even a due one", func(t *testing.T, l *eventloop.Loop) {
			for _, d := range []time.Duration{0, time.Hour} {
				bad := func() { t.Error("fired") }
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(d, bad)).Unref()
				testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(d, bad)).Unref()
			}
		}, 0},
		{"a timer whose reference came back", func(t *testing.T, l *eventloop.Loop) {
			h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, nothing))
			h.Unref()
			h.Unref()
			h.Ref()
			h.Ref()
		}, time.Hour},
		{"not a timer without reference that is reset", func(t *testing.T, l *eventloop.Loop) {
			h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, nothing))
			h.Unref()
			testkit.Must(t, h.Reset(time.Minute))
		}, 0},
		{"a stopped timer that is reset", func(t *testing.T, l *eventloop.Loop) {
			h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, nothing))
			h.Stop()
			testkit.Must(t, h.Reset(time.Minute))
			testkit.Must(t, h.Reset(2*time.Minute))
		}, 2 * time.Minute},
		{"a fired timer that is reset, without a reference since", func(t *testing.T, l *eventloop.Loop) {
			var h eventloop.Timer
			h = testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Minute, func() { h.Unref(); _ = h.Reset(time.Hour) }))
		}, time.Minute},
		{"a repeating timer, until it is stopped", func(t *testing.T, l *eventloop.Loop) {
			n := 0
			var h eventloop.Timer
			h = testkit.Scheduled[eventloop.Timer](t)(l.ScheduleRepeating(time.Minute, func() {
				if n++; n == 3 {
					h.Stop()
				}
			}))
		}, 3 * time.Minute},
		{"a repeating timer, until it loses its reference", func(t *testing.T, l *eventloop.Loop) {
			n := 0
			var h eventloop.Timer
			h = l.NewTicker(eventloop.DelayMissed, func() {
				if n++; n == 3 {
					h.Unref()
				}
			})
			testkit.Must(t, h.Reset(time.Minute))
		}, 3 * time.Minute},
		{"a token", func(t *testing.T, l *eventloop.Loop) {
			token, err := l.KeepAlive()
			testkit.Must(t, err)
			go func() {
				time.Sleep(time.Hour)
				token()
			}()
		}, time.Hour},
		{"the last of several tokens, and work that its goroutine submits", func(t *testing.T, l *eventloop.Loop) {
			for i := range 3 {
				token, err := l.KeepAlive()
				testkit.Must(t, err)
				go func() {
					time.Sleep(time.Duration(i) * time.Hour)
					testkit.Must(t, l.Submit(func() {
						if i == 2 {
							_, _ = l.ScheduleTimer(time.Hour, nothing)
						}
					}))
					token()
				}()
			}
		}, 3 * time.Hour},
		{"not a token released at once", func(t *testing.T, l *eventloop.Loop) {
			token, err := l.KeepAlive()
			testkit.Must(t, err)
			token()
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				l := eventloop.New(eventloop.WithAutoExit())
				testkit.Must(t, l.Submit(func() { c.main(t, l) }))
				testkit.Must(t, l.Run(context.Background()))
				if lived := time.Since(start); lived != c.want {
					t.Errorf("the loop lived %v, want %v", lived, c.want)
				}
			})
		})
	}
}

func TestTokenDoesNotHoldUpShutdown(t *testing.T) {
	for _, opts := range [][]eventloop.Option{nil, {eventloop.WithAutoExit()}} {
		l := eventloop.New(opts...)
		token, err := l.KeepAlive()
		testkit.Must(t, err)
		result := testkit.Launch(l)
		testkit.On(t, l, func() {})
		testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
		testkit.Must(t, testkit.Await(t, "Run", result))
		token()
	}
}

func TestLoopWithoutAutoExitWaitsForWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		result := testkit.Launch(l)
		time.Sleep(24 * time.Hour)
		select {
		case err := <-result:
			t.Fatalf("Run returned %v with nothing to do", err)
		default:
		}
		testkit.Must(t, l.Shutdown(context.Background()))
		testkit.Must(t, <-result)
	})
}
