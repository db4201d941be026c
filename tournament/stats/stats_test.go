package stats

import (
	"math"
	"testing"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if math.Abs(got-want) > rel*math.Abs(want) || math.IsNaN(got) != math.IsNaN(want) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

func TestASummaryHasTheTextbookFigures(t *testing.T) {
	s := Summarize([]float64{2, 4, 4, 4, 5, 5, 7, 9})
	near(t, "mean", s.Mean, 5, 0)
	near(t, "median", s.Median, 4.5, 0)
	near(t, "stddev", s.StdDev, math.Sqrt(32.0/7), 1e-12)
	near(t, "CV", s.CV, math.Sqrt(32.0/7)/5, 1e-12)
	near(t, "upper end", s.Hi, 5+2.364624251592785*math.Sqrt(32.0/7)/math.Sqrt(8), 1e-9)
	if s.Min != 2 || s.Max != 9 || s.N != 8 {
		t.Errorf("%+v", s)
	}
}

func TestTheMeanOfDecimalsIsTheOneGotByHand(t *testing.T) {
	if got := mean([]float64{4.457, 4.023, 4.017, 4.335, 4.243}); got != 4.215 {
		t.Errorf("%.17g", got)
	}
}

func TestSmallSamplesHaveDefinedSummaries(t *testing.T) {
	if s := Summarize(nil); s != (Summary{}) {
		t.Errorf("%+v", s)
	}
	if s := Summarize([]float64{3}); s.Lo != 3 || s.Hi != 3 || s.StdDev != 0 || s.Median != 3 {
		t.Errorf("%+v", s)
	}
	if s := Summarize([]float64{0.1, 0.1, 0.1}); s.StdDev != 0 || s.CV != 0 {
		t.Errorf("equal figures have a deviation: %+v", s)
	}
	if s := Summarize([]float64{0, 0}); s.CV != 0 {
		t.Errorf("%+v", s)
	}
	if !math.IsNaN(Median(nil)) {
		t.Error("the median of nothing is a number")
	}
}

func TestWelchAtFourDegreesOfFreedomNeedsTheKnownCriticalValue(t *testing.T) {
	near(t, "quantile", tQuantile(4), 2.7764451051977987, 1e-9)
	near(t, "quantile", tQuantile(8), 2.3060041352041671, 1e-9)
	near(t, "quantile", tQuantile(1), 12.706204736432095, 1e-9)
}

func TestTheGeometricMeanCancelsInverses(t *testing.T) {
	g := GeometricMean([]float64{0.5, 2, 0.25, 4, 0, math.Inf(1), math.NaN()})
	near(t, "center", g.Ratio, 1, 1e-12)
	near(t, "ends", g.Lo*g.Hi, 1, 1e-12)
	if g.N != 4 {
		t.Errorf("%+v", g)
	}
	if g := GeometricMean(nil); !math.IsNaN(g.Ratio) {
		t.Errorf("%+v", g)
	}
}

func TestCountsAreComparedExactly(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want Agreement
	}{
		{[]float64{28, 28}, []float64{28, 28, 28}, Equal},
		{[]float64{28, 28}, []float64{28, 29}, Overlapping},
		{[]float64{28, 28}, []float64{29, 29}, Apart},
		{nil, []float64{1}, NotCounted},
	} {
		if got := Agree(c.a, c.b); got != c.want {
			t.Errorf("%v, %v: %v", c.a, c.b, got)
		}
	}
}
