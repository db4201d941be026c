package inspect

import (
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
)

func TestAWatchdogAllocatesOnceForEachCallback(t *testing.T) {
	w := &stallDetector{loop: diagnosis(eventloop.New()), threshold: time.Hour}
	w.set.Store(true) // the timer
	for event, want := range map[EventType]float64{CallbackBegan: 1, CallbackEnded: 0, PhaseBegan: 0, PhaseEnded: 0, LoopSleeps: 0, LoopWakes: 0} {
		if got := testing.AllocsPerRun(100, func() { w.observe(Event{Type: event}) }); got != want {
			t.Errorf("event %d: %v allocations, want %v", event, got, want)
		}
	}
}
