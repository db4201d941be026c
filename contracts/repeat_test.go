package contracts_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
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
				var log journal
				start := time.Now()
				l := eventloop.New(eventloop.WithAutoExit())
				h := scheduled(t)(l.ScheduleRepeating(10*time.Millisecond, c.missed, func() {
					log.say(fmt.Sprint(time.Since(start).Milliseconds()))
				}))
				h.Unref()
				scheduled(t)(l.ScheduleTimer(25*time.Millisecond, func() { time.Sleep(23 * time.Millisecond) }))
				scheduled(t)(l.ScheduleTimer(69*time.Millisecond, func() {}))
				must(t, l.Run(context.Background()))
				log.expect(t, c.want)
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
			h = scheduled(t)(runMain.ScheduleRepeating(period, missed, func() {
				n++
				if at := time.Since(start); at != time.Duration(n)*period {
					t.Fatalf("tick %d at %v", n, at)
				}
				time.Sleep(late)
				if n == ticks {
					h.Stop()
				}
			}))
			must(t, runMain.Run(context.Background()))
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
		{"Reset", func(t *testing.T, _ *eventloop.Loop, h eventloop.Timer) { must(t, h.Reset(25*ms)) }, "10 35 60 85"},
		{"Refresh", func(t *testing.T, _ *eventloop.Loop, h eventloop.Timer) {
			time.Sleep(5 * ms)
			must(t, h.Refresh())
		}, "10 25 35 45 55 65 75 85 95"},
		{"Stop and Reset", func(t *testing.T, _ *eventloop.Loop, h eventloop.Timer) {
			h.Stop()
			must(t, h.Reset(30*ms))
		}, "10 40 70 100"},
		{"cancelled and used again", func(t *testing.T, l *eventloop.Loop, h eventloop.Timer) {
			// The timer's memory serves another one while its own callback is still in progress.
			l.CancelTimer(h)
			for range 3 {
				scheduled(t)(l.Owner().ScheduleTimer(time.Hour, func() {})).Unref()
				scheduled(t)(l.ScheduleTimer(time.Hour, func() {})).Unref()
			}
		}, "10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log journal
				start := time.Now()
				l := eventloop.New(eventloop.WithAutoExit())
				var h eventloop.Timer
				first := true
				h = scheduled(t)(l.ScheduleRepeating(10*ms, eventloop.SkipMissed, func() {
					log.say(fmt.Sprint(time.Since(start).Milliseconds()))
					if first {
						first = false
						c.touch(t, l, h)
					}
				}))
				scheduled(t)(l.ScheduleTimer(101*ms, func() { h.Unref() }))
				must(t, l.Run(context.Background()))
				log.expect(t, c.want)
			})
		})
	}
}

// Repeating timers are set anew when their phase is over, in the order in which they ran: behind the timers that the
// callbacks of the phase scheduled, where deadlines are equal.
func TestRepeatingTimersAreSequencedAfterTheirPhase(t *testing.T) {
	for _, via := range []string{"Loop", "Owner"} {
		synctest.Test(t, func(t *testing.T) {
			var log journal
			l := eventloop.New(eventloop.WithAutoExit())
			s := script{&log, t, l, via == "Owner"}
			first := true
			a := scheduled(t)(l.ScheduleRepeating(time.Second, eventloop.SkipMissed, s.does("a")))
			b := scheduled(t)(l.ScheduleRepeating(time.Second, eventloop.SkipMissed, func() {
				s.say("b")
				if first {
					first = false
					s.timer(time.Second, s.does("c"))
				}
			}))
			a.Unref()
			b.Unref()
			s.timer(2*time.Second, func() {})
			must(t, l.Run(context.Background()))
			log.expect(t, "a b c a b")
		})
	}
}
