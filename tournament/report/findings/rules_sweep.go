package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// waits names sweeps that measure a wait.
func waits(a *Analysis) []Finding {
	var out []Finding
	for _, sweep := range sweepsOf(a.Standings) {
		fits := sleeping(sweep)
		if fits == nil {
			continue
		}
		var fixed []float64
		f := Finding{Kind: Wait, Severity: Warning, Subject: sweep[0].Sweep.Family}
		for _, fit := range fits {
			fixed = append(fixed, fit.Fixed)
			f.Evidence = append(f.Evidence, Figure{fit.Contestant + ", fixed", fit.Fixed, "ns"}, Figure{fit.Contestant + ", for each operation", fit.Base, "ns/op"})
		}
		f.Text = fmt.Sprintf("%s on %s is mostly something fixed, about %s, divided by %s: a sleep, or another wait. It accounts for the shape of the sweep for %s; the sweep says little of what an operation costs.",
			sweep[0].Sweep.Family, a.Inputs[sweep[0].Input].Label, text.Duration(stats.Median(fixed)), sweep[0].Sweep.Param, text.Count(len(fits), "contestant", "contestants"))
		out = append(out, f)
	}
	return out
}

const (
	jump      = 3
	othersMay = 0.6 // the next largest step, as a share of the jump, on the logarithmic scale
)

// jumps names sweeps in which one step changes the figure by far more than all others.
func jumps(a *Analysis) []Finding {
	var out []Finding
	for _, sweep := range sweepsOf(a.Standings) {
		if len(sweep) < sweepLeast || sweep[0].Sweep.Param == "" {
			continue
		}
		var who []string
		f := Finding{Kind: Jump, Severity: Notice, Subject: sweep[0].Sweep.Family}
		for _, e := range sweep[0].Entries {
			from, to, by, ok := steepest(sweep, e.Contestant)
			if !ok {
				continue
			}
			who = append(who, fmt.Sprintf("%s (%s from %g to %g)", e.Contestant, text.Factor(by), from, to))
			f.Evidence = append(f.Evidence, Figure{fmt.Sprintf("%s, from %g to %g", e.Contestant, from, to), by, "×"})
		}
		if len(who) == 0 {
			continue
		}
		f.Text = fmt.Sprintf("%s on %s jumps between neighbours: %s. The other steps are far smaller, so that a limit lies there, of the workload, the scheduler or the design.", sweep[0].Sweep.Family, a.Inputs[sweep[0].Input].Label, text.List(who, evidenceRows))
		out = append(out, f)
	}
	return out
}

func steepest(sweep []*Standing, contestant string) (from, to, by float64, ok bool) {
	var before *Entry
	var steps []float64
	for _, s := range sweep {
		e := s.Entry(contestant)
		if e == nil || e.Place == 0 {
			continue
		}
		if before != nil {
			step := math.Abs(math.Log(e.Figure / before.Figure))
			if len(steps) == 0 || step > slices.Max(steps) {
				from, to, by = before.Row.Sweep.X, e.Row.Sweep.X, math.Exp(step)
			}
			steps = append(steps, step)
		}
		before = e
	}
	if len(steps) < sweepLeast-1 {
		return 0, 0, 0, false
	}
	slices.Sort(steps)
	return from, to, by, by > jump && steps[len(steps)-2] < othersMay*steps[len(steps)-1]
}
