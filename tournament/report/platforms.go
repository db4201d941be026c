package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// manyPlatforms shows what several inputs have in common and what not.
func (b *builder) manyPlatforms() {
	for _, k := range findings.Kinds {
		by := b.standingsOf(k.Kind)
		if len(by.order) == 0 {
			continue
		}
		b.winnerMatrix(k.Name, by)
		b.winCounts(k.Name, k.Kind)
		b.acrossPlatforms(k.Name, by)
	}
	b.componentRatios()
	b.sideBySide()
	for i := range b.Inputs {
		for _, k := range findings.Kinds {
			if st := b.Ranked(i, k.Kind); len(st) > 0 {
				b.report.Section(2, fmt.Sprintf("%s: %s", b.Inputs[i].Label, k.Name)).Add(b.heat(i, k.Kind, st))
				b.sweeps(b.standingsOn(i, k.Kind))
			}
		}
	}
}

// A matrix holds the standings of one kind by category and input.
type matrix struct {
	order []string
	by    map[string][]*findings.Standing
}

func (b *builder) standingsOf(kind result.Kind) matrix {
	m := matrix{by: make(map[string][]*findings.Standing)}
	for i := range b.Inputs {
		for _, s := range b.Ranked(i, kind) {
			if m.by[s.Category] == nil {
				m.by[s.Category] = make([]*findings.Standing, len(b.Inputs))
				m.order = append(m.order, s.Category)
			}
			m.by[s.Category][i] = s
		}
	}
	return m
}

func (b *builder) winnerMatrix(name string, m matrix) {
	s := b.report.Section(2, "Winners: "+name)
	t := &render.Table{Columns: append(append(render.Words("Category"), render.Words(b.labels()...)...), render.Words("Everywhere")...),
		Note: "In brackets: the first of a category without a winner, and why it has none."}
	for _, category := range m.order {
		row := []render.Cell{render.T(category)}
		wins, places := make(map[string]int), 0
		for _, st := range m.by[category] {
			switch {
			case st == nil:
				row = append(row, render.T("not run").With(render.Muted))
				continue
			case st.Winner() != nil:
				row = append(row, render.T(st.Winner().Contestant).With(render.Best))
				wins[st.Winner().Contestant]++
			case st.Void != "":
				row = append(row, render.T("("+st.First().Contestant+"; "+st.Void+")").With(render.Muted))
			default:
				row = append(row, render.T("("+st.First().Contestant+", "+st.Contest.Outcome.String()+")").With(render.Muted))
			}
			places++
		}
		universal := render.T("differs").With(render.Muted)
		for n, w := range wins {
			if w == places {
				universal = render.T(n).With(render.Best)
			}
		}
		t.Rows = append(t.Rows, append(row, universal))
	}
	s.Add(t)
}

func (b *builder) winCounts(name string, kind result.Kind) {
	t := &render.Table{Title: "Wins", Columns: append(append(render.Words("Contestant"), render.Numbers(b.labels()...)...), render.Numbers("Total", "Categories", "Share")...)}
	for _, r := range b.totals(kind) {
		row := []render.Cell{render.T(r.name)}
		for _, w := range r.wins {
			row = append(row, render.Int(w))
		}
		share := math.NaN()
		if r.categories > 0 {
			share = float64(r.total) / float64(r.categories)
		}
		t.Rows = append(t.Rows, append(row, render.Int(r.total), render.Int(r.categories), render.Percent(share)))
	}
	for i := range b.Inputs {
		if !b.counts(i) {
			t.Note = "Totals leave out emulated runs."
		}
	}
	b.report.Section(3, "Win counts: "+name).Add(t)
}

// counts reports whether an input counts in totals. Emulated runs count only where there is nothing else.
func (b *builder) counts(i int) bool {
	native := func(in *parse.Input) bool { return findings.Execution(in.Env) == result.ExecutionNative }
	return native(b.Inputs[i]) || !slices.ContainsFunc(b.Inputs, native)
}

// A total adds up the wins of a contestant over the inputs.
type total struct {
	name       string
	wins       []int
	total      int
	podiums    int // first or second, by median
	categories int
}

func (b *builder) totals(kind result.Kind) []*total {
	var out []*total
	by := make(map[string]*total)
	for i := range b.Inputs {
		for _, r := range b.Records(i, kind) {
			t := by[r.Contestant]
			if t == nil {
				t = &total{name: r.Contestant, wins: make([]int, len(b.Inputs))}
				by[r.Contestant] = t
				out = append(out, t)
			}
			t.wins[i] = r.Wins
			if !b.counts(i) {
				continue
			}
			t.total += r.Wins
			t.podiums += r.First + r.Second
			t.categories += r.Categories
		}
	}
	slices.SortStableFunc(out, func(x, y *total) int {
		return cmp.Or(cmp.Compare(y.total, x.total), cmp.Compare(y.podiums, x.podiums))
	})
	return out
}

// acrossPlatforms shows, for each contestant, its times on every platform and how sensitive it is to the change.
func (b *builder) acrossPlatforms(name string, m matrix) {
	var all []*findings.Standing
	for _, c := range m.order {
		for _, st := range m.by[c] {
			if st != nil {
				all = append(all, st)
			}
		}
	}
	names := contestants(all)
	sens := &render.Table{Title: "Sensitivity", Columns: render.Words("Contestant"),
		Note: "Geometric mean over categories of the time on the second platform over that on the first. Platforms that ran differently, native and emulated, are not set against each other."}
	var against []*findings.Pair
	for _, p := range b.Pairs {
		if p.Incomparable == "" {
			against = append(against, p)
			sens.Columns = append(sens.Columns, render.Numbers(b.Inputs[p.B].Label+" over "+b.Inputs[p.A].Label)...)
		}
	}
	sens.Columns = append(sens.Columns, render.Numbers("Largest factor")...)
	sens.Columns = append(sens.Columns, render.Words("In")...)
	s := b.report.Section(3, "Across platforms: "+name)
	if len(against) == 0 {
		s.Add(render.Paragraph("No two of the inputs ran in the same way, so that their times are not set against each other."))
		return
	}
	s.Add(sens)
	for _, n := range names {
		times := &render.Table{Title: n + ", median ns/op", Columns: append(append(render.Words("Category"), render.Numbers(b.labels()...)...), render.Words("Best on")...)}
		for _, c := range m.order {
			row := []render.Cell{render.T(c)}
			best, where := math.Inf(1), "–"
			for i, st := range m.by[c] {
				if st == nil || st.Entry(n) == nil || st.Entry(n).Dubious != "" {
					row = append(row, nan())
					continue
				}
				v := st.Entry(n).Figure
				row = append(row, render.Number(v, 2))
				if v < best && b.sameRun(i) {
					best, where = v, b.Inputs[i].Label
				}
			}
			times.Rows = append(times.Rows, append(row, render.T(where)))
		}
		row := []render.Cell{render.T(n)}
		largest, in := 1.0, "–"
		for _, p := range against {
			var ratios []float64
			for _, c := range m.order {
				x, y := m.by[c][p.A], m.by[c][p.B]
				if x == nil || y == nil || x.Entry(n) == nil || y.Entry(n) == nil || x.Entry(n).Dubious+y.Entry(n).Dubious != "" {
					continue
				}
				r := y.Entry(n).Figure / x.Entry(n).Figure
				ratios = append(ratios, r)
				if f := math.Max(r, 1/r); f > largest {
					largest, in = f, c
				}
			}
			g := stats.GeometricMean(ratios)
			row = append(row, render.Ratio(g.Center))
		}
		sens.Rows = append(sens.Rows, append(row, render.Ratio(largest), render.T(in)))
		s.Add(times)
	}
}

// sameRun reports whether an input ran as the first one did, so that a best platform may be named.
func (b *builder) sameRun(i int) bool {
	for _, p := range b.Pairs {
		if p.A == 0 && p.B == i {
			return p.Incomparable == ""
		}
	}
	return true
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
	if len(t.Rows) > 0 {
		b.report.Section(2, "Component suite").Add(render.Paragraph("Row by row these are compared by \"tournament compare\"."), t)
	}
}

// sideBySide shows every category with all contestants on all platforms.
func (b *builder) sideBySide() {
	for _, k := range findings.Kinds {
		m := b.standingsOf(k.Kind)
		if len(m.order) == 0 {
			continue
		}
		chapter := b.report.Section(2, "Categories: "+k.Name)
		order, note := first(m.order, sectionsShown)
		if note != "" {
			chapter.Add(render.Paragraph(note))
		}
		for _, category := range order {
			t := &render.Table{Columns: append(render.Words("Contestant"), render.Numbers(b.labels()...)...), Note: "ns/op."}
			chart := &render.DotChart{Title: category, Unit: "ns/op, with its 95% interval and every sample"}
			for _, n := range contestants(slices.DeleteFunc(slices.Clone(m.by[category]), func(s *findings.Standing) bool { return s == nil })) {
				row := []render.Cell{render.T(n)}
				for i, st := range m.by[category] {
					if st == nil || st.Entry(n) == nil {
						row = append(row, nan())
						continue
					}
					e := st.Entry(n)
					c := render.Number(e.Figure, 2)
					if e == st.Winner() {
						c.Mark = render.Best
					}
					row = append(row, c)
					if e.Dubious == "" && b.sameRun(i) {
						chart.Bars = append(chart.Bars, b.dots(n+", "+b.Inputs[i].Label, e, i))
					}
				}
				t.Rows = append(t.Rows, row)
			}
			b.report.Section(3, category).Add(t, chart)
		}
	}
}
