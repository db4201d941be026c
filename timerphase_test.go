package eventloop

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop/internal/testkit"
)

// A timer accepted before a timers phase reads the clock is in the phase, in its order, even if the loop had taken
// its timers over before that.
func TestTimerAcceptedBeforeItsPhaseBeginsIsInThePhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log testkit.Journal
		l := New()
		testkit.Scheduled[Timer](t)(l.ScheduleTimer(20, log.Does("late")))
		l.take()
		testkit.Scheduled[Timer](t)(l.ScheduleTimer(10, log.Does("early"))) // as another goroutine might
		time.Sleep(30 * time.Nanosecond)
		if !l.timersDue() {
			t.Fatal("nothing is due")
		}
		l.runPhase(phaseTimers)
		log.Expect(t, "early late")
		testkit.Must(t, l.Close())
	})
}
