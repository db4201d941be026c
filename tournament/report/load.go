package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

const unloaded = "The results have no open-loop categories with samples, so that nothing is said of latency under load. \"tournament run -full\" measures them, and \"tournament choose -measure\" any one of them."

// underLoad says whom to take for a load, from the open-loop categories.
func (b *builder) underLoad() {
	s := b.report.Section(2, "When to choose what")
	for _, in := range b.Inputs {
		choices, limits := choose.Choices(in.Loads), choose.Limits(in.Loads)
		if len(choices)+len(limits) == 0 {
			continue
		}
		where := ""
		if len(b.Inputs) > 1 {
			where = " on " + in.Label
		}
		s.Add(render.Paragraphf("Tasks arrive on a schedule that does not wait for the loop%s, and latency counts from the intended start to the end: a stall is in the figure of every task that it delays. Figures are medians of the samples; 99 of 100 tasks end within p99.", where))
		plain, others := render.NewTable(choose.Columns()...), render.NewTable(choose.Columns()...)
		plain.Title, others.Title = "Tasks that arrive one by one"+where, "Shares of the capacity, bursts, producers, processors, mixes"+where
		plain.Note = "Taken: the fastest and all that are level with it, or undecided against it."
		for i, line := range choose.ChooseWhen(in.Loads) {
			t := others
			if fixedRate(choices[i].Spec) {
				t = plain
			}
			row := render.Row()
			for _, cell := range line.Cells() {
				row = append(row, render.T(cell))
			}
			t.Rows = append(t.Rows, row)
		}
		s.Add(plain)
		s.Add(b.curves(choices, where)...)
		if b.digest {
			continue
		}
		if len(others.Rows) > 0 {
			s.Add(render.Folded{Summary: text.Count(len(others.Rows), "other situation", "other situations"), Blocks: []render.Block{others}})
		}
		if len(limits) > 0 {
			s.Add(render.Folded{Summary: "Highest rates within 100 µs and 1 ms" + where, Blocks: []render.Block{limitTable(limits)}})
		}
	}
	if s.Blocks == nil {
		s.Add(render.Paragraph(unloaded))
	}
}

// loadInWords answers for each real machine what a reader would ask first.
func (b *builder) loadInWords() {
	s := b.report.Section(2, "Under load")
	for i, in := range b.Inputs {
		choices := choose.Choices(in.Loads)
		first := slices.IndexFunc(choices, func(c choose.Choice) bool { return fixedRate(c.Spec) })
		if c := first; b.native(i) && c >= 0 {
			s.Add(render.Paragraph(choices[c].Answer(choose.Question{Cost: choices[c].Spec.Cost, Rate: float64(choices[c].Spec.Rate)})))
		}
	}
	if s.Blocks == nil {
		s.Add(render.Paragraph(unloaded))
	}
}

// fixedRate reports whether a category is one that a user would ask for first: so many tasks a second and nothing else.
func fixedRate(s choose.Spec) bool {
	return s.Rate > 0 && !s.Bursts && s.Producers <= 1 && s.Procs == 0 && s.Mix == choose.Tasks
}

func limitTable(limits []choose.Limited) *render.Table {
	t := render.NewTable("Tasks", "Contestant", "#99 % within 100 µs", "#99 % within 1 ms", "#Capacity")
	t.Note = "Tasks a second."
	for _, l := range limits {
		row := render.Row(work(l.Cost), l.Contestant)
		for _, rate := range []float64{l.Within100us, l.Within1ms, l.Capacity} {
			cell := render.Missing()
			if rate > 0 {
				cell = render.Cell{Text: choose.FormatRate(rate), Value: rate}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func work(cost time.Duration) string {
	if cost == 0 {
		return "no work"
	}
	return cost.String() + " of work"
}

// curveLeast is the number of rates that make a curve.
const curveLeast = 3

// curves draw the percentile against the rate, for every cost of a task that was measured at several.
func (b *builder) curves(choices []choose.Choice, where string) (out []render.Block) {
	byCost := make(map[time.Duration][]*choose.Choice)
	for i := range choices {
		if c := &choices[i]; fixedRate(c.Spec) {
			byCost[c.Spec.Cost] = append(byCost[c.Spec.Cost], c)
		}
	}
	us := func(d time.Duration) float64 { return float64(d) / 1e3 }
	for _, cost := range slices.Sorted(maps.Keys(byCost)) {
		points := byCost[cost]
		if len(points) < curveLeast {
			continue
		}
		slices.SortFunc(points, func(x, y *choose.Choice) int { return x.Spec.Rate - y.Spec.Rate })
		chart := &render.LineChart{Title: fmt.Sprintf("Latency, tasks with %s%s", work(cost), where), XLabel: "tasks a second", YLabel: "p99, µs"}
		for _, p := range points {
			figures := slices.Concat(p.Take, p.Others)
			if p.Control != nil && p.Control.Samples > 0 {
				figures = append(figures, *p.Control)
			}
			for _, f := range figures {
				if !f.Sustained || f.P99 <= 0 {
					continue
				}
				at := slices.IndexFunc(chart.Lines, func(l render.Line) bool { return l.Name == f.Contestant })
				if at < 0 {
					at = len(chart.Lines)
					chart.Lines = append(chart.Lines, render.Line{Name: f.Contestant, Series: b.colour(f.Contestant)})
				}
				lo, hi := f.Range()
				chart.Lines[at].Points = append(chart.Lines[at].Points, render.Point{X: float64(p.Spec.Rate), Y: us(f.P99), Lo: math.Max(0.001, us(lo)), Hi: us(hi)})
			}
		}
		slices.SortFunc(chart.Lines, func(x, y render.Line) int { return x.Series - y.Series })
		if len(chart.Lines) > 0 {
			out = append(out, chart)
		}
	}
	return out
}
