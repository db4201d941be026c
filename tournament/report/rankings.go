package report

import (
	"fmt"
	"math"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// rankings shows who wins on one input: per category, in total, and as a heat map.
func (b *builder) rankings(input int) {
	any := false
	for _, k := range findings.Kinds {
		standings := b.Ranked(input, k.Kind)
		if len(standings) == 0 {
			continue
		}
		if !any {
			b.report.Section(2, "Rankings: "+b.Inputs[input].Label).Add(render.Paragraph("A win is a lead beyond the noise. Of a sweep one point counts. Figures that cannot be true and categories on which all agree have no winner."))
			any = true
		}
		s := b.report.Section(3, "Winners: "+k.Name)
		t := &render.Table{Columns: append(append(append(append(render.Words("Category", "First"), render.Numbers("Median ns/op")...), render.Words("Second")...), render.Numbers("Median ns/op", "Margin")...), render.Words("Verdict")...)}
		for _, st := range standings {
			first, second := st.First(), st.RunnerUp()
			name, verdict := render.T(first.Contestant), "tie"
			switch {
			case st.Converged:
				verdict = "all alike"
			case st.Winner() != nil:
				verdict, name.Mark = "clear", render.Best
			case first.Time.N < 2 || second.Time.N < 2:
				verdict = "too few samples"
			}
			t.Rows = append(t.Rows, []render.Cell{render.T(st.Category), name, render.Number(first.Time.Median, 2), render.T(second.Contestant), render.Number(second.Time.Median, 2),
				render.Percent(second.Time.Median/first.Time.Median - 1), render.T(verdict)})
		}
		s.Add(t, b.records(input, k.Kind), b.heat(input, k.Kind, standings))
	}
}

func (b *builder) records(input int, kind result.Kind) *render.Table {
	t := &render.Table{Title: "Places", Columns: append(render.Words("Contestant"), render.Numbers("Wins", "First", "Second", "Third", "Categories", "Relative to the best", "Low", "High")...),
		Note: "Relative to the best: geometric mean of the contestant's median over the category's best, with its 95% interval over categories."}
	for _, r := range b.Records(input, kind) {
		g := r.RelativeToBest
		t.Rows = append(t.Rows, []render.Cell{render.T(r.Contestant), render.Int(r.Wins), render.Int(r.First), render.Int(r.Second), render.Int(r.Third), render.Int(r.Categories),
			render.Ratio(g.Center), render.Number(g.Lo, 2), render.Number(g.Hi, 2)})
	}
	return t
}

func (b *builder) heat(input int, kind result.Kind, standings []*findings.Standing) *render.HeatMap {
	h := &render.HeatMap{Title: "Contestants and categories on " + b.Inputs[input].Label, Corner: "Category",
		Note: "Each figure is the contestant's median over the best of the category: 1 is the best, 2 takes twice as long."}
	h.Columns = contestants(standings)
	for _, st := range standings {
		row := render.HeatRow{Name: st.Category}
		best := st.First().Time.Median
		for _, n := range h.Columns {
			v := math.NaN()
			if e := st.Entry(n); e != nil && e.Dubious == "" {
				v = e.Time.Median / best
			}
			row.Values = append(row.Values, v)
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// correctness shows the outcomes of the suites, with and without the race detector, on every input.
func (b *builder) correctness() {
	s := b.report.Section(2, "Correctness")
	checks := 0
	for _, in := range b.Inputs {
		checks += len(in.Checks)
	}
	if checks == 0 {
		s.Add(render.Paragraph("The inputs hold no outcomes of correctness suites."))
		return
	}
	if len(b.Inputs) > 1 {
		s.Add(b.checkSummary())
	}
	for _, in := range b.Inputs {
		for _, race := range []bool{false, true} {
			if t := checkMatrix(in.Checks, race); t != nil {
				t.Title = in.Label
				if race {
					t.Title += ", under the race detector"
				}
				s.Add(t)
			}
		}
		var remarks render.List
		for _, c := range in.Checks {
			if c.Status != result.Pass {
				under := ""
				if c.Race {
					under = ", race detector"
				}
				detail := c.Detail
				if detail == "" {
					detail = "no reason given"
				}
				remarks = append(remarks, fmt.Sprintf("%s, %s (%s%s): %s: %s", c.Suite, c.Contestant, in.Label, under, c.Status, detail))
			}
		}
		if len(remarks) > 0 {
			s.Add(remarks)
		}
	}
}

// worst orders outcomes: of several for one suite and contestant the worst counts.
var worst = map[result.Status]int{result.Pass: 1, result.NA: 2, result.Skip: 3, result.Fail: 4}

func checkMatrix(checks []result.Check, race bool) *render.Table {
	type key struct{ suite, contestant string }
	outcome := make(map[key]result.Status)
	var suites, names []string
	seen := make(map[string]bool)
	for _, c := range checks {
		if c.Race != race {
			continue
		}
		if !seen["s"+c.Suite] {
			seen["s"+c.Suite] = true
			suites = append(suites, c.Suite)
		}
		if !seen["c"+c.Contestant] {
			seen["c"+c.Contestant] = true
			names = append(names, c.Contestant)
		}
		k := key{c.Suite, c.Contestant}
		if worst[c.Status] > worst[outcome[k]] {
			outcome[k] = c.Status
		}
	}
	if len(suites) == 0 {
		return nil
	}
	t := &render.Table{Columns: append(render.Words("Suite"), render.Words(names...)...)}
	for _, suite := range suites {
		row := []render.Cell{render.T(suite)}
		for _, n := range names {
			c := render.T("not run").With(render.Muted)
			switch st := outcome[key{suite, n}]; st {
			case result.Pass:
				c = render.T("pass").With(render.Good)
			case result.Fail:
				c = render.T("FAIL").With(render.Bad)
			case result.Skip, result.NA:
				c = render.T(string(st)).With(render.Muted)
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// checkSummary counts outcomes by suite and input.
func (b *builder) checkSummary() *render.Table {
	t := &render.Table{Title: "Passed of run, by platform", Columns: append(render.Words("Suite"), render.Words(b.labels()...)...),
		Note: "Skipped and not applicable suites are not counted as run. The tables below name them with the reason."}
	type tally struct{ pass, run int }
	var suites []string
	by := make(map[string][]tally)
	for i, in := range b.Inputs {
		for _, c := range in.Checks {
			name := c.Suite
			if c.Race {
				name += " (race)"
			}
			if by[name] == nil {
				by[name] = make([]tally, len(b.Inputs))
				suites = append(suites, name)
			}
			if c.Status == result.Pass {
				by[name][i].pass++
			}
			if c.Status == result.Pass || c.Status == result.Fail {
				by[name][i].run++
			}
		}
	}
	for _, name := range suites {
		row := []render.Cell{render.T(name)}
		for _, x := range by[name] {
			c := render.T(fmt.Sprintf("%d of %d", x.pass, x.run)).With(render.Good)
			switch {
			case x.run == 0:
				c = render.T("not run").With(render.Muted)
			case x.pass < x.run:
				c.Mark = render.Bad
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
