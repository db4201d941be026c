package report

import (
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// ReportOptions are the choices of a report about a tournament.
type ReportOptions struct {
	Options
	// Baselines are earlier runs, one for each input in the same order; nil where there is none. Nil as a whole means
	// that there are none.
	Baselines []*parse.Input
	// Narrative asks for prose instead of tables.
	Narrative bool
}

// Report gives an account of a tournament: of one platform in detail, of several by what they have in common and what
// not. The changes are the analyses of each input that has a baseline against it, in the order of the inputs.
func Report(inputs []*parse.Input, o ReportOptions) (report *render.Report, changes []*findings.Analysis) {
	b := newBuilder(o.Options, inputs)
	b.report.Title = "Tournament on " + listAnd(b.labels())
	for i, then := range o.Baselines {
		if then != nil && !compiledOnly(inputs[i]) {
			changes = append(changes, b.addBaseline(then, inputs[i], o.Options))
		}
	}
	if o.Narrative {
		b.narrative()
		return b.report, changes
	}
	b.inputs()
	b.leading()
	b.underLoad()
	if len(b.Inputs) == 1 {
		b.onePlatform()
	} else {
		b.manyPlatforms()
	}
	for _, old := range b.since {
		b.change(old)
	}
	b.correctness()
	b.recommendations()
	b.allFindings()
	b.issues()
	b.method()
	return b.report, changes
}

// onePlatform shows everything measured on the only input.
func (b *builder) onePlatform() {
	const only = 0
	b.rankings(only)
	for _, k := range findings.Kinds {
		standings := b.standingsOn(only, k.Kind)
		if len(standings) == 0 {
			continue
		}
		chapter := b.report.Section(2, "Categories: "+k.Name)
		single, note := first(slices.DeleteFunc(slices.Clone(standings), b.inSweep), sectionsShown)
		if note != "" {
			chapter.Add(render.Paragraph(note))
		}
		for _, s := range single {
			b.category(s)
		}
		b.sweeps(standings)
	}
	b.components()
}

// standingsOn returns the standings of one kind on one input.
func (b *builder) standingsOn(input int, kind result.Kind) []*findings.Standing {
	return slices.DeleteFunc(slices.Clone(b.Standings), func(s *findings.Standing) bool { return s.Kind != kind || s.Input != input })
}

// inSweep reports whether a category is a point of a sweep long enough to be shown as one.
func (b *builder) inSweep(s *findings.Standing) bool {
	return s.Sweep.Family != "" && len(b.SweepPoints(s.Input, s.Sweep.Family)) >= 3
}

// category shows one category: a table and bars.
func (b *builder) category(s *findings.Standing) {
	sec := b.report.Section(3, s.Category)
	if about := b.Inputs[s.Input].About.Categories[s.Category]; about != "" {
		sec.Add(render.Paragraphf("One operation: %s.", about))
	}
	t := &render.Table{Columns: append(append(render.Words("Contestant"), render.Numbers("Place", "ns/op", "vs Main", "CV", "B/op", "allocs/op")...), render.Words("Remark")...)}
	chart := &render.DotChart{Title: s.Category, Unit: "ns/op, with its 95% interval and every sample"}
	for _, e := range s.Entries {
		place, name := render.Int(e.Place), render.T(e.Contestant)
		remark := ""
		switch {
		case e.Dubious != "":
			place, remark = nan(), e.Dubious
		case e == s.Winner():
			name.Mark = render.Best
			remark = "ahead of all others"
		case e.Place > 1 && e.Outcome == stats.Equivalent:
			remark = "equivalent to the first"
		case e.Place > 1 && e.Outcome == stats.Undecided:
			remark = "undecided against the first"
		case e.Place == 1 && s.Void != "":
			remark = "no win: " + s.Void
		}
		t.Rows = append(t.Rows, []render.Cell{name, place, render.Number(e.Figure, 2), against(s.Entry("Main"), e), render.Percent(e.Time.CV), count(e.Bytes), count(e.Allocs), render.T(remark)})
		if e.Dubious == "" {
			chart.Bars = append(chart.Bars, b.dots(e.Contestant, e, s.Input))
		}
	}
	for _, a := range s.Absent {
		t.Rows = append(t.Rows, []render.Cell{render.T(a.Contestant).With(render.Muted), nan(), nan(), nan(), nan(), nan(), nan(), render.T(a.Why)})
	}
	sec.Add(t)
	if len(chart.Bars) > 1 {
		sec.Add(chart)
	}
}

// sweeps shows the categories that vary a number.
func (b *builder) sweeps(standings []*findings.Standing) {
	var families []string
	by := make(map[string][]*findings.Standing)
	for _, s := range standings {
		if b.inSweep(s) {
			if by[s.Sweep.Family] == nil {
				families = append(families, s.Sweep.Family)
			}
			by[s.Sweep.Family] = append(by[s.Sweep.Family], s)
		}
	}
	for _, family := range families {
		points := by[family]
		slices.SortStableFunc(points, func(x, y *findings.Standing) int { return int(x.Sweep.X - y.Sweep.X) })
		names := contestants(points)
		param := points[0].Sweep.Param
		if param == "" {
			param = "Number"
		}
		t := &render.Table{Columns: append(render.Numbers(param), render.Numbers(names...)...), Note: "ns/op."}
		chart := &render.LineChart{Title: family, XLabel: param, YLabel: "ns/op"}
		for _, s := range points {
			row := []render.Cell{render.Number(s.Sweep.X, 0)}
			for _, n := range names {
				e := s.Entry(n)
				if e == nil {
					row = append(row, nan())
					continue
				}
				c := render.Number(e.Figure, 2)
				if e == s.Winner() {
					c.Mark = render.Best
				}
				row = append(row, c)
			}
			t.Rows = append(t.Rows, row)
		}
		for _, n := range names {
			l := render.Line{Name: n, Series: b.colour(n)}
			for _, s := range points {
				if e := s.Entry(n); e != nil && e.Dubious == "" {
					l.Points = append(l.Points, render.Point{X: s.Sweep.X, Y: e.Figure, Lo: e.Time.Min, Hi: e.Time.Max})
				}
			}
			chart.Lines = append(chart.Lines, l)
		}
		title := "Sweep: " + family
		if len(b.Inputs) > 1 {
			title += " on " + b.Inputs[points[0].Input].Label
			chart.Title = title
		}
		b.report.Section(3, title).Add(t, chart)
	}
}

// contestants returns the names in standings, the published ones first and in their order.
func contestants(standings []*findings.Standing) []string {
	var names []string
	for _, s := range standings {
		for _, e := range s.Entries {
			if !slices.Contains(names, e.Contestant) {
				names = append(names, e.Contestant)
			}
		}
		for _, a := range s.Absent {
			if !slices.Contains(names, a.Contestant) {
				names = append(names, a.Contestant)
			}
		}
	}
	rank := func(n string) int {
		if i := slices.Index(group.Contestants, n); i >= 0 {
			return i
		}
		return len(group.Contestants)
	}
	slices.SortStableFunc(names, func(x, y string) int { return rank(x) - rank(y) })
	return names
}

// colour gives a contestant the same colour in every plot, and no two of them one as long as there are enough: the
// published ones come first, the others in the order of their names. Who was entered twice has one colour.
func (b *builder) colour(contestant string) int {
	contestant, _ = result.Again(contestant)
	if b.colours == nil {
		b.colours = make(map[string]int)
		names := slices.Clone(group.Contestants)
		var others []string
		add := func(name string) {
			n, _ := result.Again(name)
			if n != "" && !slices.Contains(names, n) && !slices.Contains(others, n) {
				others = append(others, n)
			}
		}
		for _, r := range b.Rows {
			add(r.Contestant)
		}
		for _, in := range b.Inputs {
			for i := range in.Loads {
				add(in.Loads[i].Contestant)
			}
		}
		slices.Sort(others)
		// Loops and promises never share a plot, so that the others may have the colours of promises.
		for i, n := range names {
			b.colours[n] = i % 5
		}
		for i, n := range others {
			b.colours[n] = 5 + i%11
		}
	}
	return b.colours[contestant]
}

// dots makes the row of an entry in a plot.
func (b *builder) dots(name string, e *findings.Entry, input int) render.Bar {
	bar := render.Bar{Name: name, Value: e.Figure, Lo: math.NaN(), Hi: math.NaN(), Series: b.colour(e.Contestant), Samples: e.Row.Cells[input].Ns()}
	if logs := stats.Summarize(stats.Clusters(e.Row.Cells[input].Points())); logs.N > 1 {
		bar.Lo, bar.Hi = math.Exp(logs.Lo), math.Exp(logs.Hi)
	}
	return bar
}

// against says how an entry's figure stands to that of another.
func against(main, e *findings.Entry) render.Cell {
	if main == nil || main.Place == 0 || e.Place == 0 {
		return nan()
	}
	return render.Ratio(e.Figure / main.Figure)
}

// components lists the rows that have no contestants.
func (b *builder) components() {
	by := make(map[group.ComponentGroup][]*group.Row)
	for _, r := range b.Rows {
		if r.Contestant == "" {
			g := group.Component(r.Category)
			by[g] = append(by[g], r)
		}
	}
	if len(by) == 0 {
		return
	}
	b.report.Section(2, "Component suite")
	for _, g := range group.ComponentGroups {
		if len(by[g]) == 0 {
			continue
		}
		rows, note := first(by[g], tableRows)
		t := &render.Table{Columns: append(render.Words("Benchmark"), render.Numbers("Samples", "Median ns/op", "Mean ns/op", "CV", "B/op", "allocs/op")...), Note: note}
		for _, r := range rows {
			c := b.Cell(r, 0)
			if c.Time.N == 0 {
				t.Rows = append(t.Rows, []render.Cell{render.T(r.Label), render.Int(0), absent(r, 0), nan(), nan(), nan(), nan()})
				continue
			}
			t.Rows = append(t.Rows, []render.Cell{render.T(r.Label), render.Int(c.Time.N), render.Number(c.Time.Median, 2), render.Number(c.Time.Mean, 2), render.Percent(c.Time.CV), count(c.Bytes), count(c.Allocs)})
		}
		b.report.Section(3, string(g)).Add(t)
	}
}
