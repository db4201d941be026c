// Package stats holds the arithmetic of the tournament: summaries of samples, ratios with their confidence, and the rule that
// decides comparisons. The distributions come from the library behind benchstat.
package stats

import (
	"math"
	"slices"

	mstats "github.com/aclements/go-moremath/stats"
)

// Confidence is the level of every interval the reports show.
const Confidence = 0.95

// A Summary describes one sample.
type Summary struct {
	N      int
	Mean   float64
	Median float64
	// StdDev is the sample standard deviation, with N-1 in the denominator; 0 if N is 1.
	StdDev float64
	// CV is StdDev as a share of Mean; 0 if Mean is 0.
	CV       float64
	Min, Max float64
	// Lo and Hi are the ends of the 95 % confidence interval of the mean; both Mean if N is 1.
	Lo, Hi float64
}

// Summarize describes a sample. The summary of no figures is the zero Summary.
func Summarize(xs []float64) Summary {
	if len(xs) == 0 {
		return Summary{}
	}
	s := Summary{N: len(xs), Mean: mean(xs), Median: Median(xs), Min: slices.Min(xs), Max: slices.Max(xs)}
	s.Lo, s.Hi = s.Mean, s.Mean
	if s.N < 2 || s.Min == s.Max {
		// Also keeps rounding in the mean from inventing a deviation where all figures agree.
		return s
	}
	s.StdDev = mstats.StdDev(xs)
	if s.Mean != 0 {
		s.CV = s.StdDev / s.Mean
	}
	half := tQuantile(float64(s.N-1)) * s.StdDev / math.Sqrt(float64(s.N))
	s.Lo, s.Hi = s.Mean-half, s.Mean+half
	return s
}

// mean sums before it divides, and keeps what each addition rounds off. Figures printed in decimals then give the mean
// that a reader gets by hand, which decides how a figure halfway between two roundings is printed.
func mean(xs []float64) float64 {
	sum, lost := 0.0, 0.0
	for _, x := range xs {
		next := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			lost += sum - next + x
		} else {
			lost += x - next + sum
		}
		sum = next
	}
	return (sum + lost) / float64(len(xs))
}

// Median is the middle of the sample, or the mean of the two middle figures. It is NaN for no figures.
func Median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	var few [32]float64 // most samples need no more, and a report takes the median of every row
	s := append(few[:0], xs...)
	slices.Sort(s)
	m := len(s) / 2
	if len(s)%2 == 1 {
		return s[m]
	}
	return s[m-1]/2 + s[m]/2
}

// tQuantile is the t below which (1+Confidence)/2 of the distribution lies.
func tQuantile(df float64) float64 { return quantile((1-Confidence)/2, df) }
