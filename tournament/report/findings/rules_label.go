package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// mislabelled names categories that have one contestant twice and another not at all, although all other categories of the
// input have both: a row stands under the wrong name.
func mislabelled(a *Analysis) []Finding {
	var out []Finding
	for i, in := range a.Inputs {
		standings := a.of(i)
		for _, s := range standings {
			missing := missingFrom(s, standings)
			if len(missing) != 1 {
				continue
			}
			twice, usual := doubled(s)
			if twice == nil {
				continue
			}
			samples := twice.Row.Cells[i].Samples
			f := Finding{Kind: Mislabelled, Severity: Problem, Subject: s.Category,
				Text: fmt.Sprintf("%s on %s has %s twice, with %s and %s, and lacks %s, which every other category has. One of the two rows is probably that of %s.",
					s.Category, in.Label, twice.Contestant, text.Duration(samples[0].Ns), text.Duration(samples[len(samples)-1].Ns), missing[0], missing[0]),
				Evidence: []Figure{{"rows of " + twice.Contestant, float64(len(samples)), ""}, {"rows of the others", float64(usual), ""}}}
			if allocs, ok := elsewhere(missing[0], standings); ok && samples[0].HasMem {
				f.Evidence = append(f.Evidence, Figure{"allocations of the first", samples[0].Allocs, "allocs/op"}, Figure{"of the last", samples[len(samples)-1].Allocs, "allocs/op"},
					Figure{"of " + missing[0] + " elsewhere", allocs, "allocs/op"})
			}
			out = append(out, f)
		}
	}
	return out
}

// missingFrom lists the contestants that a category lacks and all others of its kind have, of which there are three or more.
func missingFrom(s *Standing, standings []*Standing) []string {
	counts := make(map[string]int)
	others := 0
	for _, o := range standings {
		if o == s || o.Kind != s.Kind {
			continue
		}
		others++
		for _, e := range o.Entries {
			counts[e.Contestant]++
		}
	}
	var out []string
	for name, n := range counts {
		if others >= 3 && n == others && s.Entry(name) == nil && !slices.ContainsFunc(s.Absent, func(x Absence) bool { return x.Contestant == name }) {
			out = append(out, name)
		}
	}
	return out
}

// doubled finds the only contestant that has twice as many samples as each of the others.
func doubled(s *Standing) (twice *Entry, usual int) {
	of := func(r *group.Row) int { return len(r.Cells[s.Input].Samples) }
	usual = math.MaxInt
	for _, e := range s.Entries {
		usual = min(usual, of(e.Row))
	}
	for _, e := range s.Entries {
		switch n := of(e.Row); {
		case n == usual:
		case n == 2*usual && twice == nil:
			twice = e
		default:
			return nil, 0
		}
	}
	return twice, usual
}

// elsewhere is how often a contestant allocates in other categories, in the middle.
func elsewhere(contestant string, standings []*Standing) (allocs float64, ok bool) {
	var all []float64
	for _, s := range standings {
		if e := s.Entry(contestant); e != nil && e.Allocs.N > 0 {
			all = append(all, e.Allocs.Mean)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	slices.Sort(all)
	return all[len(all)/2], true
}
