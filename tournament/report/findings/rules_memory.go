package findings

import (
	"fmt"
	"math"

	"github.com/eventloop-go/eventloop/tournament/report/text"
)

const extraBytes = 1.5

// heavier names contestants that need far more bytes than a rival with as many allocations: a buffer or a backlog that
// grows is not an allocation for each operation.
func heavier(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		var rows []string
		f := Finding{Kind: MemoryGrowth, Severity: Notice, Subject: in.Label}
		for _, s := range a.of(i) {
			for _, e := range s.Entries {
				for _, o := range s.Entries {
					if e.Dubious+o.Dubious == "" && e.Bytes.N > 0 && o.Bytes.N > 0 && o.Bytes.Mean >= 8 && o.Allocs.Mean > 0.5 &&
						math.Abs(e.Allocs.Mean-o.Allocs.Mean) < 0.05 && e.Bytes.Mean > extraBytes*o.Bytes.Mean && e.Bytes.Mean > o.Bytes.Mean+8 {
						rows = append(rows, short(e.Row))
						if len(f.Evidence) < evidenceFigures {
							f.Evidence = append(f.Evidence, Figure{short(e.Row), e.Bytes.Mean, "B/op"}, Figure{"and " + o.Contestant, o.Bytes.Mean, "B/op"})
						}
						break
					}
				}
			}
		}
		if len(rows) > 0 {
			f.Text = fmt.Sprintf("On %s %s 1.5 times the bytes of a rival with the same number of allocations, or more: %s. What is not allocated for an operation is a buffer or backlog that grows with the run.", in.Label, text.Count(len(rows), "row needs", "rows need"), text.List(rows, evidenceRows))
			out = append(out, f)
		}
	}
	return out
}
