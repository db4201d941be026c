package component

import (
	"testing"

	"github.com/eventloop-go/eventloop/internal/timers"
)

// The published loop keeps its state in a word of its own, which it changes by compare-and-swap. The product's loop
// keeps its state under the ingress lock, where Submit reads it anyway. The product uses compare-and-swap for the
// words of its timers, so these rows have a timer that is not armed.

func unarmed() timers.Handle { return new(timers.Store).Unarmed(nothing, timers.Once) }

func BenchmarkLatencyStateLoad(b *testing.B) {
	h := unarmed()
	n := 0
	b.ResetTimer()
	for range b.N {
		h.Touch()
		n++
	}
	expect(b, "loads", n, b.N)
}

// BenchmarkLatencyStateTryTransition has the timer leave the references and come back.
func BenchmarkLatencyStateTryTransition(b *testing.B) {
	h := unarmed()
	n := 0
	b.ResetTimer()
	for i := range b.N {
		h.SetRef(i&1 != 0)
		n++
	}
	expect(b, "transitions", n, b.N)
}

// BenchmarkLatencyStateTryTransition_NoOp stops a timer that is stopped. The product sees that before it swaps.
func BenchmarkLatencyStateTryTransition_NoOp(b *testing.B) {
	h := unarmed()
	n := 0
	b.ResetTimer()
	for range b.N {
		if !h.Stop() {
			n++
		}
	}
	expect(b, "refusals", n, b.N)
}
