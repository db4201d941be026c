package stats

import (
	"fmt"
	"math"
	"slices"
)

// A process's figure is that of the middle half of its slices, so that it does not see slices that take several times as long, as long
// as they are few. Where they are many, they are part of the answer.
const (
	slow      = 2   // times the median, from where on a slice counts as slow
	manySlow  = 0.2 // the share of slow slices above which they are modes
	fewSlices = 20  // below which nothing is said
)

// Modes are two groups of slices of one contestant.
type Modes struct {
	Share      float64 // of slices in the slow group
	Fast, Slow float64 // the medians of the groups
}

// ModesOf finds two groups among slices, and reports whether there are two.
func ModesOf(times []float64) (m Modes, ok bool) {
	if len(times) < fewSlices {
		return m, false
	}
	limit := slow * Median(times)
	var fast, late []float64
	for _, x := range times {
		if x > limit {
			late = append(late, x)
		} else {
			fast = append(fast, x)
		}
	}
	m = Modes{Share: float64(len(late)) / float64(len(times)), Fast: Median(fast), Slow: Median(late)}
	return m, m.Share > manySlow
}

// String gives the shares and typical times, such as "110 ns in 75 % of its slices, 16 ms in 25 %".
func (m Modes) String() string {
	return fmt.Sprintf("%s in %.0f %% of its slices, %s in %.0f %%", Duration(m.Fast), 100*(1-m.Share), Duration(m.Slow), 100*m.Share)
}

// Agrees reports whether a verdict is also that of the plain means of all slices, which the slow ones are part of.
func (r Rule) Agrees(v Verdict, subject, rival []float64) bool {
	ratio := mean(subject) / mean(rival)
	switch level := 1 + r.level(); v {
	case Ahead:
		return ratio < 1
	case Behind:
		return ratio > 1
	case Level:
		return ratio > 1/level && ratio < level
	}
	return true
}

// Middle is the mean logarithm of the middle half of the slices of one process: of eight, the middle four.
func Middle(times []float64) float64 {
	s := slices.Sorted(slices.Values(times))
	cut := len(s) / 4
	sum := 0.0
	for _, x := range s[cut : len(s)-cut] {
		sum += math.Log(x)
	}
	return sum / float64(len(s)-2*cut)
}
