package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// Compare sets two or more inputs against each other row by row. The inputs are platforms, or points in time with the
// earliest first.
func Compare(inputs []*parse.Input, o Options) (*render.Report, *findings.Analysis) {
	b := newBuilder(o, inputs)
	b.report.Title = "Comparison of " + text.List(b.labels(), 0)
	b.report.Subtitle = fmt.Sprintf("%s that all inputs have, %d in total.", text.Count(len(b.Complete()), "row", "rows"), len(b.Rows))
	b.digest = len(b.Inputs) > 2 // each pair has a page of its own
	b.verdictOnPairs()
	b.keyMetrics()
	if b.digest {
		b.timesTable()
		b.ratiosBySection()
	} else {
		b.fullTable()
		for _, p := range b.Pairs {
			b.categoriesOf(p)
		}
		b.groups()
	}
	b.significant()
	b.fastest()
	b.allocations()
	b.stability()
	b.caveats()
	return b.report, b.Analysis
}

// verdictOnPairs is the answer of a comparison: who is faster, by how much, where not, how far to trust it, and the runs; then a plot.
func (b *builder) verdictOnPairs() {
	s := b.report.Section(2, "The answer")
	chart := &render.DotChart{Title: "Ratio of the times by section, as a geometric mean with its interval over rows", Left: "first faster", Right: "second faster"}
	var who, much, where, dates []string
	compared := 0
	for _, p := range b.Pairs {
		if p.Incomparable != "" || len(p.Rows) == 0 {
			continue
		}
		compared++
		sc, g := b.Score(p), stats.GeometricMean(p.Ratios())
		x, y := b.Inputs[p.A].Label, b.Inputs[p.B].Label
		who = append(who, fmt.Sprintf("%s faster than %s in %d, slower in %d, level in %d, undecided in %d", x, y, sc.FasterA, sc.FasterB, sc.Level, sc.Undecided))
		much = append(much, fmt.Sprintf("%s of %s", b.pairName(p), text.Mean(g)))
		order, by := bySection(p.Rows)
		for _, name := range order {
			m := ratiosOf(by[name])
			chart.Bars = append(chart.Bars, render.Bar{Group: b.pairName(p), Name: fmt.Sprintf("%s (%d)", name, len(by[name])), Value: m.Center, Lo: m.Lo, Hi: m.Hi, Series: len(chart.Bars) % 5})
		}
		if r := furthest(p); r != nil {
			where = append(where, fmt.Sprintf("%s (%s, %s)", r.Row.Label, text.Factor(r.Speedup()), b.pairName(p)))
		}
	}
	for _, in := range b.Inputs {
		date := "undated"
		if !in.Env.Date.IsZero() {
			date = in.Env.Date.Format("2006-01-02")
		}
		dates = append(dates, fmt.Sprintf("%s (%s, %s)", in.Label, text.Count(len(in.Rows), "row", "rows"), date))
	}
	if compared == 0 {
		s.Add(render.List{"None of the inputs can be set against another: they ran in different ways, or have no row in common.", "Runs: " + text.List(dates, 0) + "."})
		return
	}
	trust := fmt.Sprintf("A row is decided by its interval, and all intervals of a pair hold together with 95 %%; level is within %.0f %%.", 100*b.Level)
	if confounds := only(b.findings, findings.Confound); confounds != nil {
		var what []string
		for _, f := range confounds {
			if f.Severity >= findings.Warning {
				what = append(what, f.Subject)
			}
		}
		if what != nil {
			trust += fmt.Sprintf(" The machines differ in %s, too, so a difference need not come from the system.", text.List(what, 0))
		}
	}
	largest := "No row differs for certain."
	if where != nil {
		largest = "The largest difference that is decided: " + strings.Join(where, "; ") + "."
	}
	s.Add(render.List{"By rows that both have: " + strings.Join(who, "; ") + ".", "Ratio of the times, as a geometric mean: " + strings.Join(much, ", ") + ".", largest, trust, "Runs: " + text.List(dates, 0) + "."})
	if len(chart.Bars) <= chartBars {
		s.Add(chart)
	}
}

// furthest is the row with the largest difference that is decided.
func furthest(p *findings.Pair) (most *findings.PairRow) {
	for _, r := range p.Rows {
		if (r.Verdict == stats.Ahead || r.Verdict == stats.Behind) && (most == nil || r.Speedup() > most.Speedup()) {
			most = r
		}
	}
	return most
}

// timesTable shows every row on every input: narrow enough for a phone, with the lowest of those that may be ranked marked.
func (b *builder) timesTable() {
	rows, note := first(b.Rows, tableRows)
	t := &render.Table{Columns: append(render.Words("Benchmark"), render.Numbers(b.labels()...)...), Note: strings.TrimSpace("Mean ns/op; the lowest is marked. " + note)}
	for _, r := range rows {
		row := []render.Cell{render.T(strings.TrimPrefix(r.Label, "Benchmark"))}
		lowest := -1
		for i := range b.Inputs {
			c := b.Cell(r, i).Time
			if c.N == 0 {
				row = append(row, nan())
				continue
			}
			row = append(row, render.Cell{Text: text.Digits(c.Mean), Value: c.Mean})
			if b.sameRun(i) && (lowest < 0 || c.Mean < b.Cell(r, lowest).Time.Mean) {
				lowest = i
			}
		}
		if lowest >= 0 {
			row[lowest+1].Mark = render.Best
		}
		t.Rows = append(t.Rows, row)
	}
	b.report.Section(2, "All rows").Add(t)
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

// ratiosBySection shows the mean ratio of every pair in every section.
func (b *builder) ratiosBySection() {
	t := &render.Table{Columns: render.Words("Section"), Note: "Geometric means of the ratios, with their 95 % intervals over rows."}
	cells := make(map[string][]render.Cell)
	for k, p := range b.Pairs {
		if p.Incomparable != "" {
			continue
		}
		t.Columns = append(t.Columns, render.Words(b.pairName(p))...)
		_, by := bySection(p.Rows)
		for name, rows := range by {
			if cells[name] == nil {
				cells[name] = make([]render.Cell, len(b.Pairs))
				for i := range cells[name] {
					cells[name][i] = nan()
				}
			}
			cells[name][k] = render.T(text.Mean(ratiosOf(rows)))
		}
	}
	for _, name := range sectionOrder {
		if cells[name] == nil {
			continue
		}
		row := []render.Cell{render.T(name)}
		for k, p := range b.Pairs {
			if p.Incomparable == "" {
				row = append(row, cells[name][k])
			}
		}
		t.Rows = append(t.Rows, row)
	}
	if t.Rows != nil {
		b.report.Section(2, "By section").Add(t)
	}
}

// pairName names a pair in the order of its ratios.
func (b *builder) pairName(p *findings.Pair) string {
	return b.Inputs[p.A].Label + " / " + b.Inputs[p.B].Label
}

func (b *builder) keyMetrics() {
	s := b.report.Section(2, "Key metrics")
	t := &render.Table{Columns: render.Words("Metric")}
	row := func(name string) int {
		t.Rows = append(t.Rows, []render.Cell{render.T(name)})
		return len(t.Rows) - 1
	}
	for k, p := range b.Pairs {
		t.Columns = append(t.Columns, render.Numbers(b.pairName(p))...)
		score := b.Score(p)
		x, y := b.Inputs[p.A].Label, b.Inputs[p.B].Label
		if len(b.Pairs) > 1 {
			x, y = "first", "second"
		}
		onlyA, onlyB := oneSided(b.Analysis, p)
		ratios := p.Ratios()
		low, mid, high := spread(ratios)
		i := 0
		put := func(name string, c render.Cell) {
			if k == 0 {
				row(name)
			}
			if p.Incomparable != "" && !strings.HasPrefix(name, "Rows") && !strings.HasPrefix(name, "Only") {
				c = render.T("not ranked").With(render.Muted)
			}
			t.Rows[i] = append(t.Rows[i], c)
			i++
		}
		put("Rows both have", render.Int(len(p.Rows)))
		put("Only in "+x, render.Int(onlyA))
		put("Only in "+y, render.Int(onlyB))
		put("Faster: "+x, render.Int(score.FasterA))
		put("Faster: "+y, render.Int(score.FasterB))
		put("Level", render.Int(score.Level))
		put("Undecided", render.Int(score.Undecided))
		put("Lower mean, noise or not: "+x, render.Int(score.LowerA))
		put("Lower mean, noise or not: "+y, render.Int(score.LowerB))
		put("Equal means", render.Int(score.Same))
		put("Geometric mean of the ratios (95% interval)", render.Cell{Text: text.Mean(stats.GeometricMean(ratios)), Value: stats.GeometricMean(ratios).Center})
		put("Median ratio", render.Cell{Text: text.Thousands(stats.Median(usable(ratios)), 3) + "×", Value: stats.Median(usable(ratios))})
		put("Ratio below 0.9", render.Int(low))
		put("Ratio 0.9 to 1.1", render.Int(mid))
		put("Ratio above 1.1", render.Int(high))
		put("Arithmetic mean of the ratios, as published", render.Cell{Text: text.Thousands(average(usable(ratios)), 3) + "×", Value: average(usable(ratios))})
		put("Arithmetic mean of all times, as published: "+x, render.Number(averageOf(p.Rows, func(r *findings.PairRow) float64 { return r.A.Mean }), 2))
		put("Arithmetic mean of all times, as published: "+y, render.Number(averageOf(p.Rows, func(r *findings.PairRow) float64 { return r.B.Mean }), 2))
	}
	s.Add(t)
}

// oneSided counts the rows that only one input of a pair has figures for.
func oneSided(a *findings.Analysis, p *findings.Pair) (onlyA, onlyB int) {
	for _, r := range a.Rows {
		x, y := r.Cells[p.A], r.Cells[p.B]
		switch {
		case x.Measured() && !y.Measured():
			onlyA++
		case !x.Measured() && y.Measured():
			onlyB++
		}
	}
	return onlyA, onlyB
}

func usable(ratios []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(ratios), func(r float64) bool { return math.IsNaN(r) || math.IsInf(r, 0) })
}

func average(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func averageOf(rows []*findings.PairRow, of func(*findings.PairRow) float64) float64 {
	var xs []float64
	for _, r := range rows {
		xs = append(xs, of(r))
	}
	return average(xs)
}

// spread counts the ratios below, around and above 1 as the published comparison did.
func spread(ratios []float64) (low, mid, high int) {
	for _, r := range ratios {
		switch {
		case r < 0.9:
			low++
		case r > 1.1:
			high++
		case !math.IsNaN(r):
			mid++
		}
	}
	return low, mid, high
}

// categoriesOf compares two inputs by the sections of the published comparison.
func (b *builder) categoriesOf(p *findings.Pair) {
	x, y := b.Inputs[p.A].Label, b.Inputs[p.B].Label
	chapter := b.report.Section(2, "By category: "+b.Name(p))
	if p.Incomparable != "" {
		chapter.Add(notRanked(p))
		return
	}
	order, by := bySection(p.Rows)
	for _, name := range order {
		rows := slices.Clone(by[name])
		// The published order: the largest difference in nanoseconds first.
		slices.SortStableFunc(rows, func(r, q *findings.PairRow) int {
			return cmp.Compare(math.Abs(q.A.Mean-q.B.Mean), math.Abs(r.A.Mean-r.B.Mean))
		})
		s := b.report.Section(3, name)
		lowerA, lowerB, beyondA, beyondB := 0, 0, 0, 0
		for _, r := range rows {
			switch r.Verdict {
			case stats.Ahead:
				beyondA++
			case stats.Behind:
				beyondB++
			}
			switch b.lower(p, r) {
			case x:
				lowerA++
			case y:
				lowerB++
			}
		}
		s.Add(render.List{
			fmt.Sprintf("%s has the lower mean in %d of %d rows and is ahead in %d; %s has it in %d and is ahead in %d.", x, lowerA, len(rows), beyondA, y, lowerB, beyondB),
			fmt.Sprintf("Geometric mean of the ratios: %s.", text.Mean(ratiosOf(rows))),
			fmt.Sprintf("Arithmetic means, as published: %s %s ns/op, %s %s ns/op.", x, text.Thousands(averageOf(rows, func(r *findings.PairRow) float64 { return r.A.Mean }), 2),
				y, text.Thousands(averageOf(rows, func(r *findings.PairRow) float64 { return r.B.Mean }), 2)),
		})
		t := &render.Table{Columns: append(append(render.Words("Benchmark"), render.Numbers(x+" ns/op", y+" ns/op")...), append(render.Words("Lower mean"), append(render.Numbers("Factor"), render.Words("Faster")...)...)...)}
		chart := &render.DotChart{Title: name + ": " + b.pairName(p), Left: x + " faster", Right: y + " faster"}
		rows, t.Note = first(rows, tableRows)
		for k, r := range rows {
			t.Rows = append(t.Rows, []render.Cell{render.T(r.Row.Label), render.Number(r.A.Mean, 2), render.Number(r.B.Mean, 2), render.T(b.lower(p, r)), render.Ratio(r.Speedup()), b.verdict(p, r)})
			if k < chartBars {
				chart.Bars = append(chart.Bars, render.Bar{Name: r.Row.Label, Value: r.Ratio, Lo: r.Lo, Hi: r.Hi})
			}
		}
		s.Add(t, chart)
	}
}

// notRanked says why two inputs are not set against each other.
func notRanked(p *findings.Pair) render.Block {
	return render.Paragraphf("Not ranked: %s.", p.Incomparable)
}

// groups compares by what the rows of the component suite really measure.
func (b *builder) groups() {
	s := b.report.Section(2, "By what is measured")
	added := false
	for _, p := range b.Pairs {
		if p.Incomparable != "" {
			continue
		}
		by := make(map[group.ComponentGroup][]*findings.PairRow)
		for _, r := range p.Rows {
			if r.Row.Kind == result.KindComponent {
				g := group.Component(r.Row.Category)
				by[g] = append(by[g], r)
			}
		}
		t := &render.Table{Title: b.pairName(p), Columns: append(render.Words("Group"), render.Numbers("Rows", "Geometric mean of ratios", "Low", "High", b.Inputs[p.A].Label+" faster", b.Inputs[p.B].Label+" faster", "Level")...)}
		for _, g := range group.ComponentGroups {
			rows := by[g]
			if len(rows) == 0 {
				continue
			}
			m := ratiosOf(rows)
			sc := b.Score(&findings.Pair{Rows: rows})
			t.Rows = append(t.Rows, []render.Cell{render.T(string(g)), render.Int(len(rows)), render.Number(m.Center, 3), render.Number(m.Lo, 3), render.Number(m.Hi, 3), render.Int(sc.FasterA), render.Int(sc.FasterB), render.Int(sc.Level)})
		}
		if len(t.Rows) > 0 {
			s.Add(t)
			added = true
		}
	}
	if !added {
		s.Add(render.Paragraph("No rows of the component suite to compare."))
	}
}

// section returns the heading under which a row is compared: the published split for the component suite, which the
// published comparison used, otherwise the kind.
func section(r *group.Row) string {
	switch r.Kind {
	case result.KindComponent:
		return group.Section(r.Category)
	case result.KindLoop:
		return "Event loops"
	case result.KindTwin:
		return "Corrected event loops"
	case result.KindBusy:
		return "Busy machine"
	case result.KindDescriptor:
		return "Descriptors"
	case result.KindPromise:
		return "Promises"
	case group.KindPromiseTwin:
		return "Corrected promises"
	}
	return "Other"
}

var sectionOrder = append([]string{"Event loops", "Corrected event loops", "Busy machine", "Descriptors", "Promises", "Corrected promises"}, group.Sections...)

// bySection splits rows by heading, in order.
func bySection(rows []*findings.PairRow) (order []string, by map[string][]*findings.PairRow) {
	by = make(map[string][]*findings.PairRow)
	for _, r := range rows {
		by[section(r.Row)] = append(by[section(r.Row)], r)
	}
	for _, name := range sectionOrder {
		if len(by[name]) > 0 && !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return order, by
}

func ratiosOf(rows []*findings.PairRow) stats.GeoMean {
	var rs []float64
	for _, r := range rows {
		rs = append(rs, r.Ratio)
	}
	return stats.GeometricMean(rs)
}
