package contracts_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The table of the MissedTicks documentation: a timer that repeats every 10 ms, on a loop blocked from 25 to 48 ms.
func TestMissedTicksAsDocumented(t *testing.T) {
	for _, c := range []struct {
		name   string
		missed eventloop.MissedTicks
		want   string
	}{
		{"skip", eventloop.SkipMissed, "10 20 48 50 60"},
		{"catch up", eventloop.CatchUpMissed, "10 20 48 48 50 60"},
		{"delay", eventloop.DelayMissed, "10 20 48 58 68"},
		{"no such policy", 77, "10 20 48 50 60"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log testkit.Journal
				start := time.Now()
				l := eventloop.New(eventloop.WithAutoExit())
				h := l.NewTicker(c.missed, func() {
					log.Say(fmt.Sprint(time.Since(start).Milliseconds()))
				})
				testkit.Must(t, h.Reset(10*time.Millisecond))
				h.Unref()
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(25*time.Millisecond, func() { time.Sleep(23 * time.Millisecond) }))
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(69*time.Millisecond, func() {}))
				testkit.Must(t, l.Run(context.Background()))
				log.Expect(t, c.want)
			})
		})
	}
}

// A loop that is late by something every time: ticks stay on multiples of the period, however long it goes on.
func TestRepeatingTimerDoesNotDrift(t *testing.T) {
	for _, missed := range []eventloop.MissedTicks{eventloop.SkipMissed, eventloop.CatchUpMissed} {
		synctest.Test(t, func(t *testing.T) {
			const period, late, ticks = 10 * time.Millisecond, 3 * time.Millisecond, 10_000
			start := time.Now()
			n := 0
			var h eventloop.Timer
			runMain := eventloop.New(eventloop.WithAutoExit())
			h = runMain.NewTicker(missed, func() {
				n++
				if at := time.Since(start); at != time.Duration(n)*period {
					t.Fatalf("tick %d at %v", n, at)
				}
				time.Sleep(late)
				if n == ticks {
					h.Stop()
				}
			})
			testkit.Must(t, h.Reset(period))
			testkit.Must(t, runMain.Run(context.Background()))
			if n != ticks {
				t.Errorf("%d ticks, want %d", n, ticks)
			}
		})
	}
}

func TestRepeatingTimerTouchedByItsOwnCallback(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name  string
		touch func(t *testing.T, l *eventloop.Loop, h eventloop.Timer)
		want  string
	}{
		{"Stop", func(t *testing.T, _ *eventloop.Loop, h eventloop.Timer) {
			if !h.Stop() || h.Stop() {
				t.Error("a repeating timer was not stopped exactly once")
			}
		}, "10"},
		{"CancelTimer", func(t *testing.T, l *eventloop.Loop, h eventloop.Timer) {
			if !l.CancelTimer(h) {
				t.Error("a repeating timer was not pending in its callback")
			}
		}, "10"},
		{"Reset", func(t *testing.T, _ *eventloop.Loop, h eventloop.Timer) { testkit.Must(t, h.Reset(25*ms)) }, "10 35 60 85"},
		{"Reset to the same period", func(t *testing.T, _ *eventloop.Loop, h eventloop.Timer) {
			time.Sleep(5 * ms)
			testkit.Must(t, h.Reset(10*ms))
		}, "10 25 35 45 55 65 75 85 95"},
		{"Stop and Reset", func(t *testing.T, _ *eventloop.Loop, h eventloop.Timer) {
			h.Stop()
			testkit.Must(t, h.Reset(30*ms))
		}, "10 40 70 100"},
		{"cancelled and used again", func(t *testing.T, l *eventloop.Loop, h eventloop.Timer) {
			// The timer's memory serves another one while its own callback is still in progress.
			l.CancelTimer(h)
			for range 3 {
				testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(time.Hour, func() {})).Unref()
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(time.Hour, func() {})).Unref()
			}
		}, "10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log testkit.Journal
				start := time.Now()
				l := eventloop.New(eventloop.WithAutoExit())
				var h eventloop.Timer
				first := true
				h = testkit.Scheduled[eventloop.Timer](t)(l.ScheduleRepeating(10*ms, func() {
					log.Say(fmt.Sprint(time.Since(start).Milliseconds()))
					if first {
						first = false
						c.touch(t, l, h)
					}
				}))
				testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(101*ms, func() { h.Unref() }))
				testkit.Must(t, l.Run(context.Background()))
				log.Expect(t, c.want)
			})
		})
	}
}

// Repeating timers are set again when their phase is over, in the order in which they ran. With equal deadlines they
// come behind the timers that the phase's callbacks scheduled.
func TestRepeatingTimersAreSequencedAfterTheirPhase(t *testing.T) {
	for _, via := range []string{"Loop", "Owner"} {
		synctest.Test(t, func(t *testing.T) {
			var log testkit.Journal
			l := eventloop.New(eventloop.WithAutoExit())
			s := script{&log, t, l, via == "Owner"}
			first := true
			a := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleRepeating(time.Second, s.Does("a")))
			b := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleRepeating(time.Second, func() {
				s.Say("b")
				if first {
					first = false
					s.timer(time.Second, s.Does("c"))
				}
			}))
			a.Unref()
			b.Unref()
			s.timer(2*time.Second, func() {})
			testkit.Must(t, l.Run(context.Background()))
			log.Expect(t, "a b c a b")
		})
	}
}
