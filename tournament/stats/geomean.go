package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

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
