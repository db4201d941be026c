package stats

import "slices"

// A Count describes one sample of something counted, such as allocations. The zero Count is that of no figures.
type Count struct {
	N         int
	Mean, Max float64
}

// CountUp describes a sample of counts.
func CountUp(xs []float64) Count {
	if len(xs) == 0 {
		return Count{}
	}
	return Count{N: len(xs), Mean: mean(xs), Max: slices.Max(xs)}
}

// Agreement is how two samples of counted things, allocations or bytes, compare. Counts are not noisy measurements, so
// they are compared exactly and never tested.
type Agreement int

// The degrees of agreement.
const (
	// NotCounted: a side did not report the count.
	NotCounted Agreement = iota
	// Equal: the means are exactly equal.
	Equal
	// Overlapping: the means differ, but each side's figures fall into the range of the other's, as when a count is an
	// average that rounds differently from run to run.
	Overlapping
	// Apart: the ranges do not touch.
	Apart
)

// String names the agreement.
func (a Agreement) String() string {
	return [...]string{"not counted", "equal", "ranges overlap", "apart"}[a]
}

// Agree compares two samples of counts.
func Agree(a, b []float64) Agreement {
	switch {
	case len(a) == 0 || len(b) == 0:
		return NotCounted
	case mean(a) == mean(b):
		return Equal
	case slices.Max(a) < slices.Min(b) || slices.Max(b) < slices.Min(a):
		return Apart
	}
	return Overlapping
}
