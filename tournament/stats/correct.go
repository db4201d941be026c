package stats

import (
	"math"
	"slices"
)

// A Correction guards against the differences that chance alone produces when many rows are tested.
type Correction string

// The corrections.
const (
	// NoCorrection takes each p-value as it is: of a hundred equal rows five will seem to differ.
	NoCorrection Correction = "none"
	// HolmBonferroni keeps the chance of even one false difference below the level.
	HolmBonferroni Correction = "holm"
	// BenjaminiHochberg keeps the expected share of false differences among those reported below the level.
	BenjaminiHochberg Correction = "bh"
)

// Name spells the correction out.
func (c Correction) Name() string {
	switch c {
	case HolmBonferroni:
		return "Holm–Bonferroni"
	case BenjaminiHochberg:
		return "Benjamini–Hochberg"
	}
	return "no correction"
}

// Adjust returns the p-values adjusted for all being tested together. Compare an adjusted value with the level as one
// would the plain value. NaN, for a row that could not be tested, stays NaN and does not count as a test.
func (c Correction) Adjust(ps []float64) []float64 {
	out := slices.Clone(ps)
	if c == NoCorrection {
		return out
	}
	var order []int
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case ps[a] < ps[b]:
			return -1
		case ps[a] > ps[b]:
			return 1
		}
		return 0
	})
	m := float64(len(order))
	if c == HolmBonferroni {
		high := 0.0
		for k, i := range order {
			high = math.Max(high, math.Min(1, ps[i]*(m-float64(k))))
			out[i] = high
		}
		return out
	}
	low := 1.0
	for k, i := range slices.Backward(order) {
		low = math.Min(low, ps[i]*m/float64(k+1))
		out[i] = low
	}
	return out
}
