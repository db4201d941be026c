package eventloop

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop/internal/queue"
)

// The queues keep few slots when a burst has drained.
func TestQueuesKeepFewSlotsAfterABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const burst = 20_000
		l := New()
		nothing := func() {}
		for range burst {
			must(t, l.Submit(nothing))
			must(t, l.SubmitInternal(nothing))
			must(t, l.ScheduleImmediate(nothing))
			must(t, l.NextTick(nothing))
			must(t, l.ScheduleMicrotask(nothing))
			scheduled(t)(l.ScheduleTimer(0, nothing))
		}
		result := launch(l)
		synctest.Wait() // until it is parked
		// Three lanes of two sides keep some batches each; ticks, microtasks and timers keep a short queue each.
		const limit = 3*2*(queue.SpareBatches+2)*queue.BatchSize + 9*queue.Keep
		if kept := keptSlots(l); kept > limit {
			t.Errorf("%d slots are kept after a burst of %d callbacks of each kind, limit %d", kept, burst, limit)
		}
		must(t, l.Shutdown(context.Background()))
		must(t, <-result)
	})
}

// keptSlots counts the slots of all queues, used or not. The loop must be parked.
func keptSlots(l *Loop) int {
	l.in.mu.lock()
	defer l.in.mu.unlock()
	in := &l.in
	n := l.ticks.Cap() + l.core.Micros.Cap() + l.core.Afterward.Cap() + cap(in.ticks) + cap(in.micros) +
		l.timers.Slots()
	for _, q := range []*queue.Inbox{&in.external, &in.internal, &in.immediates, &in.closing} {
		n += q.Cap()
	}
	for _, b := range []*queue.Backlog{&l.external, &l.internal, &l.immediates, &l.closing} {
		n += b.Cap()
	}
	return n
}
