package report

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

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
	if b.digest {
		s.Add(render.Paragraph(b.checksInWords()))
		s.Add(told(b.failures())...)
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

type checkKey struct{ suite, contestant string }

// outcomes sorts checks by suite and contestant.
func outcomes(checks []result.Check, race bool) (suites, names []string, by map[checkKey]result.Status) {
	by = make(map[checkKey]result.Status)
	seen := make(map[checkKey]bool) // with one half empty
	for _, c := range checks {
		if c.Race != race {
			continue
		}
		if !seen[checkKey{suite: c.Suite}] {
			seen[checkKey{suite: c.Suite}] = true
			suites = append(suites, c.Suite)
		}
		if !seen[checkKey{contestant: c.Contestant}] {
			seen[checkKey{contestant: c.Contestant}] = true
			names = append(names, c.Contestant)
		}
		if k := (checkKey{c.Suite, c.Contestant}); worst[c.Status] > worst[by[k]] {
			by[k] = c.Status
		}
	}
	return suites, names, by
}

func checkMatrix(checks []result.Check, race bool) *render.Table {
	suites, names, by := outcomes(checks, race)
	if len(suites) == 0 {
		return nil
	}
	t := &render.Table{Columns: append(render.Words("Suite"), render.Words(names...)...)}
	for _, suite := range suites {
		row := []render.Cell{render.T(suite)}
		for _, n := range names {
			c := render.T("not run").With(render.Muted)
			switch st := by[checkKey{suite, n}]; st {
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
	var order []string
	tallies := make(map[string][]tally)
	for _, race := range []bool{false, true} {
		for i, in := range b.Inputs {
			suites, names, by := outcomes(in.Checks, race)
			for _, suite := range suites {
				title := suite
				if race {
					title += " (race)"
				}
				if tallies[title] == nil {
					tallies[title] = make([]tally, len(b.Inputs))
					order = append(order, title)
				}
				for _, n := range names {
					switch by[checkKey{suite, n}] {
					case result.Pass:
						tallies[title][i].pass++
						tallies[title][i].run++
					case result.Fail:
						tallies[title][i].run++
					}
				}
			}
		}
	}
	for _, title := range order {
		row := []render.Cell{render.T(title)}
		for _, x := range tallies[title] {
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
