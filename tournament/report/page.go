package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A kindName is a kind of category that has contestants, with the words for it.
type kindName struct {
	kind result.Kind
	name string
}

var kinds = []kindName{
	{result.KindLoop, "event loops"},
	{result.KindTwin, "corrected event loops"},
	{result.KindBusy, "loops on a busy machine"},
	{result.KindDescriptor, "descriptor readiness"},
	{result.KindPromise, "promises"},
	{group.KindPromiseTwin, "corrected promises"},
}

// onePlatform is the page about one run: the answer, then everything that was measured, then what qualifies it.
func (b *builder) onePlatform() {
	const only = 0
	b.answer()
	for _, old := range b.since {
		b.change(old)
	}
	if _, tables := Blocks(b.answers[only]); tables != nil {
		b.report.Section(2, "Verdicts").Add(tables...)
	}
	b.underLoad()
	if !b.digest {
		for _, k := range kinds {
			b.categories(only, k)
		}
	}
	b.components()
	b.correctness()
	b.advice()
	b.caveats()
}

// answer begins a page: for each subject five lines about the first input whose verdicts count, a line about each other one, and a plot.
func (b *builder) answer() {
	s := b.report.Section(2, "The answer")
	chart := &render.DotChart{}
	for _, c := range b.candidates() {
		inputs := b.telling(c)
		for _, i := range inputs {
			lines := c.on[i].Lines()
			if i != inputs[0] { // of other machines one line
				advice, _, _ := strings.Cut(lines[0], ". ")
				lines = []string{fmt.Sprintf("On %s: %s. It is ahead in %d of %d.", b.Inputs[i].Label, advice, len(c.on[i].With(stats.Ahead)), len(c.on[i].Decisive))}
			}
			if single := b.lowest(c, inputs); i == inputs[0] && single != nil {
				lines[3] += " Single figures show a direction: " + c.name + " has the lowest time in " + text.List(single, 0) + "."
			}
			s.Add(render.List(lines))
			plot := Plot([]Answer{*c.on[i]})
			for _, bar := range plot.Bars {
				if len(inputs) > 1 {
					bar.Group = b.Inputs[i].Label + ": " + bar.Group
				}
				chart.Bars = append(chart.Bars, bar)
			}
			chart.Title, chart.Left, chart.Right = plot.Title, plot.Left, plot.Right
		}
	}
	if s.Blocks == nil {
		s.Add(render.Paragraph("No category of the results has contestants, so there is nobody to choose. The rows follow."))
	}
	s.Add(chart)
}

// lowest says in how many categories a candidate has the lowest of single figures, on the other inputs.
func (b *builder) lowest(c *candidate, telling []int) (counts []string) {
	for i, n := range c.on {
		if n != nil && len(n.Decisive) > 0 && n.single() && !slices.Contains(telling, i) {
			counts = append(counts, fmt.Sprintf("%d of %d on %s", n.lowest(), len(n.Decisive), b.Inputs[i].Label))
		}
	}
	return counts
}

// categories shows every category of a kind, with every sample.
func (b *builder) categories(input int, k kindName) {
	standings := slices.DeleteFunc(slices.Clone(b.Standings), func(s *findings.Standing) bool { return s.Kind != k.kind || s.Input != input || s.Void != "" })
	if len(standings) == 0 {
		return
	}
	const most = 200
	b.report.Section(2, "Categories: "+k.name)
	single := slices.DeleteFunc(slices.Clone(standings), b.inSweep)
	for _, s := range single[:min(most, len(single))] {
		b.report.Section(3, s.Category).Add(b.category(s)...)
	}
	if left := len(single) - most; left > 0 {
		b.report.Section(3, "More").Add(render.Paragraphf("%s left out here.", text.Count(left, "category is", "categories are")))
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
	t := render.NewTable("Contestant", "#Place", "#ns/op", "#CV", "#B/op", "#allocs/op", "Remark")
	chart := &render.DotChart{Title: s.Category, Unit: "ns/op, with its 95% interval and every sample"}
	row := func(e *findings.Entry, remark string) {
		place, name := render.Missing(), render.T(e.Contestant)
		if e.Place > 0 {
			place = render.Number(float64(e.Place), 0)
		}
		switch {
		case e.Dubious != "":
			remark = e.Dubious
		case e == s.Winner():
			name.Mark, remark = render.Best, "ahead of all others"
			fallthrough
		default:
			chart.Bars = append(chart.Bars, b.dots(e, s.Input))
		}
		t.Add(name, place, e.Figure, render.Percent(e.Time.CV), count(e.Bytes), count(e.Allocs), remark)
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
		none := render.Missing()
		t.Add(render.T(a.Contestant).With(render.Muted), none, none, none, none, none, a.Why)
	}
	out = append(out, t)
	if len(chart.Bars) > 1 {
		out = append(out, chart)
	}
	return out
}

// dots makes the row of an entry in a plot.
func (b *builder) dots(e *findings.Entry, input int) render.Bar {
	bar := render.Bar{Name: e.Contestant, Value: e.Figure, Lo: math.NaN(), Hi: math.NaN(), Series: b.colour(e.Contestant), Samples: e.Row.Cells[input].Ns()}
	if logs := stats.Summarize(stats.Clusters(e.Row.Cells[input].Points())); logs.N > 1 {
		bar.Lo, bar.Hi = math.Exp(logs.Lo), math.Exp(logs.Hi)
	}
	return bar
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
		param := cmp.Or(points[0].Sweep.Param, "Number")
		t := render.NewTable("#" + param)
		t.Note = "ns/op."
		chart := &render.LineChart{Title: family, XLabel: param, YLabel: "ns/op"}
		for _, s := range points {
			for _, e := range slices.Concat(s.Entries, s.Variants) {
				if !slices.ContainsFunc(chart.Lines, func(l render.Line) bool { return l.Name == e.Contestant }) {
					chart.Lines = append(chart.Lines, render.Line{Name: e.Contestant, Series: b.colour(e.Contestant)})
				}
			}
		}
		slices.SortStableFunc(chart.Lines, func(x, y render.Line) int { return x.Series - y.Series })
		for _, l := range chart.Lines {
			t.Columned("#" + l.Name)
		}
		for _, s := range points {
			row := render.Row(render.Number(s.Sweep.X, 0))
			for i := range chart.Lines {
				c := render.Missing()
				if e := s.Entry(chart.Lines[i].Name); e != nil {
					c = render.Number(e.Figure, 2)
					if e == s.Winner() {
						c.Mark = render.Best
					}
					if e.Dubious == "" {
						chart.Lines[i].Points = append(chart.Lines[i].Points, render.Point{X: s.Sweep.X, Y: e.Figure, Lo: e.Time.Min, Hi: e.Time.Max})
					}
				}
				row = append(row, c)
			}
			t.Rows = append(t.Rows, row)
		}
		b.report.Section(3, "Sweep: "+family).Add(t, chart)
	}
}

// colour gives a contestant the same colour in every plot, and no two of them one as long as there are enough: the
// published ones come first, the others in the order of their names. A contestant and its replica have one colour.
func (b *builder) colour(contestant string) int {
	if b.colours == nil {
		b.colours = make(map[string]int)
		var others []string
		add := func(name string) {
			if n, _ := result.ReplicaOf(name); n != "" && !slices.Contains(group.Contestants, n) && !slices.Contains(others, n) {
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
		for i, n := range group.Contestants {
			b.colours[n] = i % 5
		}
		for i, n := range others {
			b.colours[n] = 5 + i%11
		}
	}
	contestant, _ = result.ReplicaOf(contestant)
	return b.colours[contestant]
}

// components lists the rows that have no contestants, by the sections of the published comparison.
func (b *builder) components() {
	tables := make(map[string]*render.Table)
	for _, r := range b.Rows {
		if r.Contestant != "" {
			continue
		}
		t := tables[section(r)]
		if t == nil {
			t = render.NewTable("Benchmark", "#Samples", "#Median ns/op", "#Mean ns/op", "#CV", "#B/op", "#allocs/op")
			tables[section(r)] = t
		}
		if c := b.Cell(r, 0); c.Time.N > 0 {
			t.Add(r.Label, c.Time.N, c.Time.Median, c.Time.Mean, render.Percent(c.Time.CV), count(c.Bytes), count(c.Allocs))
		} else {
			none := render.Missing()
			t.Add(r.Label, 0, absent(r, 0), none, none, none, none)
		}
	}
	if len(tables) == 0 {
		return
	}
	b.report.Section(2, "Component suite")
	for _, name := range sectionOrder {
		if t := tables[name]; t != nil {
			b.report.Section(3, name).Add(t)
		}
	}
}
