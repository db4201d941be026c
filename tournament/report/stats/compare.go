package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Comparison sets the samples of one row on two sides against each other.
type Comparison struct {
	A, B Summary
	// Ratio is the mean of A over the mean of B: below 1 where A is faster. NaN if B's mean is 0.
	Ratio float64
	// RatioLo and RatioHi are the ends of the 95 % confidence interval of Ratio, on the logarithmic scale. They are NaN
	// where a side has one figure or a mean of 0.
	RatioLo, RatioHi float64
	Welch            Test
	U                Test
	// Adjusted is Welch's p after the correction for all rows of the table.
	Adjusted float64
}

// Compare compares two samples. Adjusted is Welch's p until [AdjustAll] sets it.
func Compare(a, b []float64) Comparison {
	c := Comparison{A: Summarize(a), B: Summarize(b), Welch: Welch(a, b), U: MannWhitney(a, b)}
	c.Ratio, c.RatioLo, c.RatioHi = math.NaN(), math.NaN(), math.NaN()
	if c.A.N > 0 && c.B.N > 0 && c.B.Mean > 0 {
		c.Ratio = c.A.Mean / c.B.Mean
	}
	if c.Welch.Valid && c.A.Mean > 0 && c.B.Mean > 0 {
		// The relative errors of the means add on the logarithmic scale, where a ratio and its inverse are alike.
		ea, eb := c.A.CV*c.A.CV/float64(c.A.N), c.B.CV*c.B.CV/float64(c.B.N)
		half := 0.0
		if ea+eb > 0 {
			half = tQuantile(satterthwaite(ea, eb, c.A.N, c.B.N)) * math.Sqrt(ea+eb)
		}
		c.RatioLo, c.RatioHi = c.Ratio*math.Exp(-half), c.Ratio*math.Exp(half)
	}
	c.Adjusted = c.Welch.P
	return c
}

// Speedup is the ratio of the slower mean to the faster, at least 1.
func (c *Comparison) Speedup() float64 {
	if c.Ratio < 1 {
		return 1 / c.Ratio
	}
	return c.Ratio
}

// A Verdict says which side of a comparison is faster.
type Verdict int

// The verdicts.
const (
	// Unknown: a side has fewer than two figures, so that nothing can be said of the noise.
	Unknown Verdict = iota
	// Tie: the difference is inside the noise.
	Tie
	// Faster: the first side is faster.
	Faster
	// Slower: the first side is slower.
	Slower
)

// Verdict judges the comparison at a level of significance.
func (c *Comparison) Verdict(alpha float64) Verdict {
	switch {
	case !c.Welch.Valid:
		return Unknown
	case c.Adjusted >= alpha || c.A.Mean == c.B.Mean:
		return Tie
	case c.A.Mean < c.B.Mean:
		return Faster
	}
	return Slower
}

// AdjustAll sets Adjusted in all comparisons of a table.
func AdjustAll(cs []*Comparison, by Correction) {
	ps := make([]float64, len(cs))
	for i, c := range cs {
		ps[i] = c.Welch.P
	}
	for i, p := range by.Adjust(ps) {
		cs[i].Adjusted = p
	}
}

// A GeoMean is the geometric mean of ratios with its 95 % confidence interval over the rows.
type GeoMean struct {
	N      int // ratios used
	Left   int // ratios left out because they are zero, infinite or no number
	Center float64
	Lo, Hi float64 // NaN if N is below 2
}

// GeometricMean averages ratios so that a ratio and its inverse cancel.
func GeometricMean(ratios []float64) GeoMean {
	var logs []float64
	for _, r := range ratios {
		if r > 0 && !math.IsInf(r, 0) {
			logs = append(logs, math.Log(r))
		}
	}
	g := GeoMean{N: len(logs), Left: len(ratios) - len(logs), Center: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	if g.N == 0 {
		return g
	}
	s := Summarize(logs)
	g.Center = math.Exp(s.Mean)
	if g.N > 1 {
		g.Lo, g.Hi = math.Exp(s.Lo), math.Exp(s.Hi)
	}
	return g
}

// Excess averages ratios none of which is below 1 by their geometric mean. The interval is that of resampled rows, so
// that it does not reach below 1 either.
func Excess(ratios []float64) GeoMean {
	g := GeometricMean(ratios)
	if g.N < 2 {
		return g
	}
	random := rand.New(rand.NewPCG(1, 1)) // the same report for the same figures
	means := make([]float64, 2000)
	for i := range means {
		sum := 0.0
		for range ratios {
			sum += math.Log(ratios[random.IntN(len(ratios))])
		}
		means[i] = math.Exp(sum / float64(len(ratios)))
	}
	slices.Sort(means)
	tail := (1 - Confidence) / 2
	g.Lo, g.Hi = means[int(tail*float64(len(means)))], means[int((1-tail)*float64(len(means)))-1]
	return g
}
