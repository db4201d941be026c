package claims

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
)

// A span is what a range says.
type span struct{ least, most *printed }

func readSpan(text string) (s span, ok bool) {
	bound := func(t string) (*printed, bool) {
		p, ok := readPrinted(t)
		return &p, ok
	}
	if t, found := strings.CutPrefix(text, "<="); found {
		s.most, ok = bound(t)
		return s, ok
	}
	if t, found := strings.CutPrefix(text, ">="); found {
		s.least, ok = bound(t)
		return s, ok
	}
	low, high, found := strings.Cut(text, "..")
	if !found {
		return s, false
	}
	s.least, ok = bound(low)
	if ok {
		s.most, ok = bound(high)
	}
	return s, ok
}

func (s span) holds(v float64) bool {
	return (s.least == nil || v >= s.least.value || s.least.near(v)) && (s.most == nil || v <= s.most.value || s.most.near(v))
}

// within checks figures, or the ratios of figures that belong together, against a range.
func within(d *Document, s *Statement) verdict {
	r, ok := readSpan(s.Value)
	if !ok {
		return unknown
	}
	type figure struct {
		name  string
		value float64
	}
	var figures []figure
	if s.Over == "" {
		for _, c := range d.cells(s.Of) {
			figures = append(figures, figure{c.name(), c.value})
		}
	} else {
		over := d.cells(s.Over)
		sameTable := strings.HasPrefix(s.Over, strings.SplitN(s.Of, ":", 2)[0]+":")
		sameContestant := slices.ContainsFunc(strings.Fields(s.Over), func(o string) bool { return contestantOf(o) == contestantOf(s.Of) })
		for _, c := range d.cells(s.Of) {
			i := slices.IndexFunc(over, func(o cell) bool {
				return o.row.Category == c.row.Category && (!sameTable || o.table == c.table) && (!sameContestant || o.row.Contestant == c.row.Contestant)
			})
			if i >= 0 && over[i].value > 0 {
				figures = append(figures, figure{c.name() + " ÷ " + over[i].name(), c.value / over[i].value})
			}
		}
	}
	if len(figures) == 0 {
		return unknown
	}
	var v verdict
	var outside []string
	least, most := figures[0].value, figures[0].value
	for _, f := range figures {
		least, most = min(least, f.value), max(most, f.value)
		if !r.holds(f.value) {
			outside = append(outside, fmt.Sprintf("%s is %s", f.name, number(f.value)))
			v.evidence = append(v.evidence, findings.Figure{Name: f.name, Value: f.value})
		}
	}
	said := fmt.Sprintf("%s is said to be %s", s.Of, s.Value)
	if s.Over != "" {
		said = fmt.Sprintf("%s beside %s is said to be %s", s.Of, s.Over, s.Value)
	}
	switch {
	case s.Mode == "mostly" && 2*(len(figures)-len(outside)) >= len(figures):
		return verdict{}
	case s.Mode == "mostly":
		v.fault = fmt.Sprintf("%s in most cases; %d of %d are.", said, len(figures)-len(outside), len(figures))
	case outside != nil:
		v.fault = fmt.Sprintf("%s; %s.", said, strings.Join(outside, ", "))
	case s.Mode == "" && r.least != nil && r.most != nil && !(r.least.reaches(least) && r.most.reaches(most)):
		v.fault = fmt.Sprintf("%s; it goes from %s to %s.", said, number(least), number(most))
	}
	return v
}

// reaches reports whether the end of a range that is said to be reached is: within a tenth.
func (p printed) reaches(v float64) bool {
	return p.near(v) || v <= 1.1*p.value && v >= 0.9*p.value
}

// contestantOf is the contestant of a reference, without its unit.
func contestantOf(reference string) string {
	name, _, _ := strings.Cut(reference, "[")
	return name[strings.LastIndexByte(name, '/')+1:]
}
