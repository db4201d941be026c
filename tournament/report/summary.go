package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// summary is the page about several platforms: the answer over all of them, then each category on each.
func (b *builder) summary() {
	b.overall()
	for _, c := range b.candidates() {
		b.winners(c)
		if !b.digest {
			b.acrossPlatforms(c)
		}
	}
	for _, old := range b.since {
		b.change(old)
	}
	if b.digest {
		b.loadInWords()
	} else {
		b.underLoad()
	}
	b.componentRatios()
	b.correctness()
	b.advice()
	b.caveats()
}

// overall is the answer over several platforms: five lines for each subject, then a plot of the platforms whose verdicts count.
func (b *builder) overall() {
	s := b.report.Section(2, "The answer")
	chart := &render.DotChart{}
	for _, c := range b.candidates() {
		if lines := b.overallLines(c); lines != nil {
			s.Add(lines)
		}
		for _, i := range b.telling(c) {
			plot := Plot([]Answer{*c.on[i]})
			for _, bar := range plot.Bars {
				if len(b.telling(c)) > 1 {
					bar.Group = b.Inputs[i].Label + ": " + bar.Group
				}
				chart.Bars = append(chart.Bars, bar)
			}
			chart.Title, chart.Left, chart.Right = plot.Title, plot.Left, plot.Right
		}
	}
	switch {
	case s.Blocks == nil:
		s.Add(render.Paragraph("No category of the results has contestants, so there is nobody to choose. The rows follow."))
	case len(chart.Bars) > chartBars:
		chart.Bars = chart.Bars[:chartBars]
		fallthrough
	case len(chart.Bars) > 0:
		s.Add(chart)
	}
}

// overallLines are the five lines about one subject on several platforms.
func (b *builder) overallLines(c *candidate) render.List {
	inputs := b.telling(c)
	if inputs == nil {
		return nil
	}
	var margins, losses, ahead, lowest, failed, runs []string
	won, most := 0, 0
	for i, n := range c.on {
		if n == nil || len(n.Decisive) == 0 {
			continue
		}
		label := b.Inputs[i].Label
		of := func(k int) string { return fmt.Sprintf("%d of %d on %s", k, len(n.Decisive), label) }
		for _, f := range n.failed() {
			failed = append(failed, f+" on "+label)
		}
		switch {
		case slices.Contains(inputs, i):
			ahead = append(ahead, of(len(n.With(stats.Ahead))))
			margins = append(margins, fmt.Sprintf("%s of %s on %s", n.Families[0].Interval, n.Families[0].Name, label))
			runs = append(runs, fmt.Sprintf("%s (%s, up to %s)", label, b.Inputs[i].Env.Date.Format("2006-01-02"), text.Count(n.processes(), "process", "processes")))
			switch n.choice() {
			case subject:
				won++
			case mostly:
				most++
			}
			for _, st := range n.With(stats.Behind) {
				best := st.Contest.Best()
				losses = append(losses, fmt.Sprintf("%s (%s of %s%s)", st.Category, best.Interval, best.Name, map[bool]string{true: ", " + label}[len(inputs) > 1]))
			}
		case n.single():
			lowest = append(lowest, of(n.lowest()))
		}
	}
	lines := render.List{
		fmt.Sprintf("No clear choice: %s is faster than every rival, over all categories, on %d of %s.", c.name, won, text.Count(len(inputs), "platform", "platforms")),
		"Its time beside the nearest rival's, as a geometric mean: " + text.List(margins, 0) + ".", "It loses in no category.",
	}
	switch {
	case won < len(inputs) && won+most == len(inputs):
		lines[0] = fmt.Sprintf("Take %s, unless your program mostly does what it loses in.", c.name)
	case won == len(inputs):
		lines[0] = fmt.Sprintf("Take %s. Over all categories it is faster than every rival.", c.name)
	}
	lines[0] += " It is ahead of every rival in " + text.List(ahead, 0) + "."
	if losses != nil {
		lines[2] = "It loses in " + text.List(losses, 6) + "."
	}
	trust := "Real machines with repeated samples decide; their intervals hold together with 95 %."
	if lowest != nil {
		trust += " Single figures show a direction: it has the lowest time in " + text.List(lowest, 0) + "."
	}
	if failed != nil {
		trust += " Failed: " + text.List(failed, 4) + "."
	}
	for _, i := range inputs {
		if v, ok := b.Control(c.on[i].Decisive); !ok {
			trust += fmt.Sprintf(" Control failed on %s: a replica took %s of the time, so no verdict holds there.", b.Inputs[i].Label, v)
		}
	}
	return append(lines, trust, fmt.Sprintf("Runs that decide: %s.", text.List(runs, 0)))
}

// winners shows each category of a subject on each platform.
func (b *builder) winners(c *candidate) {
	t := &render.Table{Columns: render.Words("Category"),
		Note: "The ratio is the subject's time to that of the rival that decides. A name alone is that of the contestant with the lowest of single figures. Without emulated machines."}
	cells := make(map[string][]render.Cell)
	verdicts := make(map[string][]stats.Verdict)
	var order []string
	var shown []int
	for i, n := range c.on {
		if n != nil && len(n.Decisive) > 0 && b.native(i) {
			shown = append(shown, i)
		}
	}
	for column, i := range shown {
		t.Columns = append(t.Columns, render.Words(b.Inputs[i].Label)...)
		for _, s := range c.on[i].Decisive {
			if cells[s.Category] == nil {
				order = append(order, s.Category)
				cells[s.Category] = make([]render.Cell, len(shown))
				for k := range shown {
					cells[s.Category][k] = nan()
				}
			}
			best := s.Contest.Best()
			cell := render.Cell{Text: s.Contest.Verdict.String() + " " + stats.Times(best.Ratio), Value: best.Ratio}
			switch {
			case c.on[i].single():
				cell = render.T(s.First().Contestant)
			case s.Contest.Verdict == stats.Ahead:
				cell.Mark = render.Good
			case s.Contest.Verdict == stats.Behind:
				cell.Text, cell.Mark = cell.Text+" "+best.Name, render.Bad
			}
			if !c.on[i].single() && b.native(i) {
				verdicts[s.Category] = append(verdicts[s.Category], s.Contest.Verdict)
			}
			cells[s.Category][column] = cell
		}
	}
	if len(shown) > 2 {
		t.Columns = append(t.Columns, render.Words("Real machines")...)
	}
	for _, category := range order {
		row := append([]render.Cell{render.T(category)}, cells[category]...)
		if len(shown) > 2 {
			row = append(row, render.T(agreement(verdicts[category])))
		}
		t.Rows = append(t.Rows, row)
	}
	b.report.Section(2, c.name+" on each platform").Add(t)
}

// agreement says what verdicts on several platforms have in common. They differ only where one is ahead and another behind.
func agreement(verdicts []stats.Verdict) string {
	count := make(map[stats.Verdict]int)
	for _, v := range verdicts {
		count[v]++
	}
	n := len(verdicts)
	switch {
	case n == 0:
		return "–"
	case count[stats.Ahead] > 0 && count[stats.Behind] > 0:
		return "differs"
	case count[stats.Undecided] == n:
		return "undecided"
	}
	for _, v := range []stats.Verdict{stats.Behind, stats.Ahead, stats.Level} {
		switch count[v] {
		case 0:
			continue
		case n:
			return v.String()
		}
		return fmt.Sprintf("%s on %d of %d", v, count[v], n)
	}
	return "–"
}

// acrossPlatforms shows how much longer each contestant takes on the other platforms than on the first that it can be compared with.
func (b *builder) acrossPlatforms(c *candidate) {
	var against []*findings.Pair
	t := &render.Table{Title: "Sensitivity to the platform", Columns: render.Words("Contestant"),
		Note: "Geometric mean, over the categories that both have, of the time on the second platform as a share of that on the first."}
	for _, p := range b.Pairs {
		if p.Incomparable == "" && p.A == 0 && c.on[p.A] != nil && c.on[p.B] != nil {
			against = append(against, p)
			t.Columns = append(t.Columns, render.Numbers(b.Inputs[p.B].Label+" over "+b.Inputs[p.A].Label)...)
		}
	}
	if against == nil {
		return
	}
	times := func(i int) map[string]map[string]float64 {
		out := make(map[string]map[string]float64)
		for _, s := range c.on[i].Decisive {
			for _, e := range s.Entries {
				if out[e.Contestant] == nil {
					out[e.Contestant] = make(map[string]float64)
				}
				if e.Dubious == "" {
					out[e.Contestant][s.Category] = e.Figure
				}
			}
		}
		return out
	}
	for _, name := range c.on[0].members() {
		row := []render.Cell{render.T(name)}
		some := false
		for _, p := range against {
			var ratios []float64
			then := times(p.A)[name]
			for category, v := range times(p.B)[name] {
				if was, ok := then[category]; ok {
					ratios = append(ratios, v/was)
				}
			}
			slices.Sort(ratios) // the same sum every time
			g := stats.GeometricMean(ratios)
			some = some || !math.IsNaN(g.Center)
			row = append(row, render.Ratio(g.Center))
		}
		if some {
			t.Rows = append(t.Rows, row)
		}
	}
	if t.Rows != nil {
		b.report.Section(3, "Across platforms: "+c.name).Add(t)
	}
}

// componentRatios compares the rows without contestants by geometric means.
func (b *builder) componentRatios() {
	t := &render.Table{Columns: append(render.Words("Pair"), render.Numbers("Rows", "Geometric mean of ratios", "Low", "High")...)}
	for _, p := range b.Pairs {
		var ratios []float64
		for _, r := range p.Rows {
			if r.Row.Contestant == "" {
				ratios = append(ratios, r.Ratio)
			}
		}
		if len(ratios) > 0 && p.Incomparable == "" {
			g := stats.GeometricMean(ratios)
			t.Rows = append(t.Rows, []render.Cell{render.T(b.pairName(p)), render.Int(g.N), render.Number(g.Center, 3), render.Number(g.Lo, 3), render.Number(g.Hi, 3)})
		}
	}
	if t.Rows != nil {
		b.report.Section(2, "Component suite").Add(render.Paragraph("Row by row these are compared by \"tournament compare\"."), t)
	}
}
