package findings

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

const risingAgain = 1.25

// inverseScaling looks at sweeps of burst sizes and of producers, where an operation is always one task.
// In a sweep without a named parameter, such as the depth of a chain, an operation grows with the number.
func inverseScaling(a *Analysis) (out []Finding) {
	sweeps := sweepsOf(a.Standings)
	all := 0
	for _, sweep := range sweeps {
		all += len(sweep[0].Entries)
	}
	rule := stats.Rule{Categories: all, Level: a.Level}
	for _, sweep := range sweeps {
		if sweep[0].Sweep.Param == "" {
			continue
		}
		input := sweep[0].Input
		for _, first := range sweep[0].Entries {
			var es []*Entry
			for _, s := range sweep {
				if e := s.Entry(first.Contestant); e != nil && e.Dubious == "" {
					es = append(es, e)
				}
			}
			if len(es) < 3 {
				continue
			}
			best := slices.MinFunc(es, func(x, y *Entry) int { return compareDesc(y.Figure, x.Figure) })
			worst := best
			for _, p := range es {
				if p.Row.Sweep.X > best.Row.Sweep.X && p.Figure > worst.Figure {
					worst = p
				}
			}
			c := rule.Separate(stats.Clusters(points(best, input)), stats.Clusters(points(worst, input)))
			if c.Verdict != stats.Ahead || worst.Figure < risingAgain*best.Figure*replicaNoise(sweep) {
				continue
			}
			f := Finding{Kind: InverseScale, Severity: Notice, Subject: first.Contestant,
				Text: fmt.Sprintf("%s on %s gets slower as %s of %s grows: %s at %g, %s at %g (%s).", first.Contestant, a.Inputs[input].Label, best.Row.Sweep.Param, sweep[0].Sweep.Family,
					text.Duration(best.Figure), best.Row.Sweep.X, text.Duration(worst.Figure), worst.Row.Sweep.X, text.Factor(worst.Figure/best.Figure))}
			for _, p := range es {
				f.Evidence = append(f.Evidence, Figure{fmt.Sprintf("%s=%g", p.Row.Sweep.Param, p.Row.Sweep.X), p.Figure, "ns/op"})
			}
			out = append(out, f)
		}
	}
	return out
}

// replicaNoise is the largest factor between a contestant and its replica at any point of a sweep, 1 without replicas.
func replicaNoise(sweep []*Standing) float64 {
	noise := 1.0
	for _, s := range sweep {
		if s.Replica != nil {
			if first := s.Entry(s.Replica.First); first != nil && first.Figure > 0 && s.Replica.Figure > 0 {
				noise = math.Max(noise, math.Max(first.Figure/s.Replica.Figure, s.Replica.Figure/first.Figure))
			}
		}
	}
	return noise
}

// reference is the contestant that the others are set against between conditions: a goroutine that receives from a channel.
const reference = "Channel"

// collapsing is the factor by which a ratio to the reference changes when a contestant collapses.
const collapsing = 10

// condition is the part of a category's name that says under which condition it ran. Without it nothing else ran.
const condition = "/computing="

// A situation is the samples of each contestant in one category and unit, under one condition.
type situation map[string][]stats.Point

// collapses names contestants whose ratio to the reference changes by more than ten times between conditions: beyond the
// noise of both conditions, and by more than a replica changes against its first entry.
func collapses(a *Analysis) (out []Finding) {
	type key struct{ family, unit, under string }
	for i, in := range a.Inputs {
		all := make(map[key]situation)
		var order []key
		add := func(category, unit, contestant string, ps []stats.Point, values []float64) {
			family, under, ok := strings.Cut(category, condition)
			if !ok {
				under = result.Idle.String()
			}
			k := key{family, unit, under}
			if all[k] == nil {
				all[k] = make(situation)
				order = append(order, k)
			}
			ps = slices.Clone(ps)
			for j := range ps {
				ps[j].X = math.Max(values[j], 1)
			}
			all[k][contestant] = ps
		}
		for _, r := range a.Rows {
			if c := r.Cells[i]; c.Measured() && r.Contestant != "" {
				add(r.Category, "ns/op", r.Contestant, c.Points(), c.Ns())
				if tail := c.Metrics["p99-ns"]; len(tail) == len(c.Samples) {
					add(r.Category, "p99-ns", r.Contestant, c.Points(), tail)
				}
			}
		}
		for j := range in.Loads {
			r := &in.Loads[j]
			for unit, of := range map[string]func(s result.Sample) float64{"p99-ns": func(s result.Sample) float64 { return s.NsPerOp }, "p50-ns": func(s result.Sample) float64 { return s.Metrics["p50-ns"] }} {
				var values []float64
				for _, s := range r.Samples {
					values = append(values, of(s))
				}
				if values != nil && !r.Control {
					add(r.Category, unit, r.Contestant, stats.EntrantOf(r).Points, values)
				}
			}
		}
		slices.SortStableFunc(order, func(x, y key) int { return strings.Compare(x.unit, y.unit) }) // of a map
		for _, k := range order {
			if k.under != result.Idle.String() {
				out = append(out, collapsed(in.Label, k.family, k.unit, k.under, all[key{k.family, k.unit, result.Idle.String()}], all[k])...)
			}
		}
	}
	return out
}

func collapsed(label, family, unit, under string, was, is situation) (out []Finding) {
	for _, contestant := range slices.Sorted(maps.Keys(is)) {
		if _, replica := result.ReplicaOf(contestant); replica || contestant == reference {
			continue
		}
		then, now := ratioOf(was[reference], was[contestant]), ratioOf(is[reference], is[contestant])
		if !(now.Lo/then.Hi > collapsing*noiseBetween(contestant, was, is)) {
			continue
		}
		out = append(out, Finding{Kind: Collapse, Severity: Warning, Subject: contestant,
			Text: fmt.Sprintf("%s on %s collapses beside goroutines that compute (%s): in %s it takes %s the time of %s there, and %s beside nothing (%s).",
				contestant, label, under, family, text.Factor(now.Ratio), reference, text.Factor(then.Ratio), unit),
			Evidence: []Figure{
				{contestant + ", " + under, stats.Figure(is[contestant]), "ns"}, {reference + ", " + under, stats.Figure(is[reference]), "ns"},
				{contestant + ", none", stats.Figure(was[contestant]), "ns"}, {reference + ", none", stats.Figure(was[reference]), "ns"},
				{"change of the ratio", now.Ratio / then.Ratio, "×"}, {"at least", now.Lo / then.Hi, "×"}}})
	}
	return out
}

// noiseBetween is the factor by which the replica of a contestant changes against its first entry between two conditions,
// 1 without a replica.
func noiseBetween(contestant string, was, is situation) float64 {
	replica := contestant + result.ReplicaSuffix
	then, now := ratioOf(was[contestant], was[replica]), ratioOf(is[contestant], is[replica])
	if then.N < 2 || now.N < 2 {
		return 1
	}
	return math.Exp(math.Abs(math.Log(now.Ratio / then.Ratio)))
}
