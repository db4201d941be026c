package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A KindName is a kind of category that has contestants, with the words for it.
type KindName struct {
	Kind result.Kind
	Name string
}

// Kinds lists the kinds of category that have contestants.
var Kinds = []KindName{
	{result.KindLoop, "event loops"},
	{result.KindTwin, "corrected loop twins"},
	{result.KindDescriptor, "descriptor readiness"},
	{result.KindPromise, "promises"},
	{group.KindPromiseTwin, "corrected promise twins"},
}

func champions(a *Analysis) []Finding {
	var out []Finding
	for i := range a.Inputs {
		for _, k := range Kinds {
			if published(k.Kind) {
				continue // headlines are of categories that measure what their names say
			}
			if f, ok := a.Champion(i, k); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// Champion finds who leads a kind of category in one input, and by how much. There is none without two contestants.
func (a *Analysis) Champion(input int, k KindName) (Finding, bool) {
	rs := a.Records(input, k.Kind)
	n := len(a.Ranked(input, k.Kind))
	if len(rs) < 2 || n == 0 {
		return Finding{}, false
	}
	label, first, second := a.Inputs[input].Label, rs[0], rs[1]
	f := Finding{Kind: Champion, Subject: first.Contestant, Evidence: []Figure{
		{"wins of " + first.Contestant, float64(first.Wins), "categories"},
		{"wins of " + second.Contestant, float64(second.Wins), "categories"},
		{"time of " + first.Contestant + " relative to the best", first.RelativeToBest.Center, "×"},
		{"time of " + second.Contestant + " relative to the best", second.RelativeToBest.Center, "×"},
	}}
	if first.Wins == second.Wins {
		f.Severity, f.Subject = Notice, label
		f.Text = fmt.Sprintf("On %s no contestant leads the %s: %s and %s win %s of %s each beyond the noise.", label, k.Name, first.Contestant, second.Contestant, orNone(first.Wins), plural(n, "category", "categories"))
		if first.Wins == 0 {
			f.Text = fmt.Sprintf("On %s nobody is ahead of all others beyond the noise in any of the %d categories of %s. Nearest to the best over all of them is %s, with %s of its time.", label, n, k.Name, nearest(rs).Contestant, Factor(nearest(rs).RelativeToBest.Center))
		}
		return f, true
	}
	f.Text = fmt.Sprintf("On %s %s leads the %s: it wins %d of %s beyond the noise, the runner-up %s %s. Over all categories its times are %s the best, those of %s %s (geometric means).",
		label, first.Contestant, k.Name, first.Wins, plural(n, "category", "categories"), second.Contestant, orNone(second.Wins),
		Factor(first.RelativeToBest.Center), second.Contestant, Factor(second.RelativeToBest.Center))
	return f, true
}

// nearest is the record with the lowest time relative to the best.
func nearest(rs []*Record) *Record {
	return slices.MinFunc(rs, func(x, y *Record) int { return compareDesc(y.RelativeToBest.Center, x.RelativeToBest.Center) })
}

func orNone(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

func leads(a *Analysis) []Finding {
	var out []Finding
	for _, s := range a.Standings {
		first, second := s.First(), s.RunnerUp()
		if second == nil || s.Void != "" {
			continue
		}
		c := second.Contrast
		f := Finding{Kind: Lead, Subject: s.Category, Evidence: []Figure{
			{first.Contestant, first.Figure, "ns/op"}, {second.Contestant, second.Figure, "ns/op"},
			{"ratio", c.Ratio, "×"}, {"replicates", float64(c.N), ""}, {"p", c.P, ""}, {"noise floor", s.Contest.Floor, "share"},
		}}
		where := fmt.Sprintf("%s on %s", s.Category, a.Inputs[s.Input].Label)
		switch {
		case c.N < 2:
			f.Severity = Notice
			f.Text = fmt.Sprintf("%s: %s is %s, with a single sample each, which says nothing of the noise.", where, first.Contestant, Faster(c.Ratio, second.Contestant))
		case second.Outcome == stats.Equivalent:
			f.Text = fmt.Sprintf("%s: %s and %s are equivalent, less than %.0f%% apart.", where, first.Contestant, second.Contestant, 100*stats.Margin)
		case s.Contest.Outcome != stats.Ahead:
			f.Text = fmt.Sprintf("%s is undecided between %s and %s: these samples would fit anything from %s to %s.", where, first.Contestant, second.Contestant, times(c.Lo), times(c.Hi))
		default:
			f.Text = fmt.Sprintf("%s: %s is %s (95%% interval of the ratio %s to %s).", where, first.Contestant, Faster(c.Ratio, second.Contestant), times(c.Lo), times(c.Hi))
		}
		out = append(out, f)
	}
	return out
}

// Faster says how much faster something is than another, in words that fit the size of the ratio.
func Faster(ratio float64, than string) string {
	switch {
	case ratio >= 1.95:
		return fmt.Sprintf("%s times as fast as %s", strings.TrimSuffix(Factor(ratio), "×"), than)
	case ratio >= 1.005:
		return fmt.Sprintf("%.0f%% faster than %s", 100*(ratio-1), than)
	}
	return "as fast as " + than
}

// times prints a ratio that may be below 1.
func times(v float64) string {
	switch {
	case v >= 9.95:
		return fmt.Sprintf("%.0f×", v)
	case v >= 0.01:
		return fmt.Sprintf("%.2f×", v)
	}
	return "less than 0.01×"
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
				listed(fast), Nanoseconds(ranked[at-1].Figure), listed(slow), Nanoseconds(ranked[at].Figure), Factor(gap))}
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
				s.Category, a.Inputs[s.Input].Label, len(ranked), percent(spread), Nanoseconds(ranked[0].Figure))}
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
		c := stats.Compare(best.Row.Cells[k.input].Ns(), worst.Row.Cells[k.input].Ns())
		if len(points) < 3 || worst.Figure < risingAgain*best.Figure || c.Verdict(a.Alpha) != stats.Faster {
			continue
		}
		f := Finding{Kind: InverseScale, Severity: Notice, Subject: k.contestant,
			Text: fmt.Sprintf("%s on %s gets slower again as %s of %s grows: %s at %g, %s at %g (%s).", k.contestant, a.Inputs[k.input].Label,
				best.Row.Sweep.Param, k.family, Nanoseconds(best.Figure), best.Row.Sweep.X, Nanoseconds(worst.Figure), worst.Row.Sweep.X, Factor(worst.Figure/best.Figure))}
		for _, p := range points {
			f.Evidence = append(f.Evidence, Figure{fmt.Sprintf("%s=%g", p.Row.Sweep.Param, p.Row.Sweep.X), p.Figure, "ns/op"})
		}
		out = append(out, f)
	}
	return out
}
