package report

import (
	"io"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// Plot shows the ratio of every decisive category with its interval, grouped by the family that decides.
func Plot(answers []Answer) *render.DotChart {
	chart := &render.DotChart{Title: "Time as a share of that of the rival that decides, with its interval", Left: "faster", Right: "slower"}
	for i := range answers {
		n := &answers[i]
		for k, f := range n.Families {
			for _, s := range n.Decisive {
				if best := s.Contest.Best(); best.Name == f.Name {
					chart.Bars = append(chart.Bars, render.Bar{Group: n.Subject + " ÷ " + f.Name, Name: s.Category, Value: best.Ratio, Lo: best.Lo, Hi: best.Hi, Series: k})
				}
			}
		}
	}
	return chart
}

// Blocks are the answers without their plot: five lines for each subject, then the tables of verdicts and variants.
func Blocks(answers []Answer) (lines, tables []render.Block) {
	for i := range answers {
		n := &answers[i]
		lines = append(lines, render.List(n.Lines()))
		for _, t := range []*render.Table{n.grid(), n.variants()} {
			if t != nil && t.Rows != nil {
				tables = append(tables, t)
			}
		}
	}
	return lines, tables
}

// document puts answers in order for one that is not a page: lines and tables of each, then the excluded categories with the reasons.
func document(answers []Answer) (out []render.Block) {
	var excluded render.List
	for i := range answers {
		lines, tables := Blocks(answers[i : i+1])
		out = append(append(out, lines...), tables...)
		for _, s := range answers[i].Excluded {
			excluded = append(excluded, s.Category+": "+s.Void)
		}
	}
	if excluded != nil {
		out = append(out, render.Paragraph("Excluded:"), excluded)
	}
	return out
}

// WriteText writes answers for a terminal of that many columns, or for none if width is 0.
func WriteText(w io.Writer, answers []Answer, width int) error {
	return render.WriteText(w, width, document(answers)...)
}

// WriteMarkdown writes answers as a part of a page.
func WriteMarkdown(w io.Writer, answers []Answer) error {
	return render.WriteBlocks(w, document(answers)...)
}

// WriteBrief writes answers as a part of a page: the first lines of each, and the verdicts of the first without the times of rivals.
func WriteBrief(w io.Writer, answers []Answer) error {
	var lines render.List
	for i := range answers {
		lines = append(lines, answers[i].Lines()[:2]...)
	}
	blocks := []render.Block{lines}
	if len(answers) > 0 {
		t := answers[0].grid()
		t.Title, t.Columns = "", t.Columns[:3]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:3]
			t.Rows[i][2].Mark = render.Plain
		}
		blocks = append(blocks, t)
	}
	return render.WriteBlocks(w, blocks...)
}

// grid is a table of the categories that count: the verdict with the ratio to the rival that decides, and every family's time.
func (n *Answer) grid() *render.Table {
	t := render.NewTable("Category", "Verdict")
	t.Title = n.Subject + " against the rival that decides; times in ns/op"
	var names []string
	add := func(name string) {
		if _, replica := result.ReplicaOf(name); !replica && !slices.Contains(names, name) {
			names = append(names, name)
			t.Columned("#" + name)
		}
	}
	standings := slices.Concat(n.Decisive, n.Alone)
	add(n.Subject)
	for _, f := range n.Families {
		add(f.Name)
	}
	for _, s := range standings {
		for _, e := range s.Entries {
			add(e.Contestant)
		}
		for _, x := range s.Absent {
			add(x.Contestant)
		}
	}
	marks := map[stats.Verdict]render.Mark{stats.Ahead: render.Good, stats.Behind: render.Bad}
	for _, s := range standings {
		row := render.Row(s.Category, render.T(s.Contest.String()).With(marks[s.Contest.Verdict]))
		for _, name := range names {
			row = append(row, n.figure(s, name))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figure is a time in a cell, or the reason for its absence.
func (n *Answer) figure(s *findings.Standing, contestant string) render.Cell {
	if e := s.Entry(contestant); e != nil && e.Dubious == "" {
		c := render.Cell{Text: text.Digits(e.Figure), Value: e.Figure}
		if e == s.First() {
			c.Mark = render.Best
		}
		return c
	} else if e != nil {
		return render.T("not believed").With(render.Bad)
	}
	for _, r := range n.a.Rows {
		if c := r.Cells[n.Input]; c != nil && r.Category == s.Category && r.Contestant == contestant {
			return absent(r, n.Input)
		}
	}
	return render.Missing()
}

// variants is a table of the cost of one difference within a family, or nil.
func (n *Answer) variants() *render.Table {
	var names []string
	for _, s := range n.Decisive {
		for _, v := range s.Contest.Variants {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	if names == nil {
		return nil
	}
	t := render.NewTable("Category").Columned(names...)
	t.Title = "Variants: the time of each as a share of that of its family's default member, from which it differs in one thing"
	words := map[stats.Verdict]string{stats.Ahead: " faster", stats.Behind: " slower", stats.Level: " level"}
	marks := map[stats.Verdict]render.Mark{stats.Ahead: render.Good, stats.Behind: render.Bad}
	for _, s := range n.Decisive {
		if len(s.Contest.Variants) == 0 {
			continue
		}
		row := render.Row(s.Category)
		for _, name := range names {
			cell := render.Missing()
			for _, v := range s.Contest.Variants {
				if v.Name == name {
					cell = render.Cell{Text: v.Interval.String() + words[v.Verdict], Value: v.Ratio, Mark: marks[v.Verdict]}
				}
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// absent says why an input has no figure in a row.
func absent(r *group.Row, input int) render.Cell {
	c := r.Cells[input]
	switch {
	case c == nil:
		return render.T("no row").With(render.Muted)
	case c.NotApplicable != "":
		return render.T("n/a").With(render.Muted)
	case c.Error != "":
		return render.T("failed").With(render.Bad)
	}
	return render.T("no figure").With(render.Muted)
}
