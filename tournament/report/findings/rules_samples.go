package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

const (
	apart     = 1.5 // the factor between two modes
	withinGap = 0.4 // how wide a mode may be, as a share of the gap
)

// modes names rows whose samples fall into two groups.
func modes(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		var rows []string
		f := Finding{Kind: Modes, Severity: Notice, Subject: in.Label}
		for _, r := range a.Rows {
			m, ok := stats.ModesOf(r.Cells[i].Ns())
			if !ok {
				m, ok = split(r.Cells[i].Ns())
			}
			if !ok {
				continue
			}
			rows = append(rows, fmt.Sprintf("%s (%s)", short(r), m))
			if len(f.Evidence) < evidenceFigures {
				f.Evidence = append(f.Evidence, Figure{short(r) + ", low", m.Fast, "ns/op"}, Figure{short(r) + ", high", m.Slow, "ns/op"}, Figure{short(r) + ", share of high", 100 * m.Share, "%"})
			}
		}
		if len(rows) == 0 {
			continue
		}
		f.Text = fmt.Sprintf("On %s the samples of %s fall into two groups: %s. Something switches from sample to sample, and one figure describes neither.", in.Label, text.Count(len(rows), "row", "rows"), text.List(rows, evidenceRows))
		out = append(out, f)
	}
	return out
}

// split finds a gap with two samples or more on either side.
func split(xs []float64) (m stats.Modes, ok bool) {
	if len(xs) < 4 {
		return m, false
	}
	xs = slices.Sorted(slices.Values(xs))
	for k := 2; k <= len(xs)-2; k++ {
		gap := math.Log(xs[k] / xs[k-1])
		if gap > math.Log(apart) && math.Log(xs[k-1]/xs[0]) < withinGap*gap && math.Log(xs[len(xs)-1]/xs[k]) < withinGap*gap {
			return stats.Modes{Share: float64(len(xs)-k) / float64(len(xs)), Fast: stats.Median(xs[:k]), Slow: stats.Median(xs[k:])}, true
		}
	}
	return m, false
}

// replicas reports on inputs whose replicas differ from what they replicate.
func replicas(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		if v, ok := a.Control(a.of(i)); !ok {
			out = append(out, Finding{Kind: ControlFailed, Severity: Problem, Subject: in.Label, Evidence: []Figure{{"ratio", v.Ratio, "×"}, {"low", v.Lo, "×"}, {"high", v.Hi, "×"}},
				Text: fmt.Sprintf("Control failed on %s: replicas took %s of the time of what they replicate, over all categories. They are the same programs, so the run prefers one of two equals, and none of its verdicts holds.", in.Label, v)})
		}
	}
	return out
}
