package findings

import (
	"fmt"
	"math"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// twinDisagreements names published categories that their twin contradicts.
func twinDisagreements(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		for _, d := range disagreements(a.of(i)) {
			first := d.Published.First()
			f := Finding{Kind: TwinDisagreement, Severity: Warning, Subject: d.Published.Category, Evidence: []Figure{
				{first.Contestant + " in " + d.Published.Category, first.Figure, "ns/op"},
				{first.Contestant + " in " + d.Twin.Category, d.Twin.Entry(first.Contestant).Figure, "ns/op"},
			}}
			f.Text = fmt.Sprintf("%s on %s does not measure what its name says: %s needs %s there and %s in %s, which corrects it.", d.Published.Category, in.Label,
				first.Contestant, text.Duration(first.Figure), text.Duration(d.Twin.Entry(first.Contestant).Figure), d.Twin.Category)
			if d.Other != nil {
				f.Text += fmt.Sprintf(" There %s is ahead.", d.Other.Contestant)
				f.Evidence = append(f.Evidence, Figure{d.Other.Contestant + " in " + d.Twin.Category, d.Other.Figure, "ns/op"})
			}
			out = append(out, f)
		}
	}
	return out
}

// duplicateCategories names categories that measure one thing twice.
func duplicateCategories(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		for _, d := range duplicates(a.of(i)) {
			if d.Second.TwinOf == d.First.Category || d.First.TwinOf == d.Second.Category {
				continue // a twin that changes nothing is no news
			}
			f := Finding{Kind: Duplicates, Severity: Notice, Subject: d.Second.Category,
				Text: fmt.Sprintf("%s and %s are one measurement on %s: every contestant has the same figure in both, though the contestants differ. Together they count once.", d.First.Category, d.Second.Category, in.Label)}
			for _, e := range d.Second.Entries[:d.Second.ranked()] {
				f.Evidence = append(f.Evidence, Figure{e.Contestant, e.Figure / d.First.Entry(e.Contestant).Figure, "×"})
			}
			out = append(out, f)
		}
	}
	return append(out, duplicateRows(a)...)
}

// sameRow is the largest factor between two rows that measure one thing.
const sameRow = 1.15

// duplicateRows looks for rows without contestants that agree on every platform, with the same memory. Two platforms may
// agree by chance where costs are near; three hardly do, if the rows themselves change from one to the next.
func duplicateRows(a *Analysis) []Finding {
	if len(a.Inputs) < 3 {
		return nil
	}
	var rows []*group.Row
	for _, r := range a.Rows {
		if r.Contestant == "" && r.Complete() {
			rows = append(rows, r)
		}
	}
	same := func(x, y *group.Row) bool {
		least, most := math.Inf(1), 0.0
		for i := range a.Inputs {
			p, q := a.Cell(x, i), a.Cell(y, i)
			f := p.Time.Median / q.Time.Median
			if !(f < sameRow && f > 1/sameRow) || math.Abs(p.Allocs.Mean-q.Allocs.Mean) > 0.5 || math.Abs(p.Bytes.Mean-q.Bytes.Mean) > 1+0.02*p.Bytes.Mean {
				return false
			}
			least, most = math.Min(least, p.Time.Median), math.Max(most, p.Time.Median)
		}
		return most > differBy*least && least > 5
	}
	var found []string
	var figures []Figure
	taken := make(map[*group.Row]bool)
	for i, r := range rows {
		names := []string{short(r)}
		for _, o := range rows[i+1:] {
			if !taken[r] && !taken[o] && same(r, o) {
				names, taken[o] = append(names, short(o)), true
				figures = append(figures, Figure{short(r) + " over " + short(o), a.Cell(r, 0).Time.Median / a.Cell(o, 0).Time.Median, "×"})
			}
		}
		if len(names) > 1 {
			found = append(found, strings.Join(names, " = "))
		}
	}
	if found == nil {
		return nil
	}
	return []Finding{{Kind: Duplicates, Severity: Notice, Subject: "rows", Evidence: figures,
		Text: fmt.Sprintf("%s of rows agree in time and memory on all %d platforms, although the platforms differ: %s. Rows that agree so are repeats of one measurement rather than confirmations.", text.Count(len(found), "group", "groups"), len(a.Inputs), text.List(found, evidenceRows))}}
}

func short(r *group.Row) string { return strings.TrimPrefix(r.Label, "Benchmark") }
