package contracts_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
)

// A repeating timer fires from the entry that Reset made, while its first one is due as well; its callback gives it back,
// and the timer is used again in the same phase. Nothing of the next user's may decide when the repeating one is due.
func TestRepeatingTimerGivenBackAndUsedAgainInItsPhase(t *testing.T) {
	watch := watchdog(t, "a loop whose repeating timer was given back")
	defer watch.stop()
	for _, missed := range []eventloop.MissedTicks{eventloop.SkipMissed, eventloop.CatchUpMissed, eventloop.DelayMissed} {
		synctest.Test(t, func(t *testing.T) {
			var log journal
			l := eventloop.New(eventloop.WithAutoExit())
			var repeating eventloop.Timer
			must(t, l.Submit(func() {
				repeating = scheduled(t)(l.ScheduleRepeating(10, missed, func() {
					log.say("repeats")
					l.CancelTimer(repeating)
				}))
				must(t, l.ScheduleImmediate(func() { // by now the first entry is in the queue
					must(t, repeating.Reset(5))
					time.Sleep(20 * time.Nanosecond)
					// It runs when the stale entry has been dropped.
					scheduled(t)(l.Owner().ScheduleTimer(0, func() {
						scheduled(t)(l.Owner().ScheduleTimer(0, log.does("again")))
					}))
				}))
			}))
			must(t, l.Run(context.Background()))
			log.expect(t, "repeats again")
		})
	}
}

// A timer that catches up 10 million ticks holds a shutdown up for the last 1,000 only.
func TestShutdownBoundsTheTicksThatAreCaughtUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		ticks := 0
		must(t, l.Submit(func() {
			scheduled(t)(l.ScheduleRepeating(100*time.Nanosecond, eventloop.CatchUpMissed, func() { ticks++ }))
			time.Sleep(time.Second)
			_ = l.Shutdown(ended())
		}))
		must(t, l.Run(context.Background()))
		if ticks != 1+1000 { // the one that was due, and what it still had to catch up
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
	must(t, err)
	result := launch(l)
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
	scheduled(t)(l.ScheduleTimer(0, func() { close(fired) }))
	await(t, "a timer that is due", fired)
	close(stop)
	must(t, token.Release())
	must(t, l.Close())
	<-result
}
