package report

import (
	"math"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// verdict says in a cell which side of a comparison is faster.
func (b *builder) verdict(p *findings.Pair, r *findings.PairRow) render.Cell {
	if p.Incomparable != "" {
		return render.T("not ranked").With(render.Muted)
	}
	switch r.Verdict {
	case stats.Ahead:
		return render.T(b.Inputs[p.A].Label)
	case stats.Behind:
		return render.T(b.Inputs[p.B].Label)
	}
	return render.T(r.Verdict.String()).With(render.Muted)
}

// lower names the input with the lower mean.
func (b *builder) lower(p *findings.Pair, r *findings.PairRow) string {
	switch {
	case r.A.Mean < r.B.Mean:
		return b.Inputs[p.A].Label
	case r.A.Mean > r.B.Mean:
		return b.Inputs[p.B].Label
	}
	return "equal"
}

func (b *builder) fullTable() {
	s := b.report.Section(2, "All rows")
	t := &render.Table{Columns: append(render.Numbers("#"), render.Words("Benchmark")...)}
	for _, l := range b.labels() {
		t.Columns = append(t.Columns, render.Numbers(l+" ns/op", l+" CV")...)
	}
	one := len(b.Pairs) == 1
	t.Columns = append(t.Columns, render.Words("Lower mean")...)
	against := b.Pairs[:min(len(b.Pairs), len(b.Inputs)-1)] // every input against the first
	for _, p := range against {
		if one {
			t.Columns = append(t.Columns, append(render.Numbers("Ratio", "Low", "High"), render.Words("Faster")...)...)
		} else {
			t.Columns = append(t.Columns, append(render.Numbers("Ratio "+b.pairName(p)), render.Words("Faster of "+b.pairName(p))...)...)
		}
	}
	byRow := make([]map[*group.Row]*findings.PairRow, len(against))
	for i, p := range against {
		byRow[i] = make(map[*group.Row]*findings.PairRow)
		for _, r := range p.Rows {
			byRow[i][r.Row] = r
		}
	}
	rows, note := first(b.Rows, tableRows)
	t.Note = note
	for i, r := range rows {
		row := []render.Cell{render.Int(i + 1), render.T(r.Label)}
		lowest, at := math.Inf(1), "–"
		for j := range b.Inputs {
			c := b.Cell(r, j)
			if c.Time.N == 0 {
				row = append(row, absent(r, j), render.Number(math.NaN(), 0))
				continue
			}
			row = append(row, render.Number(c.Time.Mean, 2), render.Percent(c.Time.CV))
			if c.Time.Mean < lowest && b.sameRun(j) {
				lowest, at = c.Time.Mean, b.Inputs[j].Label
			}
		}
		switch {
		case one && against[0].Incomparable != "":
			at = "not ranked"
		case one && byRow[0][r] != nil:
			at = b.lower(against[0], byRow[0][r])
		}
		row = append(row, render.T(at))
		for k, p := range against {
			pr := byRow[k][r]
			switch {
			case pr == nil && one:
				row = append(row, nan(), nan(), nan(), render.T("one side only").With(render.Muted))
			case pr == nil:
				row = append(row, nan(), render.T("one side only").With(render.Muted))
			case one:
				row = append(row, render.Ratio(pr.Ratio), render.Number(pr.Lo, 2), render.Number(pr.Hi, 2), b.verdict(p, pr))
			default:
				row = append(row, render.Ratio(pr.Ratio), b.verdict(p, pr))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	s.Add(t)
}
