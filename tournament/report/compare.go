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
	} else {
		b.pairTable(b.Pairs[0])
		b.sections(b.Pairs[0])
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
	for _, p := range b.Pairs {
		if p.Incomparable != "" || len(p.Rows) == 0 {
			continue
		}
		sc := b.Score(p)
		who = append(who, fmt.Sprintf("%s faster than %s in %d, slower in %d, level in %d, undecided in %d", b.Inputs[p.A].Label, b.Inputs[p.B].Label, sc.FasterA, sc.FasterB, sc.Level, sc.Undecided))
		much = append(much, fmt.Sprintf("%s of %s", b.pairName(p), stats.GeometricMean(p.Ratios()).String()))
		by := bySection(p.Rows)
		for _, name := range sectionOrder {
			if rows := by[name]; rows != nil {
				m := ratiosOf(rows)
				chart.Bars = append(chart.Bars, render.Bar{Group: b.pairName(p), Name: fmt.Sprintf("%s (%d)", name, len(rows)), Value: m.Ratio, Lo: m.Lo, Hi: m.Hi, Series: len(chart.Bars) % 5})
			}
		}
		if rows := decided(p); len(rows) > 0 {
			where = append(where, fmt.Sprintf("%s (%s, %s)", rows[0].Row.Label, text.Factor(rows[0].Speedup()), b.pairName(p)))
		}
	}
	for _, in := range b.Inputs {
		date := "undated"
		if !in.Env.Date.IsZero() {
			date = in.Env.Date.Format("2006-01-02")
		}
		dates = append(dates, fmt.Sprintf("%s (%s, %s)", in.Label, text.Count(len(in.Rows), "row", "rows"), date))
	}
	runs := "Runs: " + text.List(dates, 0) + "."
	if who == nil {
		s.Add(render.List{"None of the inputs can be set against another: they ran in different ways, or have no row in common.", runs})
		return
	}
	trust := fmt.Sprintf("A row is decided by its interval, and all intervals of a pair hold together with 95 %%; level is within %.0f %%.", 100*b.Level)
	var differ []string
	for _, f := range only(b.findings, findings.Confound) {
		if f.Severity >= findings.Warning {
			differ = append(differ, f.Subject)
		}
	}
	if differ != nil {
		trust += fmt.Sprintf(" The machines differ in %s, too, so a difference need not come from the system.", text.List(differ, 0))
	}
	largest := "No row differs for certain."
	if where != nil {
		largest = "The largest difference that is decided: " + strings.Join(where, "; ") + "."
	}
	s.Add(render.List{"By rows that both have: " + strings.Join(who, "; ") + ".", "Ratio of the times, as a geometric mean: " + strings.Join(much, ", ") + ".", largest, trust, runs}, chart)
}

// decided are the rows of a pair that differ for certain, the largest difference first.
func decided(p *findings.Pair) []*findings.PairRow {
	rows := slices.DeleteFunc(slices.Clone(p.Rows), func(r *findings.PairRow) bool { return r.Verdict != stats.Ahead && r.Verdict != stats.Behind })
	slices.SortStableFunc(rows, func(r, q *findings.PairRow) int { return cmp.Compare(q.Speedup(), r.Speedup()) })
	return rows
}

// pairName names a pair in the order of its ratios.
func (b *builder) pairName(p *findings.Pair) string {
	return b.Inputs[p.A].Label + " / " + b.Inputs[p.B].Label
}

// keyMetrics are the figures that the published comparison began with, a column for each pair.
func (b *builder) keyMetrics() {
	t := render.NewTable("Metric")
	for k, p := range b.Pairs {
		t.Columned("#" + b.pairName(p))
		sc := b.Score(p)
		x, y := b.Inputs[p.A].Label, b.Inputs[p.B].Label
		if len(b.Pairs) > 1 {
			x, y = "first", "second"
		}
		onlyA, onlyB := oneSided(b.Analysis, p)
		usable := slices.DeleteFunc(p.Ratios(), func(r float64) bool { return math.IsNaN(r) || math.IsInf(r, 0) })
		ratio := func(v float64) render.Cell { return render.Cell{Text: text.Thousands(v, 3) + "×", Value: v} }
		spread := func(from, to float64) (n int) { // the limits are those of the published comparison
			for _, r := range usable {
				if r >= from && r <= to {
					n++
				}
			}
			return n
		}
		below, above := spread(0, math.Nextafter(0.9, 0)), spread(math.Nextafter(1.1, 2), math.Inf(1))
		mean := stats.GeometricMean(usable)
		for i, m := range []struct {
			name  string
			value any
		}{
			{"Rows both have", len(p.Rows)},
			{"Only in " + x, onlyA},
			{"Only in " + y, onlyB},
			{"Faster: " + x, sc.FasterA},
			{"Faster: " + y, sc.FasterB},
			{"Level", sc.Level},
			{"Undecided", sc.Undecided},
			{"Lower mean, noise or not: " + x, sc.LowerA},
			{"Lower mean, noise or not: " + y, sc.LowerB},
			{"Equal means", len(p.Rows) - sc.LowerA - sc.LowerB},
			{"Geometric mean of the ratios (95% interval)", render.Cell{Text: mean.String(), Value: mean.Ratio}},
			{"Median ratio", ratio(stats.Median(usable))},
			{"Ratio below 0.9", below},
			{"Ratio 0.9 to 1.1", len(usable) - below - above},
			{"Ratio above 1.1", above},
			{"Arithmetic mean of the ratios, as published", ratio(average(usable))},
			{"Arithmetic mean of all times, as published: " + x, averageOf(p.Rows, func(r *findings.PairRow) float64 { return r.A.Mean })},
			{"Arithmetic mean of all times, as published: " + y, averageOf(p.Rows, func(r *findings.PairRow) float64 { return r.B.Mean })},
		} {
			if k == 0 {
				t.Add(m.name)
			}
			if p.Incomparable != "" && i > 2 {
				m.value = render.T("not ranked").With(render.Muted)
			}
			t.Rows[i] = append(t.Rows[i], render.Row(m.value)...)
		}
	}
	b.report.Section(2, "Key metrics").Add(t)
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

// sections compares two inputs by the sections of the published comparison.
func (b *builder) sections(p *findings.Pair) {
	x, y := b.Inputs[p.A].Label, b.Inputs[p.B].Label
	chapter := b.report.Section(2, "By category: "+b.Name(p))
	if p.Incomparable != "" {
		chapter.Add(render.Paragraphf("Not ranked: %s.", p.Incomparable))
		return
	}
	by := bySection(p.Rows)
	for _, name := range sectionOrder {
		rows := slices.Clone(by[name])
		if rows == nil {
			continue
		}
		// The published order: the largest difference in nanoseconds first.
		slices.SortStableFunc(rows, func(r, q *findings.PairRow) int {
			return cmp.Compare(math.Abs(q.A.Mean-q.B.Mean), math.Abs(r.A.Mean-r.B.Mean))
		})
		sc := b.Score(&findings.Pair{Rows: rows})
		t := render.NewTable("Benchmark", "#"+x+" ns/op", "#"+y+" ns/op", "Lower mean", "#Factor", "Faster")
		chart := &render.DotChart{Title: name + ": " + b.pairName(p), Left: x + " faster", Right: y + " faster"}
		for _, r := range rows {
			t.Add(r.Row.Label, r.A.Mean, r.B.Mean, b.lower(p, r), render.Ratio(r.Speedup()), b.verdict(p, r))
			chart.Bars = append(chart.Bars, render.Bar{Name: r.Row.Label, Value: r.Ratio, Lo: r.Lo, Hi: r.Hi})
		}
		b.report.Section(3, name).Add(render.List{
			fmt.Sprintf("%s has the lower mean in %d of %d rows and is ahead in %d; %s has it in %d and is ahead in %d.", x, sc.LowerA, len(rows), sc.FasterA, y, sc.LowerB, sc.FasterB),
			fmt.Sprintf("Geometric mean of the ratios: %s.", ratiosOf(rows).String()),
			fmt.Sprintf("Arithmetic means, as published: %s %s ns/op, %s %s ns/op.", x, text.Thousands(averageOf(rows, func(r *findings.PairRow) float64 { return r.A.Mean }), 2),
				y, text.Thousands(averageOf(rows, func(r *findings.PairRow) float64 { return r.B.Mean }), 2)),
		}, t, chart)
	}
}

// section returns the heading under which a row is compared: the published split for the component suite, otherwise the kind.
func section(r *group.Row) string {
	switch {
	case r.Kind == result.KindComponent:
		return group.Section(r.Category)
	case kindNames[r.Kind] != "":
		return kindNames[r.Kind]
	}
	return "Other"
}

var (
	kindNames    = make(map[result.Kind]string)
	sectionOrder []string
)

func init() {
	for _, k := range kinds {
		kindNames[k.kind] = strings.ToUpper(k.name[:1]) + k.name[1:]
		sectionOrder = append(sectionOrder, kindNames[k.kind])
	}
	sectionOrder = append(sectionOrder, group.Sections...)
}

// bySection splits rows by heading.
func bySection(rows []*findings.PairRow) map[string][]*findings.PairRow {
	by := make(map[string][]*findings.PairRow)
	for _, r := range rows {
		by[section(r.Row)] = append(by[section(r.Row)], r)
	}
	return by
}

func ratiosOf(rows []*findings.PairRow) stats.Interval {
	return stats.GeometricMean((&findings.Pair{Rows: rows}).Ratios())
}
