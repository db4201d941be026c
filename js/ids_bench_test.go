package js_test

import (
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

// BenchmarkSetAndClearTimeout sets and clears a timer by its number, beside others that stay.
func BenchmarkSetAndClearTimeout(b *testing.B) {
	for _, bench := range []struct {
		name string
		stay int
	}{{"alone", 0}, {"beside 1000", 1000}, {"beside 100000", 100_000}} {
		b.Run(bench.name, func(b *testing.B) {
			env := js.New(eventloop.New())
			fn := func() {}
			for range bench.stay {
				_, _ = env.SetTimeout(fn, 1e9)
			}
			b.ReportAllocs()
			for b.Loop() {
				id, _ := env.SetTimeout(fn, 1000)
				env.ClearTimeout(id)
			}
		})
	}
}

// BenchmarkSetThenClearTimeouts sets 1,000 timers and clears them then.
func BenchmarkSetThenClearTimeouts(b *testing.B) {
	env := js.New(eventloop.New())
	fn := func() {}
	set := make([]uint64, 1000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i == len(set) {
			i = 0
			for _, id := range set {
				env.ClearTimeout(id)
			}
		}
		set[i], _ = env.SetTimeout(fn, 1000)
	}
}
