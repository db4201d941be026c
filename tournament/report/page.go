package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// onePlatform is the page about one run: the answer, then everything that was measured, then what qualifies it.
func (b *builder) onePlatform() {
	const only = 0
	lines, tables := Blocks(b.answers[only])
	s := b.report.Section(2, "The answer")
	if lines == nil {
		s.Add(render.Paragraph("No category of the result has contestants, so there is nobody to choose. The rows follow."))
	}
	s.Add(lines...)
	if chart := Plot(b.answers[only]); len(chart.Bars) > 0 {
		s.Add(chart)
	}
	for _, old := range b.since {
		b.change(old)
	}
	if tables != nil {
		b.report.Section(2, "Verdicts").Add(tables...)
	}
	b.underLoad()
	if !b.digest {
		b.heat(only)
		for _, k := range findings.Kinds {
			b.categories(only, k)
		}
	}
	b.components()
	b.correctness()
	b.advice()
	b.caveats()
}

// categories shows every category of a kind, with every sample.
func (b *builder) categories(input int, k findings.KindName) {
	standings := b.standingsOn(input, k.Kind)
	if len(standings) == 0 {
		return
	}
	chapter := b.report.Section(2, "Categories: "+k.Name)
	single, note := first(slices.DeleteFunc(slices.Clone(standings), b.inSweep), sectionsShown)
	if note != "" {
		chapter.Add(render.Paragraph(note))
	}
	for _, s := range single {
		b.report.Section(3, s.Category).Add(b.category(s)...)
	}
	b.sweeps(standings)
}

// inSweep reports whether a category is a point of a sweep long enough to be shown as one.
func (b *builder) inSweep(s *findings.Standing) bool {
	return s.Sweep.Family != "" && len(b.SweepPoints(s.Input, s.Sweep.Family)) >= 3
}

// category shows one category: a table, and a plot of all samples.
func (b *builder) category(s *findings.Standing) (out []render.Block) {
	if about := b.Inputs[s.Input].About.Categories[s.Category]; about != "" {
		out = append(out, render.Paragraphf("One operation: %s.", about))
	}
	t := &render.Table{Columns: append(append(render.Words("Contestant"), render.Numbers("Place", "ns/op", "vs Main", "CV", "B/op", "allocs/op")...), render.Words("Remark")...)}
	chart := &render.DotChart{Title: s.Category, Unit: "ns/op, with its 95% interval and every sample"}
	row := func(e *findings.Entry, remark string) {
		place, name := render.Int(e.Place), render.T(e.Contestant)
		if e.Place == 0 {
			place = nan()
		}
		if e.Dubious != "" {
			remark = e.Dubious
		} else {
			chart.Bars = append(chart.Bars, b.dots(e, s.Input))
		}
		if e == s.Winner() {
			name.Mark, remark = render.Best, "ahead of all others"
		}
		t.Rows = append(t.Rows, []render.Cell{name, place, render.Number(e.Figure, 2), against(s.Entry("Main"), e), render.Percent(e.Time.CV), count(e.Bytes), count(e.Allocs), render.T(remark)})
	}
	for _, e := range slices.Concat(s.Entries, s.Variants) {
		switch {
		case e.Contestant == s.Contest.Subject:
			row(e, s.Contest.String())
		case e.Versus.N > 0:
			row(e, fmt.Sprintf("%s is %s: %s", s.Contest.Subject, e.Versus.Verdict, e.Versus.Interval))
		default:
			row(e, "")
		}
	}
	if s.Replica != nil {
		row(s.Replica.Entry, "replica of "+s.Replica.First+": what sets it apart is noise")
	}
	for _, a := range s.Absent {
		t.Rows = append(t.Rows, []render.Cell{render.T(a.Contestant).With(render.Muted), nan(), nan(), nan(), nan(), nan(), nan(), render.T(a.Why)})
	}
	out = append(out, t)
	if len(chart.Bars) > 1 {
		out = append(out, chart)
	}
	return out
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
		param := cmp.Or(points[0].Sweep.Param, "Number")
		t := &render.Table{Columns: append(render.Numbers(param), render.Numbers(names...)...), Note: "ns/op."}
		chart := &render.LineChart{Title: family, XLabel: param, YLabel: "ns/op"}
		for _, n := range names {
			chart.Lines = append(chart.Lines, render.Line{Name: n, Series: b.colour(n)})
		}
		for _, s := range points {
			row := []render.Cell{render.Number(s.Sweep.X, 0)}
			for i, n := range names {
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
				if e.Dubious == "" {
					chart.Lines[i].Points = append(chart.Lines[i].Points, render.Point{X: s.Sweep.X, Y: e.Figure, Lo: e.Time.Min, Hi: e.Time.Max})
				}
			}
			t.Rows = append(t.Rows, row)
		}
		b.report.Section(3, "Sweep: "+family).Add(t, chart)
	}
}

// contestants returns the names in standings, the published ones first and in their order.
func contestants(standings []*findings.Standing) []string {
	var names []string
	for _, s := range standings {
		for _, e := range slices.Concat(s.Entries, s.Variants) {
			if !slices.Contains(names, e.Contestant) {
				names = append(names, e.Contestant)
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

// heat shows every contestant in every category, relative to the best.
func (b *builder) heat(input int) {
	s := &render.Section{Title: "Contestants and categories", Level: 2}
	for _, k := range findings.Kinds {
		standings := slices.DeleteFunc(b.standingsOn(input, k.Kind), func(s *findings.Standing) bool { return s.First() == nil || !b.Counts(s) })
		if len(standings) == 0 {
			continue
		}
		h := &render.HeatMap{Title: k.Name, Corner: "Category", Columns: contestants(standings),
			Note: "Each figure is the contestant's over the best of the category: 1 is the best, 2 takes twice as long."}
		for _, st := range standings {
			row := render.HeatRow{Name: st.Category}
			best := slices.MinFunc(slices.Concat(st.Entries, st.Variants), func(x, y *findings.Entry) int {
				return cmp.Or(cmp.Compare(len(x.Dubious), len(y.Dubious)), cmp.Compare(x.Figure, y.Figure))
			})
			for _, n := range h.Columns {
				v := math.NaN()
				if e := st.Entry(n); e != nil && e.Dubious == "" {
					v = e.Figure / best.Figure
				}
				row.Values = append(row.Values, v)
			}
			h.Rows = append(h.Rows, row)
		}
		s.Add(h)
	}
	if s.Blocks != nil {
		b.report.Sections = append(b.report.Sections, s)
	}
}

// colour gives a contestant the same colour in every plot, and no two of them one as long as there are enough: the
// published ones come first, the others in the order of their names. Who was entered twice has one colour.
func (b *builder) colour(contestant string) int {
	contestant, _ = result.ReplicaOf(contestant)
	if b.colours == nil {
		b.colours = make(map[string]int)
		names := slices.Clone(group.Contestants)
		var others []string
		add := func(name string) {
			n, _ := result.ReplicaOf(name)
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
func (b *builder) dots(e *findings.Entry, input int) render.Bar {
	bar := render.Bar{Name: e.Contestant, Value: e.Figure, Lo: math.NaN(), Hi: math.NaN(), Series: b.colour(e.Contestant), Samples: e.Row.Cells[input].Ns()}
	if logs := stats.Summarize(stats.Clusters(e.Row.Cells[input].Points())); logs.N > 1 {
		bar.Lo, bar.Hi = math.Exp(logs.Lo), math.Exp(logs.Hi)
	}
	return bar
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

func count(c stats.Count) render.Cell {
	if c.N == 0 {
		return nan()
	}
	return render.Number(c.Mean, 0)
}

// allExclusions lists the excluded categories, each once with its reason; of several inputs, with those where it is excluded.
func (b *builder) allExclusions() (lines render.List) {
	reason, where := make(map[string]string), make(map[string][]string)
	var order []string
	for i, in := range b.Inputs {
		if b.digest && !b.native(i) {
			continue // no verdict of it counts
		}
		for _, n := range b.answers[i] {
			for _, s := range n.Excluded {
				if reason[s.Category] == "" {
					order, reason[s.Category] = append(order, s.Category), s.Void
				}
				where[s.Category] = append(where[s.Category], in.Label)
			}
		}
	}
	for _, category := range order {
		line := category
		if len(b.Inputs) > 1 {
			line += " on " + text.List(where[category], 2)
		}
		lines = append(lines, line+": "+reason[category])
	}
	return lines
}
