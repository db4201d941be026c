package findings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// counter reports whether a unit counts what an operation did, such as handlers/op. Other figures beside the time are
// percentiles, shares and the like.
func counter(unit string) bool {
	return strings.HasSuffix(unit, "/op") && !strings.HasSuffix(unit, "ns/op")
}

// metrics names counters of work that are zero in every sample.
func metrics(a *Analysis) []Finding {
	var out []Finding
	type key struct{ category, unit string }
	for i, in := range a.Inputs {
		values := make(map[key][]float64)
		var order []key
		for _, r := range a.Rows {
			c := r.Cells[i]
			if c == nil {
				continue
			}
			for _, unit := range slices.Sorted(maps.Keys(c.Metrics)) {
				k := key{r.Category, unit}
				if values[k] == nil {
					order = append(order, k)
				}
				values[k] = append(values[k], c.Metrics[unit]...)
			}
		}
		idle := make(map[string][]string) // categories by unit
		for _, k := range order {
			least, most := slices.Min(values[k]), slices.Max(values[k])
			if least != most || len(values[k]) < 3 {
				continue
			}
			if least == 0 && counter(k.unit) {
				idle[k.unit] = append(idle[k.unit], k.category)
			}
		}
		for _, unit := range slices.Sorted(maps.Keys(idle)) {
			f := Finding{Kind: NothingHappened, Severity: Warning, Subject: idle[unit][0]}
			if len(idle[unit]) > 1 {
				f.Subject = in.Label
			}
			for _, category := range idle[unit] {
				f.Evidence = append(f.Evidence, Figure{unit + " in " + category, 0, ""})
			}
			f.Text = fmt.Sprintf("On %s %s is zero in every sample of %s: %s. No such work was done, so the time is that of something else.", in.Label,
				unit, text.Count(len(idle[unit]), "category", "categories"), text.List(idle[unit], evidenceRows))
			out = append(out, f)
		}
	}
	return out
}
