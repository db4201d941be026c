package findings

import (
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A Change is what became of a row since an earlier run.
type Change struct {
	// Outcome has the ratio of the time now over the time then: behind means that the row became slower.
	stats.Outcome
	// Controls is the number of other contestants of the category that the row is measured against, in the processes and
	// rounds of both runs, so that a machine that has become slower slows no row. 0: there are no such contestants.
	Controls int
	// Drift is the change of the controls as a ratio; 1 without controls.
	Drift float64
}

// leastControls is the number of other contestants from which their middle says something of the machine.
const leastControls = 2

// changesOf judges every row of a pair of runs, the earlier first. Rows within the threshold are level.
func (a *Analysis) changesOf(p *Pair) {
	rule := stats.Rule{Categories: len(p.Rows), Level: a.Threshold}
	for _, r := range p.Rows {
		r.Change = a.change(p, r.Row, rule)
	}
}

func (a *Analysis) change(p *Pair, r *group.Row, rule stats.Rule) Change {
	var then, now [][]stats.Point
	var levels []float64
	for _, o := range a.categories[r.Category] {
		if rival(r.Contestant, o.Contestant) && o.Cells[p.A].Measured() && o.Cells[p.B].Measured() {
			then, now = append(then, o.Cells[p.A].Points()), append(now, o.Cells[p.B].Points())
			levels = append(levels, math.Log(a.Figure(o, p.A)))
		}
	}
	if len(then) < leastControls {
		then, now = nil, nil
	}
	was, is := r.Cells[p.A].Points(), r.Cells[p.B].Points()
	c := Change{
		Outcome:  rule.Separate(stats.Relative(is, now, levels), stats.Relative(was, then, levels)),
		Controls: len(then), Drift: 1,
	}
	if c.Controls > 0 {
		c.Drift = a.Figure(r, p.B) / a.Figure(r, p.A) / c.Ratio
	}
	return c
}

// rival reports whether two contestants are different programs.
func rival(x, y string) bool {
	base := func(n string) string {
		first, _ := result.ReplicaOf(n)
		return first
	}
	return base(x) != base(y)
}

// Regressions returns the rows that became slower by more than the threshold, and beyond the noise; worst first.
func (a *Analysis) Regressions(p *Pair) []*PairRow {
	return a.changed(p, func(c *Change) float64 { return c.Ratio })
}

// Improvements returns the rows that became faster by the measure of [Analysis.Regressions]; best first.
func (a *Analysis) Improvements(p *Pair) []*PairRow {
	return a.changed(p, func(c *Change) float64 { return 1 / c.Ratio })
}

// changed returns the rows whose change, seen as a factor, is above the threshold and beyond the noise.
func (a *Analysis) changed(p *Pair, factor func(*Change) float64) []*PairRow {
	var out []*PairRow
	for _, r := range p.Rows {
		if v := r.Change.Verdict; factor(&r.Change) > 1+a.Threshold && (v == stats.Ahead || v == stats.Behind) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(x, y *PairRow) int { return compareDesc(factor(&x.Change), factor(&y.Change)) })
	return out
}
