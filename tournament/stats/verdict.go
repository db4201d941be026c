package stats

import (
	"math"
	"slices"
	"sync"

	"github.com/aclements/go-moremath/mathx"
)

// Looks are the numbers of processes after which a comparison is judged. Each is about 1.41 times the one before, so that no look
// comes much later than it could, and a dozen reach from 5 to 226.
var Looks = [...]int{5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226}

// endShare is the chance of error that one end of one interval has at one look: a fifteenth of 2.5 %. Twelve looks spend twelve
// fifteenths; the rest is kept for noise that is more skewed than the t distribution allows for.
const endShare = 0.025 / 15

// DefaultLevel is the share within which two times are level where nothing else is asked for.
const DefaultLevel = 0.10

// A Rule decides comparisons that stand in one table. Its intervals hold for all categories of the table at once, with 95 %
// confidence, at whichever look the sampling stops.
type Rule struct {
	// Categories is the number of categories in the table. It is fixed before the run: no result may change it.
	Categories int
	// Level is the share within which two times count as level; 0 means [DefaultLevel].
	Level float64
}

// A Verdict says how the subject of a comparison stands to a rival, or to all rivals of a category.
type Verdict int

// The verdicts.
const (
	// Undecided: the interval is too wide for a verdict.
	Undecided Verdict = iota
	// Ahead: the subject takes less time.
	Ahead
	// Behind: the subject takes more time.
	Behind
	// Level: the two times are within the level of each other.
	Level
)

// String names the verdict.
func (v Verdict) String() string { return [...]string{"undecided", "ahead", "behind", "level"}[v] }

// An Interval is a ratio of times, the subject's to the rival's, with the ends between which it lies. The ends are NaN below two
// processes, and the ratio is below none.
type Interval struct {
	Lo, Ratio, Hi float64
	N             int // processes
}

// An Outcome is what a comparison of a subject with one rival has come to.
type Outcome struct {
	Verdict
	Interval
	// Need is the number of processes after which a verdict is to be expected, if the comparison is undecided; 0 if nobody knows.
	Need int
	// Expected is that verdict; Undecided if nobody knows.
	Expected Verdict
}

// Paired judges the logarithms of the ratio of the subject's time to the rival's, one for each process in order, in a category with
// that number of rivals. It looks as a run looks, and stops at the first verdict: later processes change nothing.
func (r Rule) Paired(logs []float64, rivals int) Outcome {
	var o Outcome
	for _, n := range Looks {
		if n > len(logs) {
			break
		}
		if o = r.look(logs[:n], rivals); o.Verdict != Undecided {
			return o
		}
	}
	if o.N == 0 { // no look was reached
		m := moments(logs)
		o = Outcome{Interval: r.interval(m, rivals), Need: Looks[0]}
		if m.n >= 2 {
			o.Need, o.Expected = r.need(m, rivals)
		}
	}
	return o
}

// Separate judges two runs, of which nothing was paired, by the same rule: with the logarithms of the times of each, one for each
// process, at the last look that both have reached.
func (r Rule) Separate(subject, rival []float64) Outcome {
	a, b := moments(subject), moments(rival)
	m := spread{n: min(a.n, b.n), mean: a.mean - b.mean}
	if m.n >= 2 {
		ea, eb := a.se*a.se, b.se*b.se
		m.se, m.df = math.Sqrt(ea+eb), float64(a.n+b.n-2)
		if ea+eb > 0 {
			m.df = satterthwaite(ea, eb, a.n, b.n)
		}
	}
	if m.n < Looks[0] {
		return Outcome{Interval: r.interval(m, 1), Need: Looks[0]}
	}
	return r.judge(m, 1)
}

// Looked reports whether n is a number of processes after which a comparison is judged.
func Looked(n int) bool { return slices.Contains(Looks[:], n) }

func (r Rule) look(logs []float64, rivals int) Outcome {
	return r.judge(moments(logs), rivals)
}

// judge gives the verdict, or the number of processes that are missing for one.
func (r Rule) judge(m spread, rivals int) Outcome {
	o := Outcome{Interval: r.interval(m, rivals)}
	if o.Verdict = r.verdict(o.Interval); o.Verdict == Undecided {
		o.Need, o.Expected = r.need(m, rivals)
	}
	return o
}

func (r Rule) verdict(v Interval) Verdict {
	level := 1 + r.level()
	switch {
	case v.Lo > 1/level && v.Hi < level:
		return Level
	case v.Hi < 1:
		return Ahead
	case v.Lo > 1:
		return Behind
	}
	return Undecided
}

// nearest is the least distance to a verdict that is believed when the number of processes it takes is projected.
const nearest = 0.02

// need projects the number of processes after which there is a verdict if mean and deviation stay as they are: that of the first look
// with one, or else from the distance to the boundary of which the interval is to be clear first.
func (r Rule) need(now spread, rivals int) (int, Verdict) {
	var v Interval
	for _, n := range Looks {
		later := spread{n: n, mean: now.mean, se: now.se * math.Sqrt(float64(now.n)/float64(n)), df: now.df * float64(n-1) / float64(now.n-1)}
		v = r.interval(later, rivals)
		if expected := r.verdict(v); n > now.n && expected != Undecided {
			return n, expected
		}
	}
	m := now.mean
	half := math.Max(math.Log(v.Hi)-m, m-math.Log(v.Lo))
	gap := max(math.Abs(m), math.Log1p(r.level())-math.Abs(m), nearest)
	if need := float64(v.N) * (half / gap) * (half / gap); need < math.MaxInt32 {
		return max(v.N+1, int(math.Ceil(need))), Undecided
	}
	return math.MaxInt32, Undecided
}

func (r Rule) level() float64 {
	if r.Level == 0 {
		return DefaultLevel
	}
	return r.Level
}

// interval has an upper end without a correction for rivals: that the subject is ahead of all needs an error at the one rival that is
// truly best (an intersection-union test). The lower end has one, for any rival may be named as the one ahead of the subject.
func (r Rule) interval(m spread, rivals int) Interval {
	nan := math.NaN()
	v := Interval{Lo: nan, Ratio: math.Exp(m.mean), Hi: nan, N: m.n}
	if m.n < 2 {
		return v
	}
	share := endShare / float64(max(1, r.Categories))
	v.Lo = math.Exp(m.mean - quantile(share/float64(max(1, rivals)), m.df)*m.se)
	v.Hi = math.Exp(m.mean + quantile(share, m.df)*m.se)
	return v
}

// A spread is the mean of figures with its standard error and degrees of freedom.
type spread struct {
	n            int
	mean, se, df float64
}

func moments(xs []float64) spread {
	s := Summarize(xs)
	if s.N == 0 {
		return spread{mean: math.NaN()}
	}
	return spread{n: s.N, mean: s.Mean, se: s.StdDev / math.Sqrt(float64(s.N)), df: float64(s.N - 1)}
}

// Plain is the ordinary interval of a mean of logarithms as a ratio, at a level of confidence such as 0.95: for a figure that stands
// alone.
func Plain(logs []float64, confidence float64) Interval {
	m := moments(logs)
	v := Interval{Lo: math.NaN(), Ratio: math.Exp(m.mean), Hi: math.NaN(), N: m.n}
	if m.n >= 2 {
		half := quantile((1-confidence)/2, m.df) * m.se
		v.Lo, v.Hi = math.Exp(m.mean-half), math.Exp(m.mean+half)
	}
	return v
}

// Product is the interval of a product of figures, each with an exponent: of 1 and -1 it is that of a ratio. The mean is over the
// processes that all figures have.
func Product(figures [][]Point, exponents []float64, confidence float64) Interval {
	sums, counts := make(map[cluster]float64), make(map[cluster]int)
	for i, ps := range figures {
		for _, c := range clusters(ps) {
			at := cluster{process: c.process, round: c.round}
			sums[at] += exponents[i] * c.log
			counts[at]++
		}
	}
	var logs []float64
	for at, sum := range sums {
		if counts[at] == len(figures) {
			logs = append(logs, sum)
		}
	}
	slices.Sort(logs) // so that the sum does not depend on the order of the map
	return Plain(logs, confidence)
}

// satterthwaite takes the two squared standard errors. Dividing by their sum first keeps tiny errors from underflowing.
func satterthwaite(ea, eb float64, na, nb int) float64 {
	ra, rb := ea/(ea+eb), eb/(ea+eb)
	return 1 / (ra*ra/float64(na-1) + rb*rb/float64(nb-1))
}

// All is the verdict of a category: behind if the subject is behind one rival, ahead if it is ahead of all, level if it is ahead of some
// and level with the others.
func All(verdicts []Verdict) Verdict {
	if len(verdicts) == 0 {
		return Undecided
	}
	all := Ahead
	for _, v := range verdicts {
		switch v {
		case Behind:
			return Behind
		case Undecided:
			all = Undecided
		case Level:
			if all == Ahead {
				all = Level
			}
		}
	}
	return all
}

// A quantileKey is a tail of the t distribution.
type quantileKey struct{ tail, df float64 }

var quantiles sync.Map // from quantileKey to float64: the same few are needed again and again

// quantile is the t that is exceeded with the probability tail. It bisects the tail itself, which keeps its digits where 1 less the
// distribution function has lost them.
func quantile(tail, df float64) float64 {
	key := quantileKey{tail, df}
	if t, ok := quantiles.Load(key); ok {
		return t.(float64)
	}
	above := func(t float64) float64 { return mathx.BetaInc(df/(df+t*t), df/2, 0.5) / 2 }
	low, high := 0.0, 1.0
	for above(high) > tail {
		low, high = high, 2*high
	}
	for range 80 {
		if mid := low + (high-low)/2; above(mid) > tail {
			low = mid
		} else {
			high = mid
		}
	}
	quantiles.Store(key, high)
	return high
}
