package findings

import (
	"math"

	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A ratioInterval is a ratio with its 95 % interval over n replicates. The ends are not numbers for fewer than two.
type ratioInterval struct {
	ratio, lo, hi float64
	n             int
}

// ratioBetween says how much longer the other takes than the first. Processes that both have are paired; without pairs the
// interval reaches from the ends of one to those of the other, which is wider than it has to be.
func ratioBetween(first, other []stats.Point) ratioInterval {
	if len(first) == 0 || len(other) == 0 {
		return ratioInterval{math.NaN(), math.NaN(), math.NaN(), 0}
	}
	a, b := stats.Clusters(first), stats.Clusters(other)
	n := min(len(a), len(b))
	if len(a) == len(b) {
		d := make([]float64, n)
		for i := range a {
			d[i] = b[i] - a[i]
		}
		s := stats.Summarize(d)
		return interval(s.Mean, s.Lo, s.Hi, n)
	}
	x, y := stats.Summarize(a), stats.Summarize(b)
	return interval(y.Mean-x.Mean, y.Lo-x.Hi, y.Hi-x.Lo, n)
}

func interval(mean, lo, hi float64, n int) ratioInterval {
	if n < 2 {
		lo, hi = math.NaN(), math.NaN()
	}
	return ratioInterval{math.Exp(mean), math.Exp(lo), math.Exp(hi), n}
}

// replicaNoise is the largest factor between a contestant and its replica at any point of a sweep, 1 without replicas.
func (a *Analysis) replicaNoise(input int, family string) float64 {
	noise := 1.0
	for _, s := range a.Standings {
		if s.Input != input || s.Sweep.Family != family || s.Replica == nil {
			continue
		}
		if first := s.Entry(s.Replica.First); first != nil && first.Figure > 0 && s.Replica.Figure > 0 {
			noise = math.Max(noise, math.Max(first.Figure/s.Replica.Figure, s.Replica.Figure/first.Figure))
		}
	}
	return noise
}
