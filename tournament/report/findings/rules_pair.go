package findings

import (
	"fmt"
	"math"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

const sensitive = 3

func sensitivity(a *Analysis) []Finding {
	var out []Finding
	for _, r := range a.Rows {
		lo, hi := -1, -1
		for i := range a.Inputs {
			c := a.Cell(r, i)
			if c.Time.N == 0 || impossible(c) != "" || incomparable(a.Inputs[i].Env, a.Inputs[0].Env) != "" {
				continue
			}
			if lo < 0 || c.Time.Mean < a.Cell(r, lo).Time.Mean {
				lo = i
			}
			if hi < 0 || c.Time.Mean > a.Cell(r, hi).Time.Mean {
				hi = i
			}
		}
		if lo < 0 || lo == hi {
			continue
		}
		fast, slow := a.Cell(r, lo).Time, a.Cell(r, hi).Time
		factor := slow.Mean / fast.Mean
		if factor < sensitive {
			continue
		}
		f := Finding{Kind: Sensitivity, Severity: Notice, Subject: r.Label,
			Text: fmt.Sprintf("%s depends on the platform: %s on %s, %s on %s, %s slower.", r.Label, text.Duration(fast.Mean), a.Inputs[lo].Label, text.Duration(slow.Mean), a.Inputs[hi].Label, text.Factor(factor))}
		f.Evidence = []Figure{{a.Inputs[lo].Label, fast.Mean, "ns/op"}, {a.Inputs[hi].Label, slow.Mean, "ns/op"}, {"factor", factor, "×"}}
		if rest, n := a.others(r.Category, r.Contestant, lo, hi); n > 0 {
			f.Evidence = append(f.Evidence, Figure{"factor of the other contestants", rest, "×"})
			if rest >= sensitive {
				f.Text += fmt.Sprintf(" So are the other contestants (%s): it is the workload, not the design.", text.Factor(rest))
			} else {
				f.Text += fmt.Sprintf(" The other contestants change by %s.", text.Factor(math.Max(rest, 1/rest)))
			}
		}
		out = append(out, f)
	}
	return out
}

// others returns the geometric mean of the platform ratios of the other contestants of a category.
func (a *Analysis) others(category, contestant string, lo, hi int) (float64, int) {
	var ratios []float64
	if contestant == "" {
		return 0, 0
	}
	for _, r := range a.categories[category] {
		if r.Contestant == contestant {
			continue
		}
		x, y := a.Cell(r, lo).Time, a.Cell(r, hi).Time
		if x.N > 0 && y.N > 0 && x.Mean > cycle {
			ratios = append(ratios, y.Mean/x.Mean)
		}
	}
	g := stats.GeometricMean(ratios)
	return g.Center, g.N
}

// pairwise makes one finding for each pair of inputs from the rows for which pick returns a figure.
func (a *Analysis) pairwise(kind Kind, severity Severity, pick func(*PairRow) (Figure, bool), text func(p string, rows []string, of int) string) []Finding {
	var out []Finding
	for _, p := range a.Pairs {
		if p.Incomparable != "" {
			continue
		}
		f := Finding{Kind: kind, Severity: severity, Subject: a.Name(p)}
		var rows []string
		for _, r := range p.Rows {
			if figure, ok := pick(r); ok {
				rows = append(rows, r.Row.Label)
				if len(f.Evidence) < evidenceFigures {
					f.Evidence = append(f.Evidence, figure)
				}
			}
		}
		if len(rows) > 0 {
			f.Text = text(a.Name(p), rows, len(p.Rows))
			out = append(out, f)
		}
	}
	return out
}

// Name names the two inputs of a pair.
func (a *Analysis) Name(p *Pair) string { return a.Inputs[p.A].Label + " and " + a.Inputs[p.B].Label }

func allocMismatch(a *Analysis) []Finding {
	return a.pairwise(AllocMismatch, Notice, func(r *PairRow) (Figure, bool) {
		return Figure{r.Row.Label, r.AllocDelta, "allocs/op more"}, r.Allocs == stats.Apart
	}, func(p string, rows []string, of int) string {
		return fmt.Sprintf("Between %s the allocations of %s of %d differ in every sample: %s. The same code took another path there.", p, text.Count(len(rows), "row", "rows"), of, text.List(rows, evidenceRows))
	})
}

func regressions(a *Analysis) []Finding {
	return a.changes(Regression, Problem, a.Regressions, "slower")
}

func improvements(a *Analysis) []Finding {
	return a.changes(Improvement, Info, a.Improvements, "faster")
}

func (a *Analysis) changes(kind Kind, severity Severity, rows func(*Pair) []*PairRow, word string) []Finding {
	if !a.Earlier || len(a.Pairs) == 0 || a.Pairs[0].Incomparable != "" {
		return nil
	}
	p := a.Pairs[0]
	var out []Finding
	for _, r := range rows(p) {
		out = append(out, Finding{Kind: kind, Severity: severity, Subject: r.Row.Label,
			Text: fmt.Sprintf("%s is %s %s than in %s: %s then, %s now (%s).", r.Row.Label, text.Percent(math.Max(r.Change.Ratio, 1/r.Change.Ratio)-1), word, a.Inputs[p.A].Label,
				text.Duration(a.Figure(r.Row, p.A)), text.Duration(a.Figure(r.Row, p.B)), r.Change.Interval),
			Evidence: []Figure{{"then", a.Figure(r.Row, p.A), "ns/op"}, {"now", a.Figure(r.Row, p.B), "ns/op"}, {"change", r.Change.Ratio, "×"},
				{"change of the other contestants", r.Change.Drift, "×"}, {"low", r.Change.Lo, "×"}, {"high", r.Change.Hi, "×"}}})
	}
	return out
}
