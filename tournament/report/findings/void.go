package findings

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// published reports whether a kind is of categories as they were published, faults included.
func published(k result.Kind) bool { return k == result.KindLoop || k == result.KindPromise }

// twice is the factor beyond which a category and its twin do not measure the same thing.
const twice = 2

// A Disagreement is a published category whose twin says something else.
type Disagreement struct {
	Published, Twin *Standing
	// Factor is the twin's figure over that of the category, for the contestant that is first in the category.
	Factor float64
	// Other is who is ahead of that contestant in the twin; nil if nobody is.
	Other *Entry
}

// disagreements finds published categories whose twin has another winner, or figures more than twice as far.
func disagreements(standings []*Standing) []Disagreement {
	var out []Disagreement
	for _, s := range standings {
		if !published(s.Kind) || s.ranked() < 2 {
			continue
		}
		for _, t := range standings {
			if t.Input != s.Input || t.TwinOf != s.Category {
				continue
			}
			e := t.Entry(s.First().Contestant)
			if e == nil || e.Place == 0 {
				continue
			}
			d := Disagreement{Published: s, Twin: t, Factor: e.Figure / s.First().Figure}
			if w := t.Winner(); w != nil && w != e {
				d.Other = w
			}
			if d.Other != nil || d.Factor > twice || d.Factor < 1.0/twice {
				out = append(out, d)
			}
		}
	}
	return out
}

// A Twinned pair of categories measures one thing under two names.
type Twinned struct{ First, Second *Standing }

// duplicates finds categories that measure one thing, the one listed first named first. A category and its twin may.
func duplicates(standings []*Standing) []Twinned {
	var out []Twinned
	for i, s := range standings {
		for _, t := range standings[:i] {
			if s.Kind == t.Kind && s.Input == t.Input && s.Sweep.Family == "" && t.Sweep.Family == "" && duplicate(t, s) {
				out = append(out, Twinned{t, s})
				break
			}
		}
	}
	return out
}

// void finds the categories that give no win, and says why.
func void(standings []*Standing) {
	set := func(s *Standing, format string, args ...any) {
		if s.Void == "" {
			s.Void = fmt.Sprintf(format, args...)
		}
	}
	for _, s := range alike(standings) {
		set(s, "all %d contestants are within %s of each other, so it measures something they share", s.ranked(), text.Percent(s.spread()))
	}
	for _, sweep := range sweepsOf(standings) {
		if sleeping(sweep) != nil {
			for _, s := range sweep {
				if published(s.Kind) {
					set(s, "mostly a wait divided by the number that is varied")
				}
			}
		}
	}
	for _, d := range duplicates(standings) {
		if published(d.Second.Kind) {
			set(d.Second, "the same as %s", d.First.Category)
		}
	}
	for _, d := range disagreements(standings) {
		switch {
		case d.Other != nil:
			set(d.Published, "its corrected version, %s, has another contestant ahead, %s", d.Twin.Category, d.Other.Contestant)
		default:
			set(d.Published, "its corrected version, %s, is %s away", d.Twin.Category, text.Factor(max(d.Factor, 1/d.Factor)))
		}
	}
}
