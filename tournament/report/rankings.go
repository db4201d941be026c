package report

import (
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// rankings shows who wins on one input: per category, in total, and as a heat map.
func (b *builder) rankings(input int) {
	b.noise(input)
	any := false
	for _, k := range findings.Kinds {
		standings := b.Ranked(input, k.Kind)
		if len(standings) == 0 {
			continue
		}
		if !any {
			b.report.Section(2, "Rankings: "+b.Inputs[input].Label).Add(render.Paragraph("Of a sweep one point counts. A category that its own data contradict gives no win, and the verdict says why. Headlines count corrected twins only, which measure what their names say."))
			any = true
		}
		s := b.report.Section(3, "Winners: "+k.Name)
		standings, note := first(standings, tableRows)
		t := &render.Table{Columns: append(append(append(append(render.Words("Category", "First"), render.Numbers("ns/op")...), render.Words("Second")...), render.Numbers("ns/op", "Ratio")...), render.Words("Verdict")...)}
		for _, st := range standings {
			first, second := st.First(), st.RunnerUp()
			name, verdict := render.T(first.Contestant), st.Contest.Outcome.String()
			switch {
			case st.Void != "":
				verdict = "no win: " + st.Void
			case st.Winner() != nil:
				name.Mark = render.Best
			case second.Contrast.N < 2:
				verdict = "too few samples"
			}
			t.Rows = append(t.Rows, []render.Cell{render.T(st.Category), name, render.Number(first.Figure, 2), render.T(second.Contestant), render.Number(second.Figure, 2),
				render.Ratio(second.Contrast.Ratio), render.T(verdict)})
		}
		t.Note = note
		s.Add(t, b.records(input, k.Kind), b.heat(input, k.Kind, standings))
	}
}

func (b *builder) records(input int, kind result.Kind) *render.Table {
	t := &render.Table{Title: "Places", Columns: append(render.Words("Contestant"), render.Numbers("Wins", "First", "Second", "Third", "Categories", "Relative to the best", "Low", "High")...),
		Note: "Relative to the best: geometric mean of the contestant's figure over the category's best, with its 95% interval over categories."}
	for _, r := range b.Records(input, kind) {
		g := r.RelativeToBest
		t.Rows = append(t.Rows, []render.Cell{render.T(r.Contestant), render.Int(r.Wins), render.Int(r.First), render.Int(r.Second), render.Int(r.Third), render.Int(r.Categories),
			render.Ratio(g.Center), render.Number(g.Lo, 2), render.Number(g.Hi, 2)})
	}
	return t
}

func (b *builder) heat(input int, kind result.Kind, standings []*findings.Standing) *render.HeatMap {
	h := &render.HeatMap{Title: "Contestants and categories on " + b.Inputs[input].Label, Corner: "Category",
		Note: "Each figure is the contestant's over the best of the category: 1 is the best, 2 takes twice as long."}
	h.Columns = contestants(standings)
	for _, st := range standings {
		row := render.HeatRow{Name: st.Category}
		best := st.First().Figure
		for _, n := range h.Columns {
			v := math.NaN()
			if e := st.Entry(n); e != nil && e.Dubious == "" {
				v = e.Figure / best
			}
			row.Values = append(row.Values, v)
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// noise shows the rows of contestants that were entered twice.
func (b *builder) noise(input int) {
	t := &render.Table{Columns: append(append(render.Words("Category"), render.Numbers("ns/op", "ns/op again", "Ratio", "Low", "High", "Noise floor")...), render.Words("Verdict")...)}
	var who []string
	floor, apart := math.NaN(), 0
	for _, s := range b.Standings {
		if s.Input != input || s.Again == nil || s.Entry(s.Again.First) == nil {
			continue
		}
		verdict := render.T("level")
		if s.Again.Apart {
			apart++
			verdict = render.T("told apart").With(render.Bad)
		}
		if !slices.Contains(who, s.Again.First) {
			who = append(who, s.Again.First)
		}
		floor = math.Min(orInfinite(floor), s.Contest.Floor)
		t.Rows = append(t.Rows, []render.Cell{render.T(s.Category), render.Number(s.Entry(s.Again.First).Figure, 2), render.Number(s.Again.Figure, 2), render.Ratio(s.Again.Ratio), render.Number(s.Again.Lo, 2), render.Number(s.Again.Hi, 2), render.Percent(s.Contest.Floor), verdict})
	}
	if len(t.Rows) == 0 {
		return
	}
	b.report.Section(2, "Noise: "+b.Inputs[input].Label).Add(
		render.Paragraphf("The second entries of %s differ from the first by noise alone; the test tells %d of %s apart. A lead below %s, or more where a category's own pair is further apart, is no lead.", listAnd(who), apart, counted(len(t.Rows), "pair", "pairs"), render.Percent(floor).Text),
		render.Folded{Summary: "The pairs", Blocks: []render.Block{t}})
}

func orInfinite(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}
