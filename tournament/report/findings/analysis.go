// Package findings draws conclusions from matched rows: it compares, ranks, and runs rules that state what they found
// together with the figures that show it.
package findings

import (
	"cmp"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// Options are the choices of an analysis. The zero Options are usable.
type Options struct {
	// Level is the share within which two times are level; 0 means [stats.DefaultLevel].
	Level float64
	// Earlier says that the first input is an earlier run of what the second measured, so that differences are
	// regressions and improvements.
	Earlier bool
	// Threshold is the share by which a row must be slower to be a regression; 0 means 5%.
	Threshold float64
}

func (o *Options) fill() {
	if o.Level == 0 {
		o.Level = stats.DefaultLevel
	}
	if o.Threshold == 0 {
		o.Threshold = 0.05
	}
}

// A Cell summarises one row in one input. The zero Cell is a row that the input lacks.
type Cell struct {
	Time          stats.Summary
	Bytes, Allocs stats.Count
}

// A Pair compares two inputs row by row.
type Pair struct {
	A, B int // indexes into Inputs
	Rows []*PairRow
	// Incomparable says why the times of the two must not be ranked, empty if they may be.
	Incomparable string
}

// A PairRow is a row that both inputs of a pair have.
type PairRow struct {
	Row  *group.Row
	A, B stats.Summary
	// Ratio is that of the mean of A to the mean of B, as published; 0 if B's is 0.
	Ratio float64
	// Outcome has the verdict on A against B, with the ends of the interval.
	stats.Outcome
	Allocs, Bytes stats.Agreement
	// Change is set where the first input is an earlier run.
	Change Change
}

// An Analysis is what reports and rules draw on.
type Analysis struct {
	*group.Table
	Options
	Pairs     []*Pair // every two inputs, the earlier named first
	Standings []*Standing

	cells      []Cell // by row, then input
	categories map[string][]*group.Row
	subjects   []string               // of the first input
	sweeps     map[sweepKey][]float64 // the points of each sweep, ascending
}

type sweepKey struct {
	input  int
	family string
}

// Analyse computes everything that rules and tables need.
func Analyse(t *group.Table, o Options) *Analysis {
	o.fill()
	a := &Analysis{Table: t, Options: o, cells: make([]Cell, 0, len(t.Rows)*len(t.Inputs)),
		categories: make(map[string][]*group.Row), sweeps: make(map[sweepKey][]float64)}
	for _, r := range t.Rows {
		if r.Contestant != "" {
			a.categories[r.Category] = append(a.categories[r.Category], r)
		}
		for _, c := range r.Cells {
			a.cells = append(a.cells, Cell{stats.Summarize(c.Ns()), stats.CountUp(c.Bytes()), stats.CountUp(c.Allocs())})
		}
	}
	for i := range t.Inputs {
		for j := i + 1; j < len(t.Inputs); j++ {
			a.Pairs = append(a.Pairs, a.pair(i, j))
		}
		a.Standings = append(a.Standings, a.standings(i)...)
	}
	if o.Earlier {
		for _, p := range a.Pairs[:len(t.Inputs)-1] { // the first against each other
			a.changesOf(p)
		}
	}
	return a
}

// of returns the standings of one input.
func (a *Analysis) of(input int) []*Standing {
	return slices.DeleteFunc(slices.Clone(a.Standings), func(s *Standing) bool { return s.Input != input })
}

// Cell returns the summary of a row in an input.
func (a *Analysis) Cell(r *group.Row, input int) *Cell { return &a.cells[r.Index*len(a.Inputs)+input] }

// Figure is what a row is ranked by in an input: see [stats.Figure].
func (a *Analysis) Figure(r *group.Row, input int) float64 {
	return stats.Figure(r.Cells[input].Points())
}

func (a *Analysis) pair(i, j int) *Pair {
	p := &Pair{A: i, B: j, Incomparable: incomparable(a.Inputs[i].Env, a.Inputs[j].Env)}
	for _, r := range a.Rows {
		x, y := r.Cells[i], r.Cells[j]
		if !x.Measured() || !y.Measured() {
			continue
		}
		pr := &PairRow{
			Row: r, A: a.Cell(r, i).Time, B: a.Cell(r, j).Time,
			Allocs: stats.Agree(x.Allocs(), y.Allocs()), Bytes: stats.Agree(x.Bytes(), y.Bytes()),
		}
		if pr.B.Mean > 0 {
			pr.Ratio = pr.A.Mean / pr.B.Mean
		}
		p.Rows = append(p.Rows, pr)
	}
	rule := stats.Rule{Categories: len(p.Rows), Level: a.Level}
	for _, pr := range p.Rows {
		pr.Outcome = rule.Separate(stats.Clusters(pr.Row.Cells[i].Points()), stats.Clusters(pr.Row.Cells[j].Points()))
	}
	return p
}

// Speedup is the ratio of the slower time to the faster, at least 1.
func (r *PairRow) Speedup() float64 { return math.Max(r.Ratio, 1/r.Ratio) }

// incomparable says why the times of two inputs must not be ranked, empty if they may be.
func incomparable(a, b result.Environment) string {
	x, y := Execution(a), Execution(b)
	switch {
	case x != y:
		return "one ran " + string(x) + ", the other " + string(y)
	case a.Emulator != b.Emulator:
		return "one was emulated by " + cmp.Or(a.Emulator, "something unknown") + ", the other by " + cmp.Or(b.Emulator, "something unknown")
	}
	return ""
}

// Execution returns how an input ran. One that does not say ran natively: only the tournament's own files can say
// otherwise, and they always do.
func Execution(e result.Environment) result.Execution {
	if e.Execution == "" {
		return result.ExecutionNative
	}
	return e.Execution
}

// A Score counts the rows of a pair by verdict.
type Score struct {
	FasterA, FasterB, Level, Undecided int
	LowerA, LowerB                     int // by the bare means, as the published comparison counted
}

// Score counts the rows of a pair.
func (a *Analysis) Score(p *Pair) Score {
	var s Score
	for _, r := range p.Rows {
		switch r.Verdict {
		case stats.Ahead:
			s.FasterA++
		case stats.Behind:
			s.FasterB++
		case stats.Level:
			s.Level++
		default:
			s.Undecided++
		}
		switch {
		case r.A.Mean < r.B.Mean:
			s.LowerA++
		case r.A.Mean > r.B.Mean:
			s.LowerB++
		}
	}
	return s
}

// Ratios returns the ratios of the rows of a pair.
func (p *Pair) Ratios() []float64 {
	out := make([]float64, len(p.Rows))
	for i, r := range p.Rows {
		out[i] = r.Ratio
	}
	return out
}

func compareDesc(x, y float64) int {
	switch {
	case x > y:
		return -1
	case x < y:
		return 1
	}
	return 0
}
