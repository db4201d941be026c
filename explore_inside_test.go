//go:build explore

package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/explore"
	"github.com/eventloop-go/eventloop/internal/queue"
)

// What follows looks at the fields of the loop, which is all that has to follow when they change.

// inside judges a loop that sleeps, with nothing to run: its queues are empty, and its counts are those of what it has.
func (w *exWorld) inside() {
	l := w.loop
	in := &l.in
	if !in.sleeping {
		explore.Fail("nobody can go on, and the loop is not marked as sleeping")
	}
	if n := l.ticks.Len() + l.core.Micros.Len() + l.core.Afterward.Len() + l.internal.Len() + l.external.Len() + l.immediates.Len() +
		in.internal.Len() + in.external.Len() + in.immediates.Len() + len(in.ticks) + len(in.micros); n > 0 {
		explore.Fail("the loop sleeps with %d callbacks in its queues", n)
	}
	if n := l.external.Cap() + in.external.Cap() + l.internal.Cap() + in.internal.Cap(); n > 4*(queue.SpareBatches+2)*queue.BatchSize {
		explore.Fail("the queues of a drained loop hold on to %d words", n)
	}
	a := l.timers.Account()
	if n := l.timers.StaleCount(); n != a.Stale {
		explore.Fail("%d entries are stale, %d are counted", a.Stale, n)
	}
	if n := l.timers.Armed(); l.meter != nil && n != a.Live {
		explore.Fail("%d timers are armed, %d are counted", a.Live, n)
	}
	if !w.auto {
		return
	}
	want := int64(a.Refs)
	for _, k := range w.tokens {
		if !k.released {
			want++
		}
	}
	if got := l.live.Load(); got != want {
		explore.Fail("%d timers and tokens keep the loop open, %d are counted", want, got)
	}
	if want == 0 {
		explore.Fail("the loop sleeps, and nothing keeps it open")
	}
}

// insideEnded judges a loop that has ended: it holds on to nothing.
func (w *exWorld) insideEnded() {
	l := w.loop
	in := &l.in
	if n := l.timers.Slots() + l.external.Len() + in.external.Len() + l.core.Micros.Len() + len(in.micros) + len(in.ticks); n > 0 {
		explore.Fail("a loop that has ended holds on to %d entries", n)
	}
}
