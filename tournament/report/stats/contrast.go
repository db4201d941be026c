package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/aclements/go-moremath/mathx"
)

// A Point is one sample and when it was taken. Samples of one process and round stood side by side; those of one process
// have in common what is drawn once for a process, so that processes and not samples are the replicates. Process 0 means
// that this is not known: then nothing stood side by side.
type Point struct {
	Process, Round int
	X              float64
}

// Margin is the share within which two figures count as equivalent.
const Margin = 0.05

// Figure is what all rankings, tests and plots are about: the geometric mean over the processes of each process's
// geometric mean over its rounds. Ratios of figures are then means of ratios within rounds. It is NaN for no points.
//
// A median would ignore outliers better. With three to ten processes its bootstrap finds a real difference a third to a
// half as often as the mean of logarithms does, at the same rate of false ones.
func Figure(ps []Point) float64 { return math.Exp(mean(values(clusters(ps)))) }

// A cluster is what one process measured: the mean logarithm of its samples.
type cluster struct {
	process, round int // round is 0 if the cluster is a whole process
	log            float64
}

// clusters groups points by process. If all come from one process, each round stands for itself: that is all there is,
// and what differs from process to process stays unseen.
func clusters(ps []Point) []cluster {
	one := !Replicated(ps)
	sums := make(map[cluster]*[2]float64)
	var keys []cluster
	for _, p := range ps {
		k := cluster{process: p.Process}
		if one {
			k.round = p.Round
		}
		if sums[k] == nil {
			sums[k] = new([2]float64)
			keys = append(keys, k)
		}
		sums[k][0] += math.Log(p.X)
		sums[k][1]++
	}
	for i, k := range keys {
		keys[i].log = sums[k][0] / sums[k][1]
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

// Clusters returns the mean logarithm of each process, or of each round if there is but one process.
func Clusters(ps []Point) []float64 { return values(clusters(ps)) }

// Replicated reports whether the points come from more than one process.
func Replicated(ps []Point) bool {
	return slices.ContainsFunc(ps, func(p Point) bool { return p.Process != ps[0].Process })
}

// A Contrast says how much longer one thing takes than another.
type Contrast struct {
	// Ratio is the figure of the other over that of the first. Lo and Hi are the ends of its 95 % confidence interval. They
	// are NaN where there are fewer than two replicates.
	Ratio, Lo, Hi float64
	// N is the number of replicates: processes, or rounds of the only process.
	N int
	// P is the two-sided p-value of the hypothesis that the two are equal. PEqual is that of the hypothesis that they are
	// further apart than [Margin], the larger of two one-sided tests. Both are NaN where there are fewer than two replicates.
	P, PEqual float64

	log, se, df float64
}

// Compared contrasts two samples. Replicates that both have are paired: the ratio is then taken within processes and
// rounds, where a machine that drifts does not reach it.
func Compared(first, other []Point) Contrast {
	a, b := clusters(first), clusters(other)
	paired := len(a) == len(b)
	for i := range a {
		paired = paired && a[i].process > 0 && a[i].process == b[i].process && a[i].round == b[i].round
	}
	if !paired {
		return Between(values(a), values(b))
	}
	d := make([]float64, len(a))
	for i := range a {
		d[i] = b[i].log - a[i].log
	}
	s := Summarize(d)
	return contrast(s.Mean, s.StdDev/math.Sqrt(float64(s.N)), float64(s.N-1), s.N)
}

// Between contrasts two samples of logarithms that were not taken together, such as those of two runs.
func Between(first, other []float64) Contrast {
	a, b := Summarize(first), Summarize(other)
	if a.N < 2 || b.N < 2 {
		return contrast(b.Mean-a.Mean, 0, 0, min(a.N, b.N))
	}
	ea, eb := a.StdDev*a.StdDev/float64(a.N), b.StdDev*b.StdDev/float64(b.N)
	df := float64(a.N + b.N - 2)
	if ea+eb > 0 {
		df = satterthwaite(ea, eb, a.N, b.N)
	}
	return contrast(b.Mean-a.Mean, math.Sqrt(ea+eb), df, min(a.N, b.N))
}

func contrast(log, se, df float64, n int) Contrast {
	nan := math.NaN()
	c := Contrast{Ratio: math.Exp(log), Lo: nan, Hi: nan, N: n, P: nan, PEqual: nan, log: log, se: se, df: df}
	if n == 0 {
		c.Ratio = nan
	}
	if n < 2 {
		return c
	}
	half := 0.0
	if se > 0 {
		half = tQuantile(df) * se
	}
	c.Lo, c.Hi = math.Exp(log-half), math.Exp(log+half)
	c.P = math.Min(1, 2*c.above(0, math.Abs(log)))
	margin := math.Log1p(Margin)
	c.PEqual = math.Max(c.above(-margin, log), c.above(log, margin))
	return c
}

// above is the one-sided p-value of the hypothesis that at, whose error is that of the contrast, is not above limit.
func (c *Contrast) above(limit, at float64) float64 {
	switch d := at - limit; {
	case c.se == 0 && d > 0:
		return 0
	case c.se == 0 && d < 0:
		return 1
	case d == 0:
		return 0.5
	default:
		t := d / c.se
		tail := mathx.BetaInc(c.df/(c.df+t*t), c.df/2, 0.5) / 2
		if d < 0 {
			return 1 - tail
		}
		return tail
	}
}

// An Outcome is what a contrast says of the first.
type Outcome int

// The outcomes.
const (
	// Undecided: the samples show neither a lead nor equivalence.
	Undecided Outcome = iota
	// Equivalent: the two are less than [Margin] apart, beyond the noise.
	Equivalent
	// Ahead: the first is faster, beyond the noise and by more than the noise floor.
	Ahead
)

// String names the outcome.
func (o Outcome) String() string { return [...]string{"undecided", "equivalent", "ahead"}[o] }

// A Contest is the first of a category against all others, in the order of their figures.
type Contest struct {
	Against []Contrast
	// Floor is the share below which a lead is none: how far apart two entries of one program are.
	Floor float64

	// Outcome is that of the category: ahead of all others, or equivalent to the next.
	Outcome Outcome
	// Outcomes are those against each of the others.
	Outcomes []Outcome
}

// Judge decides contests that are shown together. That the first is ahead of all others is as doubtful as its most
// doubtful part. The doubts of all contests are corrected by Holm's method, so that the chance of even one false verdict
// among them stays below alpha.
func Judge(contests []*Contest, alpha float64) {
	lead, equal := make([]float64, len(contests)), make([]float64, len(contests))
	for i, c := range contests {
		lead[i], equal[i] = math.NaN(), math.NaN()
		for k, a := range c.Against {
			if k == 0 || !(a.P < lead[i]) {
				lead[i] = a.P
			}
		}
		if len(c.Against) > 0 {
			equal[i] = c.Against[0].PEqual
		}
	}
	leadBy, equalBy := factors(lead), factors(equal)
	for i, c := range contests {
		c.Outcomes = make([]Outcome, len(c.Against))
		all := len(c.Against) > 0
		for k, a := range c.Against {
			switch {
			case a.P*leadBy[i] < alpha && a.Ratio > 1+c.Floor:
				c.Outcomes[k] = Ahead
			case a.PEqual*equalBy[i] < alpha:
				c.Outcomes[k] = Equivalent
			}
			all = all && c.Outcomes[k] == Ahead
		}
		switch {
		case all:
			c.Outcome = Ahead
		case len(c.Against) > 0 && c.Outcomes[0] == Equivalent:
			c.Outcome = Equivalent
		}
	}
}

// factors returns by how much Holm's method raises each p-value.
func factors(ps []float64) []float64 {
	out := make([]float64, len(ps))
	for i, q := range HolmBonferroni.Adjust(ps) {
		out[i] = 1
		if ps[i] > 0 {
			out[i] = math.Max(1, q/ps[i])
		}
	}
	return out
}

// typical is how many times its median absolute value a normally distributed difference stays below in 95 of 100 cases.
const typical = 2.906

// Floors returns the noise floor of each category from the ratios of entries that do not differ, and that of categories
// that have no such entry. The floor is what 95 of 100 such ratios stay below, judged by the one in the middle; where a
// category's own is further from one, it is that. Without any ratio the floor is 0 and known is false.
func Floors(again []float64) (each []float64, others float64, known bool) {
	if len(again) == 0 {
		return nil, 0, false
	}
	logs := make([]float64, len(again))
	for i, r := range again {
		logs[i] = math.Abs(math.Log(r))
	}
	others = math.Expm1(typical * Median(logs))
	for _, l := range logs {
		each = append(each, math.Max(others, math.Expm1(l)))
	}
	return each, others, true
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
