package stats

import (
	"math"
	"math/rand/v2"
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

// tCDFByIntegration is a reference for the tail that shares nothing with the library: Simpson's rule over the density.
func tTailByIntegration(t, df float64) float64 {
	lg := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	c := math.Exp(lg((df+1)/2)-lg(df/2)) / math.Sqrt(df*math.Pi)
	// Substituting x = t/u maps the tail [t, ∞) to u in (0, 1].
	f := func(u float64) float64 {
		if u == 0 {
			return 0
		}
		x := t / u
		return c * math.Pow(1+x*x/df, -(df+1)/2) * t / (u * u)
	}
	const n = 200_000
	sum := f(0) + f(1)
	for i := 1; i < n; i++ {
		w := 4.0
		if i%2 == 0 {
			w = 2
		}
		sum += w * f(float64(i)/n)
	}
	return 2 * sum / (3 * n)
}

func TestWelchGivesExactPValues(t *testing.T) {
	// The worked example of the two-sample t-test in Wikipedia's article, unequal variances: t = 1.959, df = 7.031,
	// p = 0.09077.
	a := []float64{30.02, 29.99, 30.11, 29.97, 30.01, 29.99}
	b := []float64{29.89, 29.93, 29.72, 29.98, 30.02, 29.98}
	w := Welch(a, b)
	near(t, "t", w.Statistic, 1.959, 1e-3)
	near(t, "df", w.DF, 7.031, 1e-3)
	near(t, "p", w.P, 0.09077, 1e-3)
	for _, c := range []struct{ d, spread float64 }{{0.1, 1}, {1, 0.5}, {2, 0.1}, {5, 0.01}} {
		x := []float64{1, 1 + c.spread, 1 - c.spread/2, 1 + c.spread/3, 1}
		y := []float64{1 + c.d, 1 + c.d + 2*c.spread, 1 + c.d, 1 + c.d - c.spread}
		w := Welch(x, y)
		near(t, "p", w.P, tTailByIntegration(math.Abs(w.Statistic), w.DF), 1e-6)
		back := Welch(y, x)
		if back.P != w.P || back.Statistic != -w.Statistic {
			t.Error("the test depends on the order of the samples")
		}
	}
}

func TestWelchKeepsDigitsFarOutInTheTail(t *testing.T) {
	a, b := make([]float64, 30), make([]float64, 30)
	for i := range a {
		a[i] = 100 + float64(i%5)/10
		b[i] = 110 + float64(i%5)/10
	}
	if w := Welch(a, b); w.P <= 0 || w.P > 1e-60 {
		t.Errorf("p = %g", w.P)
	}
}

func TestWelchAtFourDegreesOfFreedomNeedsTheKnownCriticalValue(t *testing.T) {
	near(t, "quantile", tQuantile(4), 2.7764451051977987, 1e-9)
	near(t, "quantile", tQuantile(8), 2.3060041352041671, 1e-9)
	near(t, "quantile", tQuantile(1), 12.706204736432095, 1e-9)
}

func TestSamplesWithoutVariationOrSizeAreDefined(t *testing.T) {
	if w := Welch([]float64{1}, []float64{2, 3}); w.Valid || !math.IsNaN(w.P) {
		t.Errorf("%+v", w)
	}
	if w := Welch([]float64{1, 1}, []float64{1, 1}); !w.Valid || w.P != 1 {
		t.Errorf("%+v", w)
	}
	if w := Welch([]float64{1, 1}, []float64{2, 2}); !w.Valid || w.P != 0 || !math.IsInf(w.Statistic, -1) {
		t.Errorf("%+v", w)
	}
	if w := Welch([]float64{1e-200, 2e-200}, []float64{3e-200, 5e-200}); math.IsNaN(w.P) {
		t.Errorf("%+v", w)
	}
	if u := MannWhitney([]float64{1, 1}, []float64{1, 1}); u.P != 1 || !u.Valid {
		t.Errorf("%+v", u)
	}
	if u := MannWhitney(nil, []float64{1}); u.Valid {
		t.Errorf("%+v", u)
	}
}

func TestMannWhitneyIsExactForSmallSamples(t *testing.T) {
	u := MannWhitney([]float64{1, 2, 3, 4, 5}, []float64{6, 7, 8, 9, 10})
	near(t, "p", u.P, 2.0/252, 1e-12)
	near(t, "floor", u.Floor, 2.0/252, 1e-12)
	if u.Statistic != 0 || !u.Exact {
		t.Errorf("%+v", u)
	}
	// Three a side can never reach 0.05: ten of twenty orders are as extreme.
	near(t, "floor", MannWhitney([]float64{1, 2, 3}, []float64{4, 5, 6}).Floor, 0.1, 1e-12)
}

func TestMannWhitneyAgreesWithCountingEveryOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, m := 2+r.IntN(4), 2+r.IntN(4)
		all := make([]float64, n+m)
		for i := range all {
			all[i] = float64(r.IntN(6)) // ties are common
		}
		u := func(mask int) float64 {
			s := 0.0
			for i := range all {
				for j := range all {
					if mask>>i&1 == 1 && mask>>j&1 == 0 {
						switch {
						case all[i] > all[j]:
							s++
						case all[i] == all[j]:
							s += 0.5
						}
					}
				}
			}
			return s
		}
		got := MannWhitney(all[:n], all[n:])
		mid, own := float64(n*m)/2, u(1<<n-1)
		extreme, total := 0, 0
		for mask := range 1 << (n + m) {
			ones := 0
			for b := mask; b > 0; b &= b - 1 {
				ones++
			}
			if ones != n {
				continue
			}
			total++
			if math.Abs(u(mask)-mid) >= math.Abs(own-mid)-1e-9 {
				extreme++
			}
		}
		if want := float64(extreme) / float64(total); math.Abs(got.P-want) > 1e-9 {
			t.Fatalf("%v | %v: p = %v, counted %v", all[:n], all[n:], got.P, want)
		}
	}
}

func TestCorrectionsGiveTheTextbookValues(t *testing.T) {
	ps := []float64{0.01, math.NaN(), 0.04, 0.03, 0.005}
	for _, c := range []struct {
		by   Correction
		want []float64
	}{
		{NoCorrection, []float64{0.01, math.NaN(), 0.04, 0.03, 0.005}},
		{HolmBonferroni, []float64{0.03, math.NaN(), 0.06, 0.06, 0.02}},
		{BenjaminiHochberg, []float64{0.02, math.NaN(), 0.04, 0.04, 0.02}},
	} {
		for i, p := range c.by.Adjust(ps) {
			near(t, c.by.Name(), p, c.want[i], 1e-12)
		}
	}
}

func TestTheGeometricMeanCancelsInverses(t *testing.T) {
	g := GeometricMean([]float64{0.5, 2, 0.25, 4, 0, math.Inf(1), math.NaN()})
	near(t, "center", g.Center, 1, 1e-12)
	near(t, "ends", g.Lo*g.Hi, 1, 1e-12)
	if g.N != 4 || g.Left != 3 {
		t.Errorf("%+v", g)
	}
	if g := GeometricMean(nil); !math.IsNaN(g.Center) {
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
