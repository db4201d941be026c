package eventloop

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The queues keep few slots when a burst has drained.
func TestQueuesKeepFewSlotsAfterABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const burst = 20_000
		l := New()
		nothing := func() {}
		for range burst {
			testkit.Must(t, l.Submit(nothing))
			testkit.Must(t, l.SubmitInternal(nothing))
			testkit.Must(t, l.ScheduleImmediate(nothing))
			testkit.Must(t, l.NextTick(nothing))
			testkit.Must(t, l.ScheduleMicrotask(nothing))
			testkit.Scheduled[Timer](t)(l.ScheduleTimer(0, nothing))
		}
		result := testkit.Launch(l)
		synctest.Wait() // until it is parked
		// Three lanes of two sides keep some batches each; ticks, microtasks and timers keep a short queue each.
		const limit = 3*2*(queue.SpareBatches+2)*queue.BatchSize + 9*queue.Keep
		if kept := keptSlots(l); kept > limit {
			t.Errorf("%d slots are kept after a burst of %d callbacks of each kind, limit %d", kept, burst, limit)
		}
		testkit.Must(t, l.Shutdown(context.Background()))
		testkit.Must(t, <-result)
	})
}

// keptSlots counts the slots of all queues, used or not. The loop must be parked.
func keptSlots(l *Loop) int {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	in := &l.in
	n := l.ticks.Cap() + l.core.Micros.Cap() + l.core.Afterward.Cap() + cap(in.ticks) + cap(in.micros) +
		l.timers.Slots()
	for i := range lanes {
		n += in.inboxes[i].Cap() + l.backlogs[i].Cap()
	}
	return n
}
