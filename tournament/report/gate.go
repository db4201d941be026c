package report

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// gate reports the regressions of all pairs and returns the exit code. A gate that cannot see is an error: rows without
// repeated samples could hide any regression.
func (c *command) gate(as []*findings.Analysis) int {
	found := 0
	say := func(format string, args ...any) { fmt.Fprintf(c.stderr, c.Name()+": "+format+"\n", args...) }
	for _, a := range as {
		for _, p := range a.Pairs {
			tested, blind := 0, 0
			for _, r := range p.Rows {
				if r.A.N > 1 && r.B.N > 1 {
					tested++
				}
				if r.Change.Hi > r.Change.Ratio*(1+2*a.Threshold) {
					blind++
				}
			}
			switch {
			case p.Incomparable != "":
				say("cannot look for regressions between %s: %s", a.Name(p), p.Incomparable)
				return exitUsage
			case len(p.Rows) == 0:
				say("%s have no row in common, so that there is nothing to look for regressions in; give runs of the same benchmarks", a.Name(p))
				return exitUsage
			case tested == 0:
				say("no row of %s has two samples on both sides, so that no regression could be told from noise; run the benchmarks with -count=5 or more", a.Name(p))
				return exitUsage
			}
			if untested := len(p.Rows) - tested; untested > 0 {
				say("%s of %s could not be tested for want of samples", text.Count(untested, "row", "rows"), a.Name(p))
			}
			if onlyA, onlyB := oneSided(a, p); onlyA+onlyB > 0 {
				say("%s only in %s and %s only in %s could not be compared", text.Count(onlyA, "row", "rows"), a.Inputs[p.A].Label, text.Count(onlyB, "row", "rows"), a.Inputs[p.B].Label)
			}
			if blind > 0 {
				say("%s of %d vary so much that twice the limit would hardly show; take more samples", text.Count(blind, "row", "rows"), len(p.Rows))
			}
			for _, r := range a.Regressions(p) {
				found++
				against := ""
				if r.Change.Controls > 0 {
					against = fmt.Sprintf(", against %s that changed by %+.1f%%", text.Count(r.Change.Controls, "other contestant", "other contestants"), 100*(r.Change.Drift-1))
				}
				fmt.Fprintf(c.stderr, "regression: %s is %.1f%% slower in %s%s: %s ns/op, was %s (ratio %s)\n", r.Row.Label, 100*(r.Change.Ratio-1), a.Inputs[p.B].Label, against,
					text.Thousands(a.Figure(r.Row, p.B), 2), text.Thousands(a.Figure(r.Row, p.A), 2), r.Change.Interval)
			}
		}
	}
	if found > 0 {
		say("%s of more than %.4g%%", text.Count(found, "regression", "regressions"), 100*c.options.Threshold)
		return exitFailed
	}
	return exitOK
}
