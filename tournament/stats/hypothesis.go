package stats

import (
	"errors"
	"math"
	"slices"

	"github.com/aclements/go-moremath/mathx"
	mstats "github.com/aclements/go-moremath/stats"
)

// A Test is the outcome of a test of the hypothesis that two samples come from the same thing.
type Test struct {
	// Statistic is t for Welch's test, the U of the first sample for the Mann–Whitney test.
	Statistic float64
	// DF is the number of degrees of freedom, for Welch's test only.
	DF float64
	// P is the two-sided p-value, NaN if Valid is false.
	P float64
	// Valid is false if the samples are too small to be tested.
	Valid bool
	// Exact tells an exact distribution from a normal approximation, for the Mann–Whitney test only.
	Exact bool
	// Floor is the smallest p-value that samples of this size can give, for the exact Mann–Whitney test only. If it is
	// above the level of significance, the test cannot find anything however large the difference.
	Floor float64
}

var untested = Test{P: math.NaN()}

// Welch compares two means without assuming equal variances. The p-value is that of the t distribution at the
// Welch–Satterthwaite degrees of freedom. Samples without any variation differ for certain if their means do.
func Welch(a, b []float64) Test {
	if len(a) < 2 || len(b) < 2 {
		return untested
	}
	va, vb := Summarize(a), Summarize(b)
	ea, eb := va.StdDev*va.StdDev/float64(va.N), vb.StdDev*vb.StdDev/float64(vb.N)
	d := va.Mean - vb.Mean
	if ea+eb == 0 {
		if d == 0 {
			return Test{P: 1, DF: float64(va.N + vb.N - 2), Valid: true}
		}
		return Test{Statistic: math.Copysign(math.Inf(1), d), DF: float64(va.N + vb.N - 2), P: 0, Valid: true}
	}
	t := d / math.Sqrt(ea+eb)
	df := satterthwaite(ea, eb, va.N, vb.N)
	// The library's test takes the tail as 1-CDF, which has no digits left below 1e-16. The incomplete beta function
	// gives the tail itself.
	return Test{Statistic: t, DF: df, P: mathx.BetaInc(df/(df+t*t), df/2, 0.5), Valid: true}
}

// satterthwaite takes the two squared standard errors. Dividing by their sum first keeps tiny errors from underflowing.
func satterthwaite(ea, eb float64, na, nb int) float64 {
	ra, rb := ea/(ea+eb), eb/(ea+eb)
	return 1 / (ra*ra/float64(na-1) + rb*rb/float64(nb-1))
}

// MannWhitney compares the ranks of two samples, assuming nothing of their distribution. The p-value is exact up to 50
// figures a side, 25 where figures tie; beyond that it is the normal approximation with corrections for ties and
// continuity.
func MannWhitney(a, b []float64) Test {
	r, err := mstats.MannWhitneyUTest(a, b, mstats.LocationDiffers)
	switch {
	case errors.Is(err, mstats.ErrSamplesEqual):
		return Test{Statistic: float64(len(a)*len(b)) / 2, P: 1, Valid: true, Exact: true}
	case err != nil || len(a) < 2 || len(b) < 2:
		return untested
	}
	t := Test{Statistic: r.U, P: math.Min(r.P, 1), Valid: true}
	ties, tied := tieCounts(a, b)
	limit := mstats.MannWhitneyExactLimit
	if tied {
		limit = mstats.MannWhitneyTiesExactLimit
	}
	if t.Exact = len(a) <= limit && len(b) <= limit; t.Exact {
		t.Floor = 2 / mathx.Choose(len(a)+len(b), len(a))
	}
	if t.Exact && tied && len(a) != len(b) {
		// The library doubles one tail. With ties and unequal sizes the distribution is not symmetric, so that the far
		// tail has to be added as it is.
		dist := mstats.UDist{N1: len(a), N2: len(b), T: ties}
		low := math.Min(r.U, float64(len(a)*len(b))-r.U)
		high := float64(len(a)*len(b)) - low
		if t.P = 1; low < high {
			t.P = math.Min(1, dist.CDF(low)+1-dist.CDF(high-dist.Step()))
		}
	}
	return t
}

// tieCounts returns how often each figure occurs in the two samples together, in ascending order of the figures.
func tieCounts(a, b []float64) (counts []int, tied bool) {
	all := slices.Sorted(slices.Values(slices.Concat(a, b)))
	for i, x := range all {
		if i > 0 && x == all[i-1] {
			counts[len(counts)-1]++
			tied = true
			continue
		}
		counts = append(counts, 1)
	}
	return counts, tied
}
