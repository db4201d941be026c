package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// verdict says in a cell which side of a comparison is faster.
func (b *builder) verdict(p *findings.Pair, r *findings.PairRow) render.Cell {
	switch {
	case p.Incomparable != "":
		return render.T("not ranked").With(render.Muted)
	case r.Verdict == stats.Ahead:
		return render.T(b.Inputs[p.A].Label)
	case r.Verdict == stats.Behind:
		return render.T(b.Inputs[p.B].Label)
	}
	return render.T(r.Verdict.String()).With(render.Muted)
}

// lower names the input with the lower mean.
func (b *builder) lower(p *findings.Pair, r *findings.PairRow) string {
	switch {
	case p.Incomparable != "":
		return "not ranked"
	case r.A.Mean < r.B.Mean:
		return b.Inputs[p.A].Label
	case r.A.Mean > r.B.Mean:
		return b.Inputs[p.B].Label
	}
	return "equal"
}

// pairTable shows every row of two inputs.
func (b *builder) pairTable(p *findings.Pair) {
	t := render.NewTable("#", "Benchmark")
	t.Columns[0] = render.Column{Name: "#", Numeric: true}
	for _, l := range b.labels() {
		t.Columned("#"+l+" ns/op", "#"+l+" CV")
	}
	t.Columned("Lower mean", "#Ratio", "#Low", "#High", "Faster")
	both := make(map[*group.Row]*findings.PairRow)
	for _, r := range p.Rows {
		both[r.Row] = r
	}
	for i, r := range b.Rows {
		row := render.Row(i+1, r.Label)
		lower := "–"
		for j := range b.Inputs {
			if c := b.Cell(r, j).Time; c.N > 0 {
				row = append(row, render.Row(c.Mean, render.Percent(c.CV))...)
				lower = b.Inputs[j].Label
			} else {
				row = append(row, absent(r, j), render.Missing())
			}
		}
		rest := render.Row(lower, render.Missing(), render.Missing(), render.Missing(), render.T("one side only").With(render.Muted))
		if pr := both[r]; pr != nil {
			rest = render.Row(b.lower(p, pr), render.Ratio(pr.Ratio), pr.Lo, pr.Hi, b.verdict(p, pr))
		} else if p.Incomparable != "" {
			rest[0].Text = "not ranked"
		}
		t.Rows = append(t.Rows, append(row, rest...))
	}
	b.report.Section(2, "All rows").Add(t)
}

// timesTable shows every row on every input: narrow enough for a phone, with the lowest of those that may be ranked marked.
func (b *builder) timesTable() {
	t := render.NewTable("Benchmark")
	t.Note = "Mean ns/op; the lowest is marked."
	for _, l := range b.labels() {
		t.Columned("#" + l)
	}
	for _, r := range b.Rows {
		row := render.Row(strings.TrimPrefix(r.Label, "Benchmark"))
		lowest := -1
		for i := range b.Inputs {
			c := b.Cell(r, i).Time
			if c.N == 0 {
				row = append(row, render.Missing())
				continue
			}
			row = append(row, render.Cell{Text: text.Digits(c.Mean), Value: c.Mean})
			alike := !slices.ContainsFunc(b.Pairs, func(p *findings.Pair) bool { return p.A == 0 && p.B == i && p.Incomparable != "" })
			if alike && (lowest < 0 || c.Mean < b.Cell(r, lowest).Time.Mean) {
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

// againstFirst are the pairs of the first input with each other one.
func (b *builder) againstFirst() []*findings.Pair { return b.Pairs[:max(0, len(b.Inputs)-1)] }

// significant lists the differences that count, largest factor first.
func (b *builder) significant() {
	s := b.report.Section(2, "Significant differences")
	for _, p := range b.againstFirst() {
		if p.Incomparable != "" {
			s.Add(render.Paragraphf("%s: not ranked, because %s.", b.pairName(p), p.Incomparable))
			continue
		}
		x, y, rows, sc := b.Inputs[p.A].Label, b.Inputs[p.B].Label, decided(p), b.Score(p)
		s.Add(render.Paragraphf("%s: %d of %d rows differ; %s is faster in %d, %s in %d.", b.pairName(p), len(rows), len(p.Rows), x, sc.FasterA, y, sc.FasterB))
		t := render.NewTable("Benchmark", "Faster", "#Factor", "#Low", "#High", "#"+x+" ns/op", "#"+y+" ns/op")
		for _, r := range rows {
			lo, hi := r.Lo, r.Hi
			if r.Ratio < 1 {
				lo, hi = 1/hi, 1/lo
			}
			t.Add(r.Row.Label, b.verdict(p, r), render.Ratio(r.Speedup()), lo, hi, r.A.Mean, r.B.Mean)
		}
		if b.digest && len(rows) > 0 {
			s.Add(render.Folded{Summary: text.Count(len(rows), "row", "rows"), Blocks: []render.Block{t}})
		} else {
			s.Add(t)
		}
	}
}

// fastest lists the ten fastest rows of each input.
func (b *builder) fastest() {
	s := b.report.Section(2, "Fastest ten")
	for i, in := range b.Inputs {
		rows := slices.DeleteFunc(slices.Clone(b.Rows), func(r *group.Row) bool { return b.Cell(r, i).Time.N == 0 })
		slices.SortStableFunc(rows, func(r, q *group.Row) int { return cmp.Compare(b.Cell(r, i).Time.Mean, b.Cell(q, i).Time.Mean) })
		t := render.NewTable("#Rank", "Benchmark", "#ns/op", "#B/op", "#allocs/op", "#CV")
		t.Title = in.Label
		for k, r := range rows[:min(10, len(rows))] {
			c := b.Cell(r, i)
			t.Add(k+1, r.Label, c.Time.Mean, count(c.Bytes), count(c.Allocs), render.Percent(c.Time.CV))
		}
		s.Add(t)
	}
}

func count(c stats.Count) render.Cell {
	if c.N == 0 {
		return render.Missing()
	}
	return render.Number(c.Mean, 0)
}

// allocations compares allocations and bytes exactly.
func (b *builder) allocations() {
	s := b.report.Section(2, "Allocations")
	s.Add(render.Paragraph("The same code should allocate the same everywhere. A count whose ranges overlap is an average that rounds differently from run to run; one that lies apart took another path."))
	rates := render.NewTable("Pair", "#Rows", "#Equal allocs/op", "#Share", "#Equal B/op", "#Share", "#No allocation on both")
	zero := func(r *group.Row, input int) bool {
		a := b.Cell(r, input).Allocs
		return a.N > 0 && a.Max == 0
	}
	for _, p := range b.Pairs {
		n, allocs, bytes, none := 0, 0, 0, 0
		for _, r := range p.Rows {
			for _, c := range []struct {
				counter *int
				is      bool
			}{{&n, true}, {&allocs, r.Allocs == stats.Equal}, {&bytes, r.Bytes == stats.Equal}, {&none, zero(r.Row, p.A) && zero(r.Row, p.B)}} {
				if c.is && r.Allocs != stats.NotCounted {
					*c.counter++
				}
			}
		}
		share := func(k int) render.Cell { return render.Percent(float64(k) / float64(n)) }
		rates.Add(b.pairName(p), n, allocs, share(allocs), bytes, share(bytes), none)
	}
	s.Add(rates)
	t := render.NewTable("Benchmark")
	t.Note = "Mean ns/op. A row that counts bytes without counting an allocation is marked: its memory grows too rarely to count as one allocation per operation."
	for _, l := range b.labels() {
		t.Columned("#" + l)
	}
	for _, r := range b.Rows {
		row := render.Row(r.Label)
		for i := range b.Inputs {
			if !zero(r, i) {
				row = nil
				break
			}
			if b.Cell(r, i).Bytes.Mean >= 1 {
				row[0].Text = r.Label + " (memory grows)"
			}
			row = append(row, render.Number(b.Cell(r, i).Time.Mean, 2))
		}
		if row != nil {
			t.Rows = append(t.Rows, row)
		}
	}
	orNone(b.report.Section(3, "Without allocation everywhere"), t)
	for _, p := range b.againstFirst() {
		for _, c := range []struct {
			unit  string
			agree func(*findings.PairRow) stats.Agreement
			of    func(*findings.Cell) stats.Count
		}{
			{"allocs/op", func(r *findings.PairRow) stats.Agreement { return r.Allocs }, func(c *findings.Cell) stats.Count { return c.Allocs }},
			{"B/op", func(r *findings.PairRow) stats.Agreement { return r.Bytes }, func(c *findings.Cell) stats.Count { return c.Bytes }},
		} {
			t := render.NewTable("Benchmark", "#"+b.Inputs[p.A].Label, "#"+b.Inputs[p.B].Label, "#Difference", "Ranges")
			for _, r := range p.Rows {
				x, y := c.of(b.Cell(r.Row, p.A)).Mean, c.of(b.Cell(r.Row, p.B)).Mean
				if a := c.agree(r); a == stats.Overlapping || a == stats.Apart {
					t.Add(r.Row.Label, render.Number(x, 1), render.Number(y, 1), render.Number(y-x, 1), a.String())
				}
			}
			orNone(b.report.Section(3, fmt.Sprintf("Different %s: %s", c.unit, b.Name(p))), t)
		}
	}
}

// orNone adds a table to a section, or says that there are no rows for it.
func orNone(s *render.Section, t *render.Table) {
	if len(t.Rows) == 0 {
		s.Add(render.Paragraph("None."))
	}
	s.Add(t)
}

const (
	steady   = 0.02
	unsteady = 0.05
)

// stability shows how well the samples of a row agree.
func (b *builder) stability() {
	both := 0
	over := make([]int, len(b.Inputs))
	t := render.NewTable("Benchmark")
	t.Title = "Rows with a CV above 5%"
	for _, l := range b.labels() {
		t.Columned("#" + l)
	}
	for _, r := range b.Rows {
		calm, noisy := r.Complete(), false
		row := render.Row(r.Label)
		for i := range b.Inputs {
			c := b.Cell(r, i).Time
			if c.N == 0 {
				row = append(row, render.Missing())
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
	b.report.Section(2, "Stability").Add(items, t)
}
