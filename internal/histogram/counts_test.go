package histogram

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A window of a histogram is the histogram of the values in between.
func TestTheDifferenceOfTwoCopiesIsWhatCameInBetween(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		var whole, window Histogram
		draw := func() int64 { return int64(math.Exp(random.Float64() * 40)) }
		for range random.IntN(20) {
			whole.Record(draw())
		}
		earlier := whole.Counts()
		for range random.IntN(20) {
			v := draw()
			whole.Record(v)
			window.Record(v)
		}
		got, want := whole.Counts().Sub(earlier), window.Counts()
		if got.Count() != want.Count() || math.Abs(got.Sum()-want.Sum()) > 1e-9*whole.sum {
			t.Fatalf("%d values of %g, want %d of %g", got.Count(), got.Sum(), want.Count(), want.Sum())
		}
		if want == nil {
			continue
		}
		if got.Max() < want.Max() || float64(got.Max()) > float64(want.Max())*(1+2*Error) {
			t.Fatalf("max %d, want %d", got.Max(), want.Max())
		}
		for _, q := range quantiles {
			if g, w := got.Quantile(q), want.Quantile(q); g < w || g > w && q < 1 && g > got.Max() {
				t.Fatalf("quantile %v is %d, want %d", q, g, w)
			}
		}
		sum := earlier.Add(got)
		for v := int64(1); v > 0; v *= 3 {
			if sum.AtMost(v) != whole.Counts().AtMost(v) {
				t.Fatalf("%d values at most %d, want %d", sum.AtMost(v), v, whole.Counts().AtMost(v))
			}
		}
	}
}

func TestAQuantileOfACopyIsThatOfTheHistogram(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 1))
	var h Histogram
	for range 5000 {
		h.Record(int64(random.ExpFloat64() * 1e6))
	}
	out := make([]int64, len(quantiles))
	h.Quantiles(quantiles, out)
	for i, q := range quantiles {
		if got := h.Counts().Quantile(q); got != out[i] {
			t.Errorf("quantile %v is %d, want %d", q, got, out[i])
		}
	}
}

func TestABucketEndsBeforeTheNextBegins(t *testing.T) {
	for i := range Buckets - 1 {
		if u := upper(i); bucket(u) != i || bucket(u+1) != i+1 {
			t.Fatalf("bucket %d ends at %d", i, u)
		}
	}
}

func TestNothingIsCountedInNothing(t *testing.T) {
	var h Histogram
	c := h.Counts()
	if c != nil || c.Count() != 0 || c.Max() != 0 || c.Sum() != 0 || c.Quantile(0.5) != 0 || c.AtMost(5) != 0 || c.Sub(c) != nil || c.Add(c) != nil {
		t.Error("something is")
	}
}
