package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A KindName is a kind of category that has contestants, with the words for it.
type KindName struct {
	Kind result.Kind
	Name string
}

// Kinds lists the kinds of category that have contestants.
var Kinds = []KindName{
	{result.KindLoop, "event loops"},
	{result.KindTwin, "corrected event loops"},
	{result.KindBusy, "loops on a busy machine"},
	{result.KindDescriptor, "descriptor readiness"},
	{result.KindPromise, "promises"},
	{group.KindPromiseTwin, "corrected promises"},
}

const gapFactor = 5

func latencyGaps(a *Analysis) []Finding {
	var out []Finding
	for _, s := range a.Standings {
		if !strings.Contains(s.Category, "Latency") || s.Sweep.Family != "" {
			continue
		}
		at, widest := 0, 0.0
		for i := 1; i < s.ranked(); i++ {
			if r := s.Entries[i].Figure / s.Entries[i-1].Figure; r > widest {
				at, widest = i, r
			}
		}
		if widest < gapFactor {
			continue
		}
		ranked := s.Entries[:s.ranked()]
		fast, slow := names(ranked[:at]), names(ranked[at:])
		gap := ranked[at].Figure / ranked[0].Figure
		f := Finding{Kind: LatencyGap, Severity: Notice, Subject: s.Category,
			Text: fmt.Sprintf("%s on %s splits the contestants: %s at up to %s, %s at %s or more. The gap from the best is %s.", s.Category, a.Inputs[s.Input].Label,
				text.List(fast, evidenceRows), text.Duration(ranked[at-1].Figure), text.List(slow, evidenceRows), text.Duration(ranked[at].Figure), text.Factor(gap))}
		for _, e := range ranked {
			f.Evidence = append(f.Evidence, Figure{e.Contestant, e.Figure, "ns/op"})
		}
		out = append(out, f)
	}
	return out
}

func names(es []*Entry) []string {
	var out []string
	for _, e := range es {
		out = append(out, e.Contestant)
	}
	return out
}

func convergence(a *Analysis) []Finding {
	var out, found = []Finding(nil), []*Standing(nil)
	for i := range a.Inputs {
		found = append(found, alike(a.of(i))...)
	}
	for _, s := range a.Standings {
		if !slices.Contains(found, s) {
			continue
		}
		ranked := s.Entries[:s.ranked()]
		spread := s.spread()
		f := Finding{Kind: Convergence, Severity: Warning, Subject: s.Category,
			Text: fmt.Sprintf("%s on %s: all %d contestants are within %s of each other at %s. Designs that differ elsewhere do not agree so closely: the benchmark probably measures something they share, such as a sleep or the clock. It names no winner.",
				s.Category, a.Inputs[s.Input].Label, len(ranked), text.Percent(spread), text.Duration(ranked[0].Figure))}
		for _, e := range ranked {
			f.Evidence = append(f.Evidence, Figure{e.Contestant, e.Figure, "ns/op"})
		}
		out = append(out, f)
	}
	return out
}

const risingAgain = 1.25

// inverseScaling looks at sweeps of burst sizes and of producers, where an operation is one task whatever the number.
// In a sweep without a named parameter, such as the depth of a chain, an operation grows with the number.
func inverseScaling(a *Analysis) []Finding {
	type key struct {
		input              int
		family, contestant string
	}
	sweeps := make(map[key][]*Entry)
	var order []key
	for _, s := range a.Standings {
		if s.Sweep.Param == "" {
			continue
		}
		for _, e := range s.Entries {
			if e.Dubious != "" {
				continue
			}
			k := key{s.Input, s.Sweep.Family, e.Contestant}
			if sweeps[k] == nil {
				order = append(order, k)
			}
			sweeps[k] = append(sweeps[k], e)
		}
	}
	var out []Finding
	for _, k := range order {
		points := sweeps[k]
		slices.SortStableFunc(points, func(x, y *Entry) int { return compareDesc(y.Row.Sweep.X, x.Row.Sweep.X) })
		best := slices.MinFunc(points, func(x, y *Entry) int { return compareDesc(y.Figure, x.Figure) })
		worst := best
		for _, p := range points {
			if p.Row.Sweep.X > best.Row.Sweep.X && p.Figure > worst.Figure {
				worst = p
			}
		}
		rule := stats.Rule{Categories: len(order), Level: a.Level}
		c := rule.Separate(stats.Clusters(best.Row.Cells[k.input].Points()), stats.Clusters(worst.Row.Cells[k.input].Points()))
		if len(points) < 3 || worst.Figure < risingAgain*best.Figure || c.Verdict != stats.Ahead {
			continue
		}
		if worst.Figure < risingAgain*best.Figure*a.replicaNoise(k.input, k.family) {
			continue // replicas differ as much
		}
		f := Finding{Kind: InverseScale, Severity: Notice, Subject: k.contestant,
			Text: fmt.Sprintf("%s on %s gets slower as %s of %s grows: %s at %g, %s at %g (%s).", k.contestant, a.Inputs[k.input].Label,
				best.Row.Sweep.Param, k.family, text.Duration(best.Figure), best.Row.Sweep.X, text.Duration(worst.Figure), worst.Row.Sweep.X, text.Factor(worst.Figure/best.Figure))}
		for _, p := range points {
			f.Evidence = append(f.Evidence, Figure{fmt.Sprintf("%s=%g", p.Row.Sweep.Param, p.Row.Sweep.X), p.Figure, "ns/op"})
		}
		out = append(out, f)
	}
	return out
}
