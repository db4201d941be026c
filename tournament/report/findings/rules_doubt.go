package findings

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// emptyCall is the row that measures a call of an empty function.
const emptyCall = "BenchmarkLatencyDirectCall"

// barren is how many allocations all others must need for a contestant without any to look suspicious.
const barren = 10

func tooGood(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		var floor *group.Row
		for _, r := range a.Rows {
			if r.Name == emptyCall && r.Cells[i] != nil {
				floor = r
			}
		}
		for _, r := range a.Rows {
			c := a.Cell(r, i)
			switch {
			case c.Time.N == 0:
			case impossible(c) != "":
				out = append(out, Finding{Kind: TooGood, Severity: Problem, Subject: r.Label,
					Text:     fmt.Sprintf("%s on %s takes %.2g ns per operation, less than one processor cycle: the operation did not run, and the figure says nothing about it. It is left out of rankings.", r.Label, in.Label, c.Time.Median),
					Evidence: []Figure{{"time", c.Time.Median, "ns/op"}, {"allocations", c.Allocs.Mean, "allocs/op"}}})
			case floor != nil && r != floor && c.Time.Hi < a.Cell(floor, i).Time.Lo:
				e := a.Cell(floor, i).Time
				out = append(out, Finding{Kind: TooGood, Severity: Warning, Subject: r.Label,
					Text:     fmt.Sprintf("%s on %s takes %.3g ns, less than the %.3g ns of an empty call in the same run: the compiler has probably removed what it should measure.", r.Label, in.Label, c.Time.Mean, e.Mean),
					Evidence: []Figure{{"time", c.Time.Mean, "ns/op"}, {"empty call", e.Mean, "ns/op"}}})
			}
		}
	}
	for _, s := range a.Standings {
		for _, e := range s.Entries {
			least, rivals := -1.0, 0
			for _, o := range s.Entries {
				if o != e && o.Allocs.N > 0 && o.Dubious == "" {
					rivals++
					if least < 0 || o.Allocs.Mean < least {
						least = o.Allocs.Mean
					}
				}
			}
			if e.Dubious != "" || e.Allocs.N == 0 || e.Allocs.Max > 0 || rivals < 2 || least < barren {
				continue
			}
			out = append(out, Finding{Kind: TooGood, Severity: Warning, Subject: e.Row.Label,
				Text:     fmt.Sprintf("%s on %s does not allocate, where every rival needs %.0f allocations or more: check that it does the same work.", e.Row.Label, a.Inputs[s.Input].Label, least),
				Evidence: []Figure{{"allocations", 0, "allocs/op"}, {"least of the rivals", least, "allocs/op"}}})
		}
	}
	return out
}

func memoryGrowth(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		var rows []string
		var figures []Figure
		for _, r := range a.Rows {
			c := a.Cell(r, i)
			if c.Allocs.N > 0 && c.Allocs.Mean < 0.5 && c.Bytes.Mean >= 1 {
				rows = append(rows, r.Label)
				if len(figures) < evidenceFigures {
					figures = append(figures, Figure{r.Label, c.Bytes.Mean, "B/op"})
				}
			}
		}
		if len(rows) > 0 {
			out = append(out, Finding{Kind: MemoryGrowth, Severity: Warning, Subject: in.Label, Evidence: figures,
				Text: fmt.Sprintf("On %s %s bytes with less than one allocation for two operations: %s. That is mostly a buffer or backlog that grows; such a figure drifts with the number of operations.",
					in.Label, text.Count(len(rows), "row shows", "rows show"), text.List(rows, evidenceRows))})
		}
	}
	return out
}
