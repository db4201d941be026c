package findings

import (
	"slices"

	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A Field is the categories of one input that are about one subject: all that decide something, and all that do not.
type Field struct {
	Input   int
	Subject string
	// Decisive are the categories that are not excluded and in which the subject has rivals; of a sweep one point.
	Decisive []*Standing
	// Alone are categories without a rival that has figures.
	Alone []*Standing
	// Excluded are the others that were measured.
	Excluded []*Standing
	// Families are the rivals, the fastest over all categories first.
	Families []Family
}

// A Family is a rival family over all decisive categories that it takes part in.
type Family struct {
	Name       string
	Categories int
	// Interval is the geometric mean of the subject's time to that of the family's default member.
	stats.Interval
}

// Fields splits the categories of an input by their subjects: loops and promises compete with their like.
func (a *Analysis) Fields(input int) []*Field {
	var out []*Field
	for _, s := range a.of(input) {
		subject := s.Contest.Subject
		if subject == "" || !a.Counts(s) {
			continue
		}
		at := slices.IndexFunc(out, func(f *Field) bool { return f.Subject == subject })
		if at < 0 {
			at = len(out)
			out = append(out, &Field{Input: input, Subject: subject})
		}
		switch f := out[at]; {
		case s.Void != "":
			f.Excluded = append(f.Excluded, s)
		case len(s.Contest.Rivals) == 0:
			f.Alone = append(f.Alone, s)
		default:
			f.Decisive = append(f.Decisive, s)
		}
	}
	for _, f := range out {
		f.families()
	}
	return out
}

func (f *Field) families() {
	pairs := make(map[string][][2][]stats.Point)
	var names []string
	for _, s := range f.Decisive {
		for _, r := range s.Contest.Rivals {
			if pairs[r.Name] == nil {
				names = append(names, r.Name)
			}
			pairs[r.Name] = append(pairs[r.Name], [2][]stats.Point{points(s.Subject(), s.Input), points(s.Entry(r.Name), s.Input)})
		}
	}
	for _, n := range names {
		f.Families = append(f.Families, Family{Name: n, Categories: len(pairs[n]), Interval: stats.Overall(pairs[n])})
	}
	slices.SortStableFunc(f.Families, func(x, y Family) int { return compareDesc(x.Ratio, y.Ratio) })
}

// With returns the decisive categories with a verdict.
func (f *Field) With(v stats.Verdict) []*Standing {
	return slices.DeleteFunc(slices.Clone(f.Decisive), func(s *Standing) bool { return s.Contest.Verdict != v })
}
