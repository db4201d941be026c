package component

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop/internal/histogram"
)

// The old way keeps the last thousand durations, and copies and sorts them when asked. The published loop's new way
// is a P² estimator. The product's is the histogram of its metrics, which guarantees a bound of the value's error.

var asked = []float64{0.5, 0.9, 0.95, 0.99}

// A recent is a ring of the last thousand durations.
type recent struct {
	ring [1000]int64
	n    int
}

func (r *recent) record(v int64) { r.ring[r.n%len(r.ring)] = v; r.n++ }

func (r *recent) quantiles(out []int64) {
	sorted := slices.Clone(r.ring[:min(r.n, len(r.ring))])
	slices.Sort(sorted)
	for i, q := range asked {
		out[i] = sorted[int(q*float64(len(sorted)-1))]
	}
}

func exponential() int64 { return int64(rand.ExpFloat64() * 1e6) }
func uniform() int64     { return 1e6 + rand.Int64N(99e6) }

func readsOld(b *testing.B, draw func() int64) {
	var r recent
	for range len(r.ring) {
		r.record(draw())
	}
	reads(b, r.quantiles)
}

func readsNew(b *testing.B, draw func() int64) {
	var h histogram.Histogram
	for range 1000 {
		h.Record(draw())
	}
	reads(b, func(out []int64) { h.Quantiles(asked, out) })
}

func reads(b *testing.B, quantiles func([]int64)) {
	b.ReportAllocs()
	out := make([]int64, len(asked))
	right := 0
	b.ResetTimer()
	for range b.N {
		if quantiles(out); out[0] > 0 && out[0] < out[3] {
			right++
		}
	}
	expect(b, "readings in order", right, b.N)
}

func BenchmarkLatencySample_OldSortBased(b *testing.B)   { readsOld(b, exponential) }
func BenchmarkLatencySample_NewPSquare(b *testing.B)     { readsNew(b, exponential) }
func BenchmarkHighFrequencyMonitoring_Old(b *testing.B)  { readsOld(b, uniform) }
func BenchmarkHighFrequencyMonitoring_New(b *testing.B)  { readsNew(b, uniform) }
func BenchmarkLatencyRecord_WithoutPSquare(b *testing.B) { records(b, false) }
func BenchmarkLatencyRecord_WithPSquare(b *testing.B)    { records(b, true) }
func BenchmarkCombinedWorkload_Old(b *testing.B)         { combined(b, false) }
func BenchmarkCombinedWorkload_New(b *testing.B)         { combined(b, true) }

// records takes prepared durations, the same thousands again and again.
func records(b *testing.B, with bool) {
	b.ReportAllocs()
	prepared := make([]int64, lap)
	for i := range prepared {
		prepared[i] = exponential()
	}
	var r recent
	var h histogram.Histogram
	b.ResetTimer()
	for i := range b.N {
		v := prepared[i%lap]
		r.record(v)
		if with {
			h.Record(v)
		}
	}
	expect(b, "durations", r.n, b.N)
	if with {
		expect(b, "durations in the histogram", int(h.Count()), b.N)
	}
}

// combined draws and records a duration, and reads the quantiles at every hundredth.
func combined(b *testing.B, histogrammed bool) {
	b.ReportAllocs()
	var r recent
	var h histogram.Histogram
	out := make([]int64, len(asked))
	for i := range b.N {
		v := exponential()
		if histogrammed {
			h.Record(v)
		} else {
			r.record(v)
		}
		switch {
		case i%100 != 99:
		case histogrammed:
			h.Quantiles(asked, out)
		default:
			r.quantiles(out)
		}
	}
	expect(b, "durations", r.n+int(h.Count()), b.N)
}
