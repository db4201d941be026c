package report

import (
	"fmt"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// correctness shows the outcomes of the suites, with and without the race detector, on every input: in words, then as tables.
func (b *builder) correctness() {
	s := b.report.Section(2, "Correctness")
	s.Add(render.Paragraph(b.checksInWords()))
	if b.digest {
		s.Add(told(only(b.findings, findings.FailedCheck))...)
		return
	}
	var remarks render.List
	for _, in := range b.Inputs {
		for _, race := range []bool{false, true} {
			s.Add(checkMatrix(in, race))
		}
		for _, c := range in.Checks {
			if c.Status != result.Pass && c.Detail != "" {
				remarks = append(remarks, fmt.Sprintf("%s, %s (%s%s): %s: %s", c.Suite, c.Contestant, in.Label, under(c.Race), c.Status, c.Detail))
			}
		}
	}
	if remarks != nil {
		s.Add(remarks)
	}
}

func under(race bool) string {
	if race {
		return ", under the race detector"
	}
	return ""
}

// checkMatrix shows the outcome of each suite for each contestant: of several the worst.
func checkMatrix(in *parse.Input, race bool) *render.Table {
	worst := []result.Status{"", result.Pass, result.NA, result.Skip, result.Fail}
	marks := map[result.Status]render.Mark{result.Pass: render.Good, result.Fail: render.Bad, result.Skip: render.Muted, result.NA: render.Muted, "": render.Muted}
	var suites, names []string
	by := make(map[[2]string]result.Status)
	for _, c := range in.Checks {
		if c.Race != race {
			continue
		}
		if !slices.Contains(suites, c.Suite) {
			suites = append(suites, c.Suite)
		}
		if !slices.Contains(names, c.Contestant) {
			names = append(names, c.Contestant)
		}
		if k := [2]string{c.Suite, c.Contestant}; slices.Index(worst, c.Status) > slices.Index(worst, by[k]) {
			by[k] = c.Status
		}
	}
	t := render.NewTable("Suite").Columned(names...)
	t.Title = in.Label + under(race)
	for _, suite := range suites {
		row := render.Row(suite)
		for _, n := range names {
			status := by[[2]string{suite, n}]
			words := map[result.Status]string{result.Fail: "FAIL", "": "not run"}
			cell := render.T(string(status)).With(marks[status])
			if w := words[status]; w != "" {
				cell.Text = w
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// checksInWords sums up the outcomes of the correctness suites, and names those that were skipped.
func (b *builder) checksInWords() string {
	by := make(map[result.Status]int)
	total, race := 0, 0
	var skipped []string
	for _, in := range b.Inputs {
		for _, c := range in.Checks {
			total++
			by[c.Status]++
			if c.Race {
				race++
			}
			if what := fmt.Sprintf("%s by %s", c.Suite, c.Contestant); c.Status == result.Skip && !slices.Contains(skipped, what) {
				skipped = append(skipped, what)
			}
		}
	}
	if total == 0 {
		return "The inputs hold no outcomes of correctness suites."
	}
	line := fmt.Sprintf("Of %s of correctness suites %d passed and %d failed; %d were skipped and %d did not apply.", text.Count(total, "outcome", "outcomes"), by[result.Pass], by[result.Fail], by[result.Skip], by[result.NA])
	if race > 0 {
		line += fmt.Sprintf(" %d of them ran under the race detector.", race)
	}
	if skipped != nil {
		line += " Skipped were " + text.List(skipped, 6) + "."
	}
	return line
}
