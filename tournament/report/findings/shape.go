package findings

import (
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/stats"
)

// This file finds categories that do not measure what their names say, from the shape of their figures alone.

// studentized is the 95 % point of the range of k equal means, in standard errors, for k from 2 on.
var studentized = []float64{2.77, 3.31, 3.63, 3.86, 4.03, 4.17, 4.29, 4.39, 4.47, 4.55, 4.62}

func rangeOf(k int) float64 { return studentized[min(k-2, len(studentized)-1)] }

const (
	closest = 0.02 // a spread that is always convergence
	widest  = 0.10 // one that never is
)

// spread is how far the last of a category is behind the first, as a share.
func (s *Standing) spread() float64 {
	return s.Entries[s.ranked()-1].Figure/s.Entries[0].Figure - 1
}

// converged reports whether the contestants of a category are as close to each other as samples of one program would be:
// the spread is within what the noise of single samples gives for that many contestants. Where the noise is so large that
// it would hide a real spread, nothing follows.
func (s *Standing) converged() bool {
	n := s.ranked()
	if n < 3 {
		return false
	}
	variance, replicates := 0.0, math.Inf(1)
	for _, e := range s.Entries[:n] {
		sum := stats.Summarize(stats.Clusters(points(e, s.Input)))
		variance += sum.StdDev * sum.StdDev / float64(n)
		replicates = math.Min(replicates, float64(sum.N))
	}
	noise := math.Sqrt(variance)
	spread := s.spread()
	if spread <= closest {
		return true
	}
	return replicates > 1 && spread <= math.Min(widest, math.Expm1(rangeOf(n)*noise)) &&
		math.Expm1(rangeOf(n)*noise/math.Sqrt(replicates)) <= widest
}

// alike returns those of the converged categories whose contestants differ elsewhere: in the middle of the other
// categories by three times as much.
func alike(standings []*Standing) []*Standing {
	var spreads []float64
	for _, s := range standings {
		if s.ranked() >= 3 {
			spreads = append(spreads, s.spread())
		}
	}
	return slices.DeleteFunc(slices.Clone(standings), func(s *Standing) bool {
		return !s.converged() || len(spreads) > 3 && stats.Median(spreads) <= 3*s.spread()
	})
}

// differBy is the factor by which contestants, or platforms, have to differ for their agreement to mean anything.
const differBy = 1.5

// sameRow is the largest factor between two figures of one measurement.
const sameRow = 1.15

// severalAgree is the number of contestants that have to agree before two categories count as one measurement.
const severalAgree = 5

// duplicate reports whether two categories give every contestant the same figure, though the contestants differ: no
// contestant's interval leaves the margin, and most lie inside. Figures without intervals show nothing: unlike workloads
// may cost about the same.
func duplicate(s, t *Standing) bool {
	var level []float64
	inside := 0
	for _, e := range s.Entries[:s.ranked()] {
		o := t.Entry(e.Contestant)
		if o == nil || o.Place == 0 {
			continue
		}
		if e.Allocs.N > 0 && o.Allocs.N > 0 && math.Abs(e.Allocs.Mean-o.Allocs.Mean) > 0.05+0.02*e.Allocs.Mean {
			return false
		}
		v := ratioOf(points(e, s.Input), points(o, t.Input))
		if v.N < 2 || v.Lo > sameRow || v.Hi < 1/sameRow {
			return false
		}
		if v.Lo > 1/sameRow && v.Hi < sameRow {
			inside++
		}
		level = append(level, e.Figure)
	}
	return len(level) >= severalAgree && len(level) == s.ranked() && len(level) == t.ranked() &&
		slices.Max(level) > differBy*slices.Min(level) && 2*inside > len(level)
}

// A Fit is the line cost = Base + Fixed/x through the points of a sweep.
type Fit struct {
	Contestant  string
	Base, Fixed float64
	// Share is the part of the cost at the smallest x that is Fixed/x.
	Share float64
	// R2 is the share of the variance that the line explains.
	R2 float64
}

// fitInverse fits the sweep of one contestant by least squares, each point weighted so that its relative error counts.
func fitInverse(xs, ys []float64) Fit {
	var sw, su, sy, suu, suy float64
	for i, x := range xs {
		w, u := 1/(ys[i]*ys[i]), 1/x
		sw, su, sy, suu, suy = sw+w, su+w*u, sy+w*ys[i], suu+w*u*u, suy+w*u*ys[i]
	}
	d := sw*suu - su*su
	if d <= 0 {
		return Fit{}
	}
	f := Fit{Fixed: (sw*suy - su*sy) / d}
	f.Base = (sy - f.Fixed*su) / sw
	if f.Base < 0 {
		f.Base, f.Fixed = 0, suy/suu
	}
	first := f.Base + f.Fixed/slices.Min(xs)
	f.Share = f.Fixed / slices.Min(xs) / first
	var logs, rest []float64
	for i, x := range xs {
		logs = append(logs, math.Log(ys[i]))
		rest = append(rest, math.Log(ys[i]/math.Max(f.Base+f.Fixed/x, 1e-9)))
	}
	ms := 0.0
	for _, r := range rest {
		ms += r * r / float64(len(rest))
	}
	if v := stats.Summarize(logs); v.StdDev > 0 {
		f.R2 = 1 - ms/(v.StdDev*v.StdDev*float64(len(logs)-1)/float64(len(logs)))
	}
	return f
}

const (
	fixedShare = 0.75
	goodFit    = 0.5
	sweepLeast = 4
)

// sleeping returns the fits of a sweep whose cost is mostly something divided by the number that is varied, for most
// contestants: a sleep, or another wait that does not depend on the work. It returns nil for any other sweep.
func sleeping(sweep []*Standing) []Fit {
	if len(sweep) < sweepLeast || sweep[0].Sweep.Param == "" {
		return nil
	}
	var fits []Fit
	of := 0
	for _, e := range sweep[0].Entries {
		var xs, ys []float64
		for _, s := range sweep {
			if o := s.Entry(e.Contestant); o != nil && o.Place > 0 {
				xs, ys = append(xs, s.Sweep.X), append(ys, o.Figure)
			}
		}
		if len(xs) < sweepLeast {
			continue
		}
		of++
		if f := fitInverse(xs, ys); f.Share >= fixedShare && f.R2 >= goodFit {
			f.Contestant = e.Contestant
			fits = append(fits, f)
		}
	}
	if of == 0 || 2*len(fits) <= of {
		return nil
	}
	return fits
}

// sweepsOf groups the standings of sweeps by family, points ascending.
func sweepsOf(standings []*Standing) [][]*Standing {
	var out [][]*Standing
	at := make(map[sweepKey]int)
	for _, s := range standings {
		if s.Sweep.Family == "" {
			continue
		}
		k := sweepKey{s.Input, s.Sweep.Family}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], s)
	}
	for _, sweep := range out {
		slices.SortStableFunc(sweep, func(x, y *Standing) int { return compareDesc(y.Sweep.X, x.Sweep.X) })
	}
	return out
}
