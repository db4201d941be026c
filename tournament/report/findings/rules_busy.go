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

// reference is the contestant that the others are set against between conditions: a goroutine that receives from a channel.
const reference = "Channel"

// collapsing is the factor by which a ratio to the reference changes when a contestant collapses.
const collapsing = 10

// condition is the part of a category's name that says under which condition it ran. Without it nothing else ran.
const condition, unconditioned = "/computing=", "none"

// A situated sample is what one contestant measured in one unit under one condition.
type situated map[string]map[string][]stats.Point // by unit, then contestant

// collapses names contestants whose ratio to the reference changes by more than ten times between conditions: beyond the
// noise of both conditions, and by more than a replica changes against its first entry.
func collapses(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		families, order := a.situations(i)
		for _, family := range order {
			idle := families[family][unconditioned]
			for _, busy := range conditionsOf {
				out = append(out, collapsed(in.Label, family, busy, idle, families[family][busy])...)
			}
		}
	}
	return out
}

// conditionsOf are the conditions under which something else runs, mildest first.
var conditionsOf = []string{"P", "2P"}

// situations sorts the samples of an input by category without its condition, then by condition.
func (a *Analysis) situations(input int) (families map[string]map[string]situated, order []string) {
	families = make(map[string]map[string]situated)
	add := func(category, unit, contestant string, ps []stats.Point) {
		family, under, ok := strings.Cut(category, condition)
		if !ok {
			under = unconditioned
		}
		if families[family] == nil {
			families[family] = make(map[string]situated)
			order = append(order, family)
		}
		s := families[family][under]
		if s == nil {
			s = make(situated)
			families[family][under] = s
		}
		if s[unit] == nil {
			s[unit] = make(map[string][]stats.Point)
		}
		s[unit][contestant] = ps
	}
	for _, r := range a.Rows {
		if c := r.Cells[input]; c.Measured() && r.Contestant != "" {
			ps := c.Points()
			add(r.Category, "ns/op", r.Contestant, ps)
			if tail := c.Metrics["p99-ns"]; len(tail) == len(ps) {
				add(r.Category, "p99-ns", r.Contestant, replaced(ps, tail))
			}
		}
	}
	for _, r := range a.Inputs[input].Loads {
		if len(r.Samples) > 0 && !r.Control {
			add(r.Category, "p99-ns", r.Contestant, loadPoints(r.Samples, func(s *result.Sample) float64 { return s.NsPerOp }))
			add(r.Category, "p50-ns", r.Contestant, loadPoints(r.Samples, func(s *result.Sample) float64 { return s.Metrics["p50-ns"] }))
		}
	}
	return families, order
}

func replaced(ps []stats.Point, values []float64) []stats.Point {
	out := make([]stats.Point, len(ps))
	for i, p := range ps {
		p.X = math.Max(values[i], 1)
		out[i] = p
	}
	return out
}

func loadPoints(samples []result.Sample, of func(*result.Sample) float64) []stats.Point {
	out := make([]stats.Point, len(samples))
	for i := range samples {
		s := &samples[i]
		out[i] = stats.Point{Process: s.Process, Round: s.Round, X: math.Max(of(s), 1)}
	}
	return out
}

func collapsed(label, family, under string, idle, busy situated) []Finding {
	var out []Finding
	for _, unit := range []string{"ns/op", "p50-ns", "p99-ns"} {
		was, is := idle[unit], busy[unit]
		for _, contestant := range slices.Sorted(maps.Keys(is)) {
			if _, again := result.ReplicaOf(contestant); again || contestant == reference {
				continue
			}
			then, ok := compared(was[reference], was[contestant])
			now, also := compared(is[reference], is[contestant])
			if !ok || !also || now.lo/then.hi <= collapsing*noiseBetween(contestant, was, is) {
				continue
			}
			out = append(out, Finding{Kind: Collapse, Severity: Warning, Subject: contestant,
				Text: fmt.Sprintf("%s on %s collapses beside goroutines that compute (%s): in %s it takes %s the time of %s there, and %s beside nothing (%s).",
					contestant, label, under, family, text.Factor(now.ratio), reference, text.Factor(then.ratio), unit),
				Evidence: []Figure{
					{contestant + ", " + under, stats.Figure(is[contestant]), "ns"}, {reference + ", " + under, stats.Figure(is[reference]), "ns"},
					{contestant + ", " + unconditioned, stats.Figure(was[contestant]), "ns"}, {reference + ", " + unconditioned, stats.Figure(was[reference]), "ns"},
					{"change of the ratio", now.ratio / then.ratio, "×"}, {"at least", now.lo / then.hi, "×"}}})
		}
	}
	return out
}

// compared contrasts two contestants, if both have at least two replicates.
func compared(first, other []stats.Point) (ratioInterval, bool) {
	v := ratioBetween(first, other)
	return v, v.n >= 2
}

// noiseBetween is the factor by which the replica of a contestant changes against its first entry between two conditions,
// 1 without a replica.
func noiseBetween(contestant string, was, is map[string][]stats.Point) float64 {
	then, ok := compared(was[contestant], replicaPoints(was, contestant))
	now, also := compared(is[contestant], replicaPoints(is, contestant))
	if !ok || !also {
		return 1
	}
	return math.Exp(math.Abs(math.Log(now.ratio / then.ratio)))
}

// replicaPoints are those of the contestant's replica, whatever the result calls it.
func replicaPoints(of map[string][]stats.Point, contestant string) []stats.Point {
	for name, points := range of {
		if first, ok := result.ReplicaOf(name); ok && first == contestant {
			return points
		}
	}
	return nil
}
