package component

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/internal/histogram"
)

// streams are distributions of durations that a loop may see, in nanoseconds.
var streams = []struct {
	name string
	draw func(rng *rand.Rand, i int) float64
}{
	{"exponential", func(rng *rand.Rand, _ int) float64 { return rng.ExpFloat64() * 1e6 }},
	{"uniform", func(rng *rand.Rand, _ int) float64 { return 1e6 + rng.Float64()*99e6 }},
	{"two modes", func(rng *rand.Rand, _ int) float64 { // a wake-up of a microsecond, or of a hundred
		if rng.IntN(100) < 94 {
			return 1e3 * (1 + rng.Float64()/10)
		}
		return 1e5 * (1 + rng.Float64()/10)
	}},
	{"a stall at the end", func(rng *rand.Rand, i int) float64 { // of three values in a hundred
		if i < 97_000 {
			return 1e3 * (1 + rng.Float64()/10)
		}
		return 5e7 * (1 + rng.Float64()/10)
	}},
	{"drifting", func(rng *rand.Rand, i int) float64 { return 1e4 + float64(i)*10 + rng.Float64()*1e3 }},
}

// stalled is the stream that P² follows worst: its markers move by one position for each value.
const stalled = 3

// quantileErrors are the errors of both estimators against the sorted values, as a share of the true quantile.
func quantileErrors(draw func(*rand.Rand, int) float64) (psquare, hist []float64) {
	const n = 100_000
	rng := rand.New(rand.NewPCG(1, 2))
	var all []float64
	var h histogram.Histogram
	var rivals []*PSquare
	for _, q := range asked {
		rivals = append(rivals, NewPSquare(q))
	}
	for i := range n {
		v := draw(rng, i)
		all = append(all, v)
		h.Record(int64(v))
		for _, p := range rivals {
			p.Record(v)
		}
	}
	slices.Sort(all)
	out := make([]int64, len(asked))
	h.Quantiles(asked, out)
	for i, q := range asked {
		truth := all[int(math.Ceil(q*n))-1]
		psquare = append(psquare, math.Abs(rivals[i].Quantile()-truth)/truth)
		hist = append(hist, math.Abs(float64(out[i])-truth)/truth)
	}
	return psquare, hist
}

func TestTheHistogramKeepsItsBoundWhereverPSquareDoesNot(t *testing.T) {
	worst := 0.0
	for _, s := range streams {
		psquare, hist := quantileErrors(s.draw)
		t.Logf("%s: quantiles %v, P² is off by %.4f, the histogram by %.4f", s.name, asked, psquare, hist)
		if most := slices.Max(hist); most > histogram.Error+1e-3 {
			t.Errorf("%s: the histogram is off by %v", s.name, most)
		}
		worst = max(worst, slices.Max(psquare))
	}
	if worst < 4*histogram.Error {
		t.Errorf("P² is off by %v at most: the histogram's bound buys nothing, and this test is out of date", worst)
	}
}

func TestPSquareIsCloseOnSmoothDistributions(t *testing.T) {
	for _, s := range streams[:2] {
		if psquare, _ := quantileErrors(s.draw); slices.Max(psquare) > 0.02 {
			t.Errorf("%s: off by %v", s.name, psquare)
		}
	}
}

func TestPSquareOfAFewValuesIsOneOfThem(t *testing.T) {
	p := NewPSquare(0.5)
	if p.Quantile() != 0 {
		t.Error("a quantile of nothing")
	}
	for i, v := range []float64{9, 5, 7, 8} {
		p.Record(v)
		if got, want := p.Quantile(), []float64{9, 9, 7, 8}[i]; got != want {
			t.Errorf("after %d values: %v, want %v", i+1, got, want)
		}
	}
}

// A rival is a P² estimator for each quantile that is asked for.
type rival []*PSquare

func newRival() (r rival) {
	for _, q := range asked {
		r = append(r, NewPSquare(q))
	}
	return r
}

func (r rival) record(v int64) {
	for _, p := range r {
		p.Record(float64(v))
	}
}

func (r rival) quantiles(out []int64) {
	for i, p := range r {
		out[i] = int64(p.Quantile())
	}
}

func readsPSquare(b *testing.B, draw func() int64) {
	r := newRival()
	for range 1000 {
		r.record(draw())
	}
	reads(b, r.quantiles)
	for _, s := range []int{0, stalled} {
		psquare, hist := quantileErrors(streams[s].draw)
		name := strings.ReplaceAll(streams[s].name, " ", "-")
		b.ReportMetric(100*slices.Max(psquare), name+"-error-%")
		b.ReportMetric(100*slices.Max(hist), name+"-error-of-histogram-%")
	}
}

func BenchmarkLatencySample_NewPSquare_PSquare(b *testing.B)    { readsPSquare(b, exponential) }
func BenchmarkHighFrequencyMonitoring_New_PSquare(b *testing.B) { readsPSquare(b, uniform) }

func BenchmarkLatencyRecord_WithPSquare_PSquare(b *testing.B) {
	b.ReportAllocs()
	prepared := make([]int64, lap)
	for i := range prepared {
		prepared[i] = exponential()
	}
	var ring recent
	r := newRival()
	b.ResetTimer()
	for i := range b.N {
		v := prepared[i%lap]
		ring.record(v)
		r.record(v)
	}
	expect(b, "durations", ring.n, b.N)
	expect(b, "durations in the estimators", r[0].n, b.N)
}

func BenchmarkCombinedWorkload_New_PSquare(b *testing.B) {
	b.ReportAllocs()
	r := newRival()
	out := make([]int64, len(asked))
	for i := range b.N {
		r.record(exponential())
		if i%100 == 99 {
			r.quantiles(out)
		}
	}
	expect(b, "durations", r[0].n, b.N)
}
