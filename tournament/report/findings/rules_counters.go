package findings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// counter reports whether a unit counts what an operation did, such as handlers/op. Other figures beside the time are
// percentiles, shares and the like.
func counter(unit string) bool {
	return strings.HasSuffix(unit, "/op") && !strings.HasSuffix(unit, "ns/op")
}

// metrics names figures beside the time that are the same whatever is measured, and counters of work that are zero.
func metrics(a *Analysis) []Finding {
	var out []Finding
	type key struct{ category, unit string }
	for i, in := range a.Inputs {
		values := make(map[key][]float64)
		rows := make(map[key]int)
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
				rows[k]++
			}
		}
		idle := make(map[string][]string) // categories by unit
		for _, k := range order {
			least, most := slices.Min(values[k]), slices.Max(values[k])
			if least != most || len(values[k]) < 3 {
				continue
			}
			switch {
			case least == 0 && counter(k.unit):
				idle[k.unit] = append(idle[k.unit], k.category)
			case rows[k] >= 3 && !counter(k.unit):
				out = append(out, Finding{Kind: ConstantMetric, Severity: Info, Subject: k.category, Evidence: []Figure{{k.unit, least, ""}, {"samples", float64(len(values[k])), ""}},
					Text: fmt.Sprintf("%s on %s: %s is %g in every sample of every contestant. It is a condition of the workload, or not measured; it tells nothing about them.", k.category, in.Label, k.unit, least)})
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
			f.Text = fmt.Sprintf("On %s %s is zero in every sample of %s: %s. What it counts never happens there; the time is that of something else.", in.Label,
				unit, plural(len(idle[unit]), "category", "categories"), listed(idle[unit]))
			out = append(out, f)
		}
	}
	return out
}
