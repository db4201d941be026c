package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var quantiles = []float64{0.5, 0.9, 0.95, 0.99, 0.999, 1}

func TestQuantilesAreWithinTheStatedErrorOfTheSortedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	streams := map[string]func() int64{
		"uniform":     func() int64 { return random.Int64N(1_000_000) },
		"exponential": func() int64 { return int64(random.ExpFloat64() * 50_000) },
		"lognormal":   func() int64 { return int64(math.Exp(random.NormFloat64()*3 + 8)) },
		"two peaks":   func() int64 { return 40 + random.Int64N(2)*9_000_000_000 },
		"small":       func() int64 { return random.Int64N(40) },
		"huge":        func() int64 { return math.MaxInt64 - random.Int64N(1<<40) },
		"constant":    func() int64 { return 12345 },
	}
	for name, draw := range streams {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 2, 10, 999, 50_000} {
				var h Histogram
				values := make([]int64, n)
				sum := 0.0
				for i := range values {
					values[i] = draw()
					sum += float64(values[i])
					h.Record(values[i])
				}
				slices.Sort(values)
				got := make([]int64, len(quantiles))
				h.Quantiles(quantiles, got)
				for i, q := range quantiles {
					want := float64(values[min(max(int(math.Ceil(q*float64(n)))-1, 0), n-1)])
					if math.Abs(float64(got[i])-want) > want*Error {
						t.Errorf("n=%d: quantile %v is %d, want %v", n, q, got[i], want)
					}
				}
				if h.Max() != values[n-1] || h.Count() != uint64(n) {
					t.Errorf("n=%d: max %d of %d values, want %d", n, h.Max(), h.Count(), values[n-1])
				}
				if mean := sum / float64(n); math.Abs(h.Mean()-mean) > mean*1e-9 {
					t.Errorf("n=%d: mean %v, want %v", n, h.Mean(), mean)
				}
			}
		})
	}
}

func TestEveryValueFallsIntoABucketWhoseMiddleIsNear(t *testing.T) {
	for shift := range 63 {
		for _, d := range []int64{-1, 0, 1} {
			v := max(int64(1)<<shift+d, 0)
			i := bucket(uint64(v))
			if i < 0 || i >= Buckets {
				t.Fatalf("%d falls into bucket %d", v, i)
			}
			if diff := math.Abs(float64(middle(i)) - float64(v)); diff > float64(v)*Error {
				t.Errorf("%d is represented by %d", v, middle(i))
			}
		}
	}
	if i := bucket(math.MaxInt64); i != Buckets-1 {
		t.Errorf("the largest value falls into bucket %d of %d", i, Buckets)
	}
}

func TestEmptyHistogramHasZeros(t *testing.T) {
	var h Histogram
	h.Record(7)
	h.Record(-1)
	if h.Count() != 2 || h.Max() != 7 {
		t.Errorf("%d values, max %d", h.Count(), h.Max())
	}
	h.Reset()
	got := []int64{1, 1, 1, 1, 1, 1}
	h.Quantiles(quantiles, got)
	if !slices.Equal(got, make([]int64, 6)) || h.Mean() != 0 || h.Max() != 0 {
		t.Errorf("quantiles %v, mean %v, max %v", got, h.Mean(), h.Max())
	}
}

func BenchmarkRecord(b *testing.B) {
	var h Histogram
	b.ReportAllocs()
	for i := range b.N {
		h.Record(int64(i))
	}
	if h.Count() != uint64(b.N) {
		b.Fatalf("%d values, want %d", h.Count(), b.N)
	}
}

func BenchmarkQuantilesAfterOneSample(b *testing.B) {
	var h Histogram
	h.Record(1_000_000)
	var out [5]int64
	b.ReportAllocs()
	for range b.N {
		if h.Quantiles(quantiles[:5], out[:]); out[0] == 0 {
			b.Fatal("the sample is gone")
		}
	}
}
