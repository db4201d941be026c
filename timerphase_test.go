package eventloop

import (
	"testing"
	"testing/synctest"
	"time"
)

// A timer that was accepted before a timers phase reads the clock is in the phase, in its order, though the loop had
// taken its timers over before that.
func TestTimerAcceptedBeforeItsPhaseBeginsIsInThePhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log journal
		l := New()
		scheduled(t)(l.ScheduleTimer(20, log.does("late")))
		l.take()
		scheduled(t)(l.ScheduleTimer(10, log.does("early"))) // as another goroutine might
		time.Sleep(30 * time.Nanosecond)
		if !l.timersDue() {
			t.Fatal("nothing is due")
		}
		l.guard(phaseTimers)
		log.expect(t, "early late")
		must(t, l.Close())
	})
}
