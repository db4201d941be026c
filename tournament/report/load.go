package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

const unloaded = "The results have no open-loop categories with samples, so that nothing is said of latency under load. \"tournament run -full\" measures them, and \"tournament choose -measure\" any one of them."

// underLoad says whom to take for a load, from the open-loop categories.
func (b *builder) underLoad() {
	s := b.report.Section(2, "When to choose what")
	found := false
	for _, in := range b.Inputs {
		choices := load.Choices(in.Loads)
		limits := load.Limits(in.Loads)
		if len(choices)+len(limits) == 0 {
			continue
		}
		found = true
		where := ""
		if len(b.Inputs) > 1 {
			where = " on " + in.Label
		}
		plain, others := whenTable("Tasks that arrive one by one"+where), whenTable("Shares of the capacity, bursts, producers, processors, mixes"+where)
		for i, line := range load.ChooseWhen(in.Loads) {
			t := others
			if fixedRate(choices[i].Spec) {
				t = plain
			}
			var row []render.Cell
			for _, text := range line.Cells() {
				row = append(row, render.T(text))
			}
			t.Rows = append(t.Rows, row)
		}
		s.Add(render.Paragraphf("Tasks arrive on a schedule that does not wait for the loop%s, and latency counts from the intended start to the end: a stall is in the figure of every task that it delays. Figures are medians of the samples; 99 of 100 tasks end within p99.", where))
		for _, t := range []*render.Table{plain, others} {
			switch {
			case len(t.Rows) == 0 || b.digest && t == others:
			case t == plain:
				s.Add(t)
			default:
				s.Add(render.Folded{Summary: text.Count(len(t.Rows), "other situation", "other situations"), Blocks: []render.Block{t}})
			}
		}
		for _, chart := range b.curves(choices, where) {
			s.Add(chart)
		}
		if len(limits) > 0 && !b.digest {
			s.Add(render.Folded{Summary: "Highest rates within 100 µs and 1 ms" + where, Blocks: []render.Block{limitTable(limits)}})
		}
	}
	if !found {
		s.Add(render.Paragraph(unloaded))
	}
}

// fixedRate reports whether a category is one that a user would ask for first: so many tasks a second and nothing else.
func fixedRate(s load.Spec) bool {
	return s.Rate > 0 && !s.Bursts && s.Producers <= 1 && s.Procs == 0 && s.Mix == load.Tasks
}

func whenTable(title string) *render.Table {
	return &render.Table{Title: title, Columns: render.Words(load.Columns()...),
		Note: "Taken: the fastest and all that are level with it, or undecided against it."}
}

func limitTable(limits []load.Limited) *render.Table {
	t := &render.Table{Columns: append(render.Words("Tasks", "Contestant"), render.Numbers("99 % within 100 µs", "99 % within 1 ms", "Capacity")...), Note: "Tasks a second."}
	for _, l := range limits {
		row := []render.Cell{render.T(l.Cost.String() + " of work"), render.T(l.Contestant)}
		for _, rate := range []float64{l.Within100us, l.Within1ms, l.Capacity} {
			if rate > 0 {
				row = append(row, render.Cell{Text: load.FormatRate(rate), Value: rate})
			} else {
				row = append(row, nan())
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// curveLeast is the number of rates that make a curve.
const curveLeast = 3

// curves draw the percentile against the rate, for every cost of a task that was measured at several.
func (b *builder) curves(choices []load.Choice, where string) []render.Block {
	byCost := make(map[int64][]*load.Choice)
	for i := range choices {
		if c := &choices[i]; fixedRate(c.Spec) {
			byCost[int64(c.Spec.Cost)] = append(byCost[int64(c.Spec.Cost)], c)
		}
	}
	var out []render.Block
	for _, cost := range slices.Sorted(maps.Keys(byCost)) {
		points := byCost[cost]
		if len(points) < curveLeast {
			continue
		}
		slices.SortFunc(points, func(x, y *load.Choice) int { return x.Spec.Rate - y.Spec.Rate })
		chart := &render.LineChart{Title: fmt.Sprintf("Latency, tasks with %s%s", work(points[0].Spec), where), XLabel: "tasks a second", YLabel: "p99, µs"}
		line := make(map[string]int)
		for _, p := range points {
			figures := append(slices.Clone(p.Take), p.Others...)
			if p.Control != nil && p.Control.Samples > 0 {
				figures = append(figures, *p.Control)
			}
			for _, f := range figures {
				if !f.Sustained || f.P99 <= 0 {
					continue
				}
				at, ok := line[f.Contestant]
				if !ok {
					at = len(chart.Lines)
					line[f.Contestant] = at
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

func work(s load.Spec) string {
	if s.Cost == 0 {
		return "no work"
	}
	return s.Cost.String() + " of work"
}

func us(d time.Duration) float64 { return float64(d) / 1e3 }
