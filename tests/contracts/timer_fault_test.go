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

// A repeating timer fires from the entry that Reset made, while its first one is due as well. Its callback gives it
// back, and the timer is used again in the same phase. No state of the next user may decide when the repeating one is
// due.
func TestRepeatingTimerGivenBackAndUsedAgainInItsPhase(t *testing.T) {
	watch := testkit.Watchdog(t, "a loop whose repeating timer was given back")
	defer watch.Stop()
	for _, missed := range []eventloop.MissedTicks{eventloop.SkipMissed, eventloop.CatchUpMissed, eventloop.DelayMissed} {
		synctest.Test(t, func(t *testing.T) {
			var log testkit.Journal
			l := eventloop.New(eventloop.WithAutoExit())
			var repeating eventloop.Timer
			testkit.Must(t, l.Submit(func() {
				repeating = l.NewTicker(missed, func() {
					log.Say("repeats")
					l.CancelTimer(repeating)
				})
				testkit.Must(t, repeating.Reset(10))
				testkit.Must(t, l.ScheduleImmediate(func() { // by now the first entry is in the queue
					testkit.Must(t, repeating.Reset(5))
					time.Sleep(20 * time.Nanosecond)
					// It runs when the stale entry has been dropped.
					testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(0, func() {
						testkit.Scheduled[eventloop.Timer](t)(adapter.Of(l).ScheduleTimer(0, log.Does("again")))
					}))
				}))
			}))
			testkit.Must(t, l.Run(context.Background()))
			log.Expect(t, "repeats again")
		})
	}
}

// A timer that catches up 10 million ticks holds a shutdown up for the last 1,000 only.
func TestShutdownBoundsTheTicksThatAreCaughtUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		ticks := 0
		testkit.Must(t, l.Submit(func() {
			testkit.Must(t, l.NewTicker(eventloop.CatchUpMissed, func() { ticks++ }).Reset(100*time.Nanosecond))
			time.Sleep(time.Second)
			_ = l.Shutdown(testkit.Ended())
		}))
		testkit.Must(t, l.Run(context.Background()))
		if ticks != 1+1000 { // the tick that was due, and the ticks it had to catch up
			t.Errorf("%d ticks", ticks)
		}
		if d, want := l.Dropped(), (eventloop.Dropped{Timers: 1}); d != want {
			t.Errorf("dropped %+v, want %+v", d, want)
		}
	})
}

// A loop that may end by itself runs the timers that are due, though new ones arrive whenever it looks.
func TestAutoExitLoopRunsDueTimersWhileOthersArrive(t *testing.T) {
	l := eventloop.New(eventloop.WithAutoExit())
	token, err := l.KeepAlive()
	testkit.Must(t, err)
	result := testkit.Launch(l)
	fired := make(chan struct{})
	stop := make(chan struct{})
	for range 2 {
		go func() {
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = l.ScheduleTimer(time.Hour, func() {})
				}
			}
		}()
	}
	testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(0, func() { close(fired) }))
	testkit.Await(t, "a timer that is due", fired)
	close(stop)
	token()
	testkit.Must(t, l.Close())
	<-result
}
