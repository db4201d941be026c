package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// significant lists the differences that count, largest factor first.
func (b *builder) significant() {
	s := b.report.Section(2, "Significant differences")
	for _, p := range b.Pairs[:min(len(b.Pairs), max(1, len(b.Inputs)-1))] {
		if p.Incomparable != "" {
			s.Add(render.Paragraphf("%s: not ranked, because %s.", b.pairName(p), p.Incomparable))
			continue
		}
		x, y := b.Inputs[p.A].Label, b.Inputs[p.B].Label
		var rows []*findings.PairRow
		for _, r := range p.Rows {
			if r.Verdict == stats.Ahead || r.Verdict == stats.Behind {
				rows = append(rows, r)
			}
		}
		slices.SortStableFunc(rows, func(r, q *findings.PairRow) int { return cmp.Compare(q.Speedup(), r.Speedup()) })
		sc := b.Score(p)
		s.Add(render.Paragraphf("%s: %d of %d rows differ; %s is faster in %d, %s in %d.", b.pairName(p), len(rows), len(p.Rows), x, sc.FasterA, y, sc.FasterB))
		t := &render.Table{Columns: append(render.Words("Benchmark", "Faster"), render.Numbers("Factor", "Low", "High", x+" ns/op", y+" ns/op")...)}
		rows, t.Note = first(rows, tableRows)
		for _, r := range rows {
			lo, hi := r.Lo, r.Hi
			if r.Ratio < 1 {
				lo, hi = 1/hi, 1/lo
			}
			t.Rows = append(t.Rows, []render.Cell{
				render.T(r.Row.Label), b.verdict(p, r), render.Ratio(r.Speedup()), render.Number(lo, 2), render.Number(hi, 2),
				render.Number(r.A.Mean, 2), render.Number(r.B.Mean, 2),
			})
		}
		switch {
		case len(rows) == 0:
		case b.digest:
			s.Add(render.Folded{Summary: text.Count(len(rows), "row", "rows"), Blocks: []render.Block{t}})
		default:
			s.Add(t)
		}
	}
}

// fastest lists the ten fastest rows of each input.
func (b *builder) fastest() {
	s := b.report.Section(2, "Fastest ten")
	for i, in := range b.Inputs {
		var rows []*group.Row
		for _, r := range b.Rows {
			if b.Cell(r, i).Time.N > 0 {
				rows = append(rows, r)
			}
		}
		slices.SortStableFunc(rows, func(r, q *group.Row) int {
			return cmp.Compare(b.Cell(r, i).Time.Mean, b.Cell(q, i).Time.Mean)
		})
		t := &render.Table{Title: in.Label, Columns: append(append(render.Numbers("Rank"), render.Words("Benchmark")...), render.Numbers("ns/op", "B/op", "allocs/op", "CV")...)}
		for k, r := range rows[:min(10, len(rows))] {
			c := b.Cell(r, i)
			t.Rows = append(t.Rows, []render.Cell{render.Int(k + 1), render.T(r.Label), render.Number(c.Time.Mean, 2), count(c.Bytes), count(c.Allocs), render.Percent(c.Time.CV)})
		}
		s.Add(t)
	}
}

// allocations compares what is allocated, exactly.
func (b *builder) allocations() {
	s := b.report.Section(2, "Allocations")
	s.Add(render.Paragraph("The same code should allocate the same everywhere. A count whose ranges overlap is an average that rounds differently from run to run; one that lies apart took another path."))
	rates := &render.Table{Columns: append(render.Words("Pair"), render.Numbers("Rows", "Equal allocs/op", "Share", "Equal B/op", "Share", "No allocation on both")...)}
	for _, p := range b.Pairs {
		n, allocs, bytes, zero := 0, 0, 0, 0
		for _, r := range p.Rows {
			if r.Allocs == stats.NotCounted {
				continue
			}
			n++
			if r.Allocs == stats.Equal {
				allocs++
			}
			if r.Bytes == stats.Equal {
				bytes++
			}
			if b.zeroAllocs(r.Row, p.A) && b.zeroAllocs(r.Row, p.B) {
				zero++
			}
		}
		share := func(k int) render.Cell { return render.Percent(float64(k) / float64(n)) }
		rates.Rows = append(rates.Rows, []render.Cell{render.T(b.pairName(p)), render.Int(n), render.Int(allocs), share(allocs), render.Int(bytes), share(bytes), render.Int(zero)})
	}
	s.Add(rates)
	b.zeroTable()
	for _, p := range b.Pairs[:min(len(b.Pairs), max(1, len(b.Inputs)-1))] { // every input against the first
		b.mismatches(p, "allocs/op", func(r *findings.PairRow) (stats.Agreement, float64) { return r.Allocs, r.AllocDelta },
			func(r *group.Row, i int) stats.Count { return b.Cell(r, i).Allocs })
		b.mismatches(p, "B/op", func(r *findings.PairRow) (stats.Agreement, float64) { return r.Bytes, r.ByteDelta },
			func(r *group.Row, i int) stats.Count { return b.Cell(r, i).Bytes })
	}
}

func (b *builder) zeroAllocs(r *group.Row, input int) bool {
	a := b.Cell(r, input).Allocs
	return a.N > 0 && a.Max == 0
}

func (b *builder) zeroTable() {
	s := b.report.Section(3, "Without allocation everywhere")
	t := &render.Table{Columns: append(render.Words("Benchmark"), render.Numbers(b.labels()...)...),
		Note: "Mean ns/op. A row that counts bytes without counting an allocation is marked: its memory grows too rarely to count as one allocation per operation."}
	for _, r := range b.Rows {
		row := []render.Cell{render.T(r.Label)}
		grows := false
		for i := range b.Inputs {
			if !b.zeroAllocs(r, i) {
				row = nil
				break
			}
			grows = grows || b.Cell(r, i).Bytes.Mean >= 1
			row = append(row, render.Number(b.Cell(r, i).Time.Mean, 2))
		}
		if row == nil {
			continue
		}
		if grows {
			row[0].Text += " (memory grows)"
		}
		t.Rows = append(t.Rows, row)
	}
	addRows(s, t)
}

// addRows adds a table to a section, or says that there are no rows for it.
func addRows(s *render.Section, t *render.Table) {
	if len(t.Rows) == 0 {
		s.Add(render.Paragraph("None."))
		return
	}
	rows, left := first(t.Rows, tableRows)
	t.Rows = rows
	s.Add(t)
	if left != "" {
		s.Add(render.Paragraph(left))
	}
}

func (b *builder) mismatches(p *findings.Pair, unit string, of func(*findings.PairRow) (stats.Agreement, float64), summary func(*group.Row, int) stats.Count) {
	s := b.report.Section(3, fmt.Sprintf("Different %s: %s", unit, b.Name(p)))
	t := &render.Table{Columns: append(append(render.Words("Benchmark"), render.Numbers(b.Inputs[p.A].Label, b.Inputs[p.B].Label, "Difference")...), render.Words("Ranges")...)}
	for _, r := range p.Rows {
		agree, delta := of(r)
		if agree != stats.Overlapping && agree != stats.Apart {
			continue
		}
		t.Rows = append(t.Rows, []render.Cell{
			render.T(r.Row.Label), render.Number(summary(r.Row, p.A).Mean, 1), render.Number(summary(r.Row, p.B).Mean, 1), render.Number(delta, 1), render.T(agree.String()),
		})
	}
	addRows(s, t)
}

const (
	steady   = 0.02
	unsteady = 0.05
)

// stability shows how well the samples of a row agree.
func (b *builder) stability() {
	s := b.report.Section(2, "Stability")
	both := 0
	over := make([]int, len(b.Inputs))
	t := &render.Table{Title: "Rows with a CV above 5%", Columns: append(render.Words("Benchmark"), render.Numbers(b.labels()...)...)}
	for _, r := range b.Rows {
		calm, noisy := r.Complete(), false
		row := []render.Cell{render.T(r.Label)}
		for i := range b.Inputs {
			c := b.Cell(r, i).Time
			if c.N == 0 {
				row = append(row, nan())
				continue
			}
			cell := render.Percent(c.CV)
			if c.CV > unsteady {
				noisy = true
				over[i]++
				cell.Mark = render.Bad
				cell.Text += " !"
			}
			calm = calm && c.CV < steady
			row = append(row, cell)
		}
		if calm {
			both++
		}
		if noisy {
			t.Rows = append(t.Rows, row)
		}
	}
	items := render.List{fmt.Sprintf("Rows with a CV below 2%% in every input: %d.", both)}
	for i, l := range b.labels() {
		items = append(items, fmt.Sprintf("Rows with a CV above 5%% in %s: %d.", l, over[i]))
	}
	s.Add(items)
	if len(t.Rows) > 0 {
		addRows(s, t)
	}
}
