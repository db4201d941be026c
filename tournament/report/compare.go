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
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Compare sets two or more inputs against each other row by row. The inputs are platforms, or points in time with the
// earliest first.
func Compare(inputs []*parse.Input, o Options) (*render.Report, *findings.Analysis) {
	b := newBuilder(o, inputs)
	b.report.Title = "Comparison of " + listAnd(b.labels())
	b.report.Subtitle = fmt.Sprintf("%s that all inputs have, %d in total.", counted(len(b.Complete()), "row", "rows"), len(b.Rows))
	b.inputs()
	b.leading()
	b.keyMetrics()
	b.fullTable()
	for _, p := range b.Pairs {
		b.categories(p)
	}
	b.groups()
	b.significant()
	b.fastest()
	b.allocations()
	b.stability()
	b.allFindings()
	b.issues()
	b.method()
	return b.report, b.Analysis
}

func listAnd(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return render.Thousands(float64(n), 0) + " " + many
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
		score, sig := b.Score(p), b.Significance(p)
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
		put("Faster beyond the noise: "+x, render.Int(score.FasterA))
		put("Faster beyond the noise: "+y, render.Int(score.FasterB))
		put("Ties: inside the noise", render.Int(score.Ties))
		put("Too few samples to judge", render.Int(score.Unknown))
		put("Lower mean, noise or not: "+x, render.Int(score.LowerA))
		put("Lower mean, noise or not: "+y, render.Int(score.LowerB))
		put("Equal means", render.Int(score.Same))
		put("Significant, each row for itself (p < "+fmt.Sprint(b.Alpha)+")", render.Int(sig.Raw))
		put("Significant after Benjamini–Hochberg", render.Int(sig.BH))
		put("Significant after Holm–Bonferroni", render.Int(sig.Holm))
		put("Significant by Mann–Whitney, each row for itself", render.Int(sig.MannWhitney))
		put("|t| > 2.776 for every row, as published", render.Int(sig.Fixed))
		put("Geometric mean of the ratios (95% interval)", render.Cell{Text: interval(stats.GeometricMean(ratios)), Value: stats.GeometricMean(ratios).Center})
		put("Median ratio", render.Cell{Text: render.Thousands(stats.Median(usable(ratios)), 3) + "×", Value: stats.Median(usable(ratios))})
		put("Ratio below 0.9", render.Int(low))
		put("Ratio 0.9 to 1.1", render.Int(mid))
		put("Ratio above 1.1", render.Int(high))
		put("Arithmetic mean of the ratios, as published", render.Cell{Text: render.Thousands(average(usable(ratios)), 3) + "×", Value: average(usable(ratios))})
		put("Arithmetic mean of all times, as published: "+x, render.Number(averageOf(p.Rows, func(r *findings.PairRow) float64 { return r.A.Mean }), 2))
		put("Arithmetic mean of all times, as published: "+y, render.Number(averageOf(p.Rows, func(r *findings.PairRow) float64 { return r.B.Mean }), 2))
	}
	s.Add(t)
	for _, p := range b.Pairs {
		if text := b.whyCountsDiffer(p); text != "" {
			s.Add(render.Paragraph(text))
		}
	}
}

// whyCountsDiffer explains how the number of significant rows depends on the critical value.
func (b *builder) whyCountsDiffer(p *findings.Pair) string {
	sig := b.Significance(p)
	if sig.Raw == sig.Fixed || p.Incomparable != "" {
		return ""
	}
	text := fmt.Sprintf("%s: exactly %d of %d tested rows differ at p < %g. A fixed critical value of 2.776, which the published comparison of darwin and linux used, gives %d: that is the value for 4 degrees of freedom, and rows of five samples have between 4 and 8 (Welch–Satterthwaite), where the critical value lies between 2.776 and 2.306.",
		b.Name(p), sig.Raw, sig.Tested, b.Alpha, sig.Fixed)
	if n := len(sig.Between); n > 0 {
		var names []string
		for _, r := range sig.Between[:min(n, 12)] {
			names = append(names, fmt.Sprintf("%s (t = %.2f, df = %.1f, p = %.3f)", r.Row.Label, math.Abs(r.Welch.Statistic), r.Welch.DF, r.Welch.P))
		}
		if n > 12 {
			names = append(names, fmt.Sprintf("%d more", n-12))
		}
		text += " What the fixed value misses: " + listAnd(names) + "."
	}
	return text + fmt.Sprintf(" Testing %d rows at once, chance alone would produce about %.0f such differences; after Holm–Bonferroni %d remain, after Benjamini–Hochberg %d.", sig.Tested, b.Alpha*float64(sig.Tested), sig.Holm, sig.BH)
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

// categories compares two inputs by the sections of the published comparison.
func (b *builder) categories(p *findings.Pair) {
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
			switch v := r.Verdict(b.Alpha); {
			case v == stats.Faster:
				beyondA++
			case v == stats.Slower:
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
			fmt.Sprintf("%s has the lower mean in %d of %d rows, %d beyond the noise; %s in %d, %d beyond the noise.", x, lowerA, len(rows), beyondA, y, lowerB, beyondB),
			fmt.Sprintf("Geometric mean of the ratios: %s.", interval(ratiosOf(rows))),
			fmt.Sprintf("Arithmetic means, as published: %s %s ns/op, %s %s ns/op.", x, render.Thousands(averageOf(rows, func(r *findings.PairRow) float64 { return r.A.Mean }), 2),
				y, render.Thousands(averageOf(rows, func(r *findings.PairRow) float64 { return r.B.Mean }), 2)),
		})
		t := &render.Table{Columns: append(append(render.Words("Benchmark"), render.Numbers(x+" ns/op", y+" ns/op")...), append(render.Words("Lower mean"), append(render.Numbers("Factor"), render.Words("Faster")...)...)...)}
		chart := &render.RatioChart{Title: name + ": " + b.pairName(p), Left: x + " faster", Right: y + " faster"}
		rows, t.Note = first(rows, tableRows)
		for k, r := range rows {
			t.Rows = append(t.Rows, []render.Cell{render.T(r.Row.Label), render.Number(r.A.Mean, 2), render.Number(r.B.Mean, 2), render.T(b.lower(p, r)), render.Ratio(r.Speedup()), b.verdict(p, r)})
			if k < chartBars {
				chart.Bars = append(chart.Bars, render.Bar{Name: r.Row.Label, Value: r.Ratio, Lo: r.RatioLo, Hi: r.RatioHi})
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
		t := &render.Table{Title: b.pairName(p), Columns: append(render.Words("Group"), render.Numbers("Rows", "Geometric mean of ratios", "Low", "High", b.Inputs[p.A].Label+" faster", b.Inputs[p.B].Label+" faster", "Ties")...)}
		for _, g := range group.ComponentGroups {
			rows := by[g]
			if len(rows) == 0 {
				continue
			}
			m := ratiosOf(rows)
			sc := b.Score(&findings.Pair{Rows: rows})
			t.Rows = append(t.Rows, []render.Cell{render.T(string(g)), render.Int(len(rows)), render.Number(m.Center, 3), render.Number(m.Lo, 3), render.Number(m.Hi, 3), render.Int(sc.FasterA), render.Int(sc.FasterB), render.Int(sc.Ties)})
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
