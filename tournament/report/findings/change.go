package findings

import (
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Change is what became of a row since an earlier run.
type Change struct {
	// Contrast has the ratio of the time now over the time then: above 1 the row became slower.
	stats.Contrast
	// Controls is the number of other contestants of the category that the row is measured against, in the processes and
	// rounds of both runs, so that a machine that has become slower slows no row. 0 means that there are none.
	Controls int
	// Drift is by what the controls changed, as a ratio; 1 without controls.
	Drift float64
	// Floor is the noise floor: see [stats.Floors].
	Floor float64
	// Adjusted is the p-value after the correction for all rows.
	Adjusted float64
}

// sure reports whether the change is beyond the noise.
func (c *Change) sure(alpha float64) bool {
	return c.Adjusted < alpha && math.Max(c.Ratio, 1/c.Ratio) > 1+c.Floor
}

// leastControls is the number of other contestants from which their middle says something of the machine.
const leastControls = 2

// changes judges every row of a pair of runs, the earlier first.
func (a *Analysis) changesOf(p *Pair) {
	ps := make([]float64, len(p.Rows))
	for i, r := range p.Rows {
		r.Change = a.change(p, r.Row)
		ps[i] = r.Change.P
	}
	for i, q := range a.Correction.Adjust(ps) {
		p.Rows[i].Change.Adjusted = q
	}
}

func (a *Analysis) change(p *Pair, r *group.Row) Change {
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
		Contrast: stats.Between(stats.Relative(was, then, levels), stats.Relative(is, now, levels)),
		Controls: len(then), Drift: 1,
		Floor: math.Max(a.floor(p.A, r.Category), a.floor(p.B, r.Category)),
	}
	if c.Controls > 0 {
		c.Drift = stats.Between(stats.Clusters(was), stats.Clusters(is)).Ratio / c.Ratio
	}
	return c
}

// rival reports whether two contestants are different programs.
func rival(x, y string) bool {
	base := func(n string) string {
		first, _ := result.Again(n)
		return first
	}
	return base(x) != base(y)
}

func (a *Analysis) floor(input int, category string) float64 {
	i := slices.IndexFunc(a.Standings, func(s *Standing) bool { return s.Input == input && s.Category == category })
	if i < 0 {
		return 0
	}
	return a.Standings[i].Contest.Floor
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
		if factor(&r.Change) > 1+a.Threshold && r.Change.sure(a.Alpha) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(x, y *PairRow) int { return compareDesc(factor(&x.Change), factor(&y.Change)) })
	return out
}
