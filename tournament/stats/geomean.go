package stats

import "math"

// GeometricMean averages ratios so that a ratio and its inverse cancel, with the 95 % interval over the ratios. It leaves out those that
// are zero, infinite or no number.
func GeometricMean(ratios []float64) Interval {
	var logs []float64
	for _, r := range ratios {
		if r > 0 && !math.IsInf(r, 0) {
			logs = append(logs, math.Log(r))
		}
	}
	return Plain(logs, Confidence)
}
