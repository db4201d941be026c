package findings

import (
	"fmt"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A flaw is why a category does not measure what its name says.
type flaw struct {
	*Standing
	kind     Kind
	subject  string // of the finding
	reason   string
	excludes bool // the category decides nothing
	evidence []Figure
}

// published reports whether a kind is of categories as they were published, faults included.
func published(k result.Kind) bool { return k == result.KindLoop || k == result.KindPromise }

// twice is the factor beyond which a category and its corrected version do not measure the same thing.
const twice = 2

// flaws finds the categories of one input that do not measure what their names say.
func flaws(standings []*Standing) (out []flaw) {
	add := func(s *Standing, kind Kind, subject string, excludes bool, format string, args ...any) *flaw {
		out = append(out, flaw{Standing: s, kind: kind, subject: subject, excludes: excludes, reason: fmt.Sprintf(format, args...)})
		return &out[len(out)-1]
	}
	for _, s := range alike(standings) {
		f := add(s, Convergence, s.Category, true, "all %d contestants are within %s of each other, so it measures something they share", s.ranked(), text.Percent(s.spread()))
		for _, e := range s.Entries[:s.ranked()] {
			f.evidence = append(f.evidence, Figure{e.Contestant, e.Figure, "ns/op"})
		}
	}
	for _, sweep := range sweepsOf(standings) {
		fits := sleeping(sweep)
		var evidence []Figure
		for _, fit := range fits {
			evidence = append(evidence, Figure{fit.Contestant + ", fixed", fit.Fixed, "ns"}, Figure{fit.Contestant + ", for each operation", fit.Base, "ns/op"})
		}
		for _, s := range sweep {
			if fits != nil {
				add(s, Wait, s.Sweep.Family, published(s.Kind), "mostly a wait divided by the number that is varied").evidence = evidence
			}
		}
	}
	for i, s := range standings {
		for _, t := range standings[:i] {
			if s.Kind == t.Kind && s.Sweep.Family == "" && t.Sweep.Family == "" && duplicate(t, s) {
				f := add(s, Duplicates, s.Category, published(s.Kind), "the same as %s: every contestant has the same figure in both, though the contestants differ", t.Category)
				for _, e := range s.Entries[:s.ranked()] {
					f.evidence = append(f.evidence, Figure{e.Contestant, e.Figure / t.Entry(e.Contestant).Figure, "×"})
				}
				break
			}
		}
	}
	for _, s := range standings {
		for _, t := range standings {
			if !published(s.Kind) || s.ranked() < 2 || t.TwinOf != s.Category {
				continue
			}
			first := s.First()
			e, w := t.Entry(first.Contestant), t.Winner()
			if slices.ContainsFunc(out, func(f flaw) bool { return f.Standing == t && f.excludes }) {
				w = nil
			}
			if e == nil || e.Place == 0 {
				continue
			}
			factor := e.Figure / first.Figure
			switch {
			case w != nil && w != e:
				add(s, TwinDisagreement, s.Category, true, "its corrected version, %s, has another contestant ahead, %s", t.Category, w.Contestant)
			case factor > twice || factor < 1.0/twice:
				add(s, TwinDisagreement, s.Category, true, "its corrected version, %s, is %s away", t.Category, text.Factor(max(factor, 1/factor)))
			default:
				continue
			}
			out[len(out)-1].evidence = []Figure{{first.Contestant + " in " + s.Category, first.Figure, "ns/op"}, {first.Contestant + " in " + t.Category, e.Figure, "ns/op"}}
		}
	}
	return out
}

// exclude takes the categories that do not measure what their names say out of rankings.
func exclude(standings []*Standing) {
	for _, f := range flaws(standings) {
		if f.excludes && f.Void == "" {
			f.Void = f.reason
		}
	}
}

// flawed names the categories that do not measure what their names say; of a sweep the family once.
func flawed(a *Analysis) (out []Finding) {
	for i, in := range a.Inputs {
		seen := make(map[string]bool)
		for _, f := range flaws(a.of(i)) {
			if key := string(f.kind) + f.subject; !seen[key] {
				seen[key] = true
				severity := Warning
				if f.kind == Duplicates {
					severity = Notice // what it repeats still counts
				}
				out = append(out, Finding{Kind: f.kind, Severity: severity, Subject: f.subject, Text: fmt.Sprintf("%s on %s: %s.", f.subject, in.Label, f.reason), Evidence: f.evidence})
			}
		}
	}
	return out
}

// ratioOf is the ratio of the other's time to the first's in the processes that both have, with its interval.
func ratioOf(first, other []stats.Point) stats.Interval {
	return stats.Product([][]stats.Point{other, first}, []float64{1, -1}, stats.Confidence)
}
