package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Point is one sample and when it was taken. Samples of one process and round stood side by side; those of one process
// have in common what is drawn once for a process, so that processes and not samples are the replicates. Process 0 means
// that this is not known: then nothing stood side by side, and each sample is a replicate.
type Point struct {
	Process, Round int
	X              float64
}

// Figure is what all rankings, tests and plots are about: the geometric mean over the processes, of which each counts with the
// geometric mean of the middle half of its slices. It is NaN for no points.
func Figure(ps []Point) float64 { return math.Exp(mean(values(clusters(ps)))) }

// A cluster is what one process measured: the mean logarithm of the middle half of its slices.
type cluster struct {
	process, round int // round is 0 if the cluster is a whole process
	log            float64
}

// clusters groups points by process. If all come from one process, each round stands for itself: that is all there is,
// and what differs from process to process stays unseen.
func clusters(ps []Point) []cluster {
	one := !Replicated(ps)
	all := make(map[cluster][]float64)
	for _, p := range ps {
		k := cluster{process: p.Process}
		if one {
			k.round = p.Round
			if p.Process == 0 {
				k.round = len(all) // when it was taken is not known: each sample stands for itself
			}
		}
		all[k] = append(all[k], p.X)
	}
	keys := make([]cluster, 0, len(all))
	for k, xs := range all {
		k.log = Middle(xs)
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b cluster) int {
		return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.round, b.round))
	})
	return keys
}

func values(cs []cluster) []float64 {
	out := make([]float64, len(cs))
	for i, c := range cs {
		out[i] = c.log
	}
	return out
}

// Clusters returns the logarithm of the figure of each process, or of each round if there is but one process.
func Clusters(ps []Point) []float64 { return values(clusters(ps)) }

// Replicated reports whether the points come from more than one process.
func Replicated(ps []Point) bool {
	return slices.ContainsFunc(ps, func(p Point) bool { return p.Process != ps[0].Process })
}

// Relative returns the logarithms that [Clusters] returns, each less the middle one of what the others are away from
// their level in the same process and round. What slows all alike, such as a neighbour on the machine, is then gone, and
// what slows a minority of the others changes nothing. Levels has the usual logarithm of each of the others.
func Relative(own []Point, others [][]Point, levels []float64) []float64 {
	cs := clusters(own)
	type key struct{ process, round int }
	at := make(map[key][]float64)
	for i, o := range others {
		for _, c := range clusters(o) {
			k := key{c.process, c.round}
			at[k] = append(at[k], c.log-levels[i])
		}
	}
	out := values(cs)
	for i, c := range cs {
		if away := at[key{c.process, c.round}]; len(away) > 0 && c.process > 0 {
			out[i] -= Median(away)
		}
	}
	return out
}
