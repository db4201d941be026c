package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/stats"
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
			low, high, ok := split(r.Cells[i].Ns())
			if !ok {
				continue
			}
			rows = append(rows, short(r))
			if len(f.Evidence) < evidenceFigures {
				f.Evidence = append(f.Evidence, Figure{short(r) + ", low", low, "ns/op"}, Figure{short(r) + ", high", high, "ns/op"})
			}
		}
		if len(rows) == 0 {
			continue
		}
		f.Text = fmt.Sprintf("On %s the samples of %s fall into two groups with a gap between them: %s. Something switches from sample to sample, and one figure describes neither.", in.Label, plural(len(rows), "row", "rows"), listed(rows))
		out = append(out, f)
	}
	return out
}

// split finds a gap with two samples or more on either side.
func split(xs []float64) (low, high float64, ok bool) {
	if len(xs) < 4 {
		return 0, 0, false
	}
	xs = slices.Sorted(slices.Values(xs))
	for k := 2; k <= len(xs)-2; k++ {
		gap := math.Log(xs[k] / xs[k-1])
		if gap > math.Log(apart) && math.Log(xs[k-1]/xs[0]) < withinGap*gap && math.Log(xs[len(xs)-1]/xs[k]) < withinGap*gap {
			return stats.Median(xs[:k]), stats.Median(xs[k:]), true
		}
	}
	return 0, 0, false
}

const (
	unequal       = 30
	fewOperations = 1000
)

// unequalWork names categories whose contestants did very different numbers of operations, some few.
func unequalWork(a *Analysis) []Finding {
	var out []Finding
	for _, s := range a.Standings {
		var least, most *Entry
		of := func(e *Entry) float64 {
			n := e.Row.Cells[s.Input].Samples
			return float64(n[len(n)/2].N)
		}
		for _, e := range s.Entries[:s.ranked()] {
			if least == nil || of(e) < of(least) {
				least = e
			}
			if most == nil || of(e) > of(most) {
				most = e
			}
		}
		if least == nil || of(least) == 0 || of(least) >= fewOperations || of(most) < unequal*of(least) {
			continue
		}
		out = append(out, Finding{Kind: UnequalWork, Severity: Warning, Subject: s.Category,
			Evidence: []Figure{{"operations of " + most.Contestant, of(most), ""}, {"operations of " + least.Contestant, of(least), ""}},
			Text: fmt.Sprintf("%s on %s is not the same work for all: %s did %s operations in a sample, %s %s. What comes in bursts, or once in a sample, weighs differently.", s.Category, a.Inputs[s.Input].Label,
				most.Contestant, count(of(most)), least.Contestant, count(of(least)))})
	}
	return out
}

func count(v float64) string { return fmt.Sprintf("%.0f", v) }

// secondEntries reports on contestants that were entered twice.
func secondEntries(a *Analysis) []Finding {
	var out []Finding
	for _, s := range a.Standings {
		if s.Again == nil || !s.Again.Apart {
			continue
		}
		out = append(out, Finding{Kind: ToldApart, Severity: Problem, Subject: s.Category, Evidence: []Figure{{"ratio", s.Again.Ratio, "×"}, {"p", s.Again.P, ""}},
			Text: fmt.Sprintf("%s on %s tells two entries of %s apart, by %s: its noise is not what the test takes it for, and its verdicts are not to be relied on.", s.Category, a.Inputs[s.Input].Label, s.Again.First, percent(math.Abs(s.Again.Ratio-1)))})
	}
	return out
}
