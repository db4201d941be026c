package findings

import (
	"cmp"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A Standing ranks the contestants of one category in one input.
type Standing struct {
	Input    int
	Category string
	Kind     result.Kind
	Sweep    group.Sweep
	// Entries are those with a figure, lowest first. Entries that cannot be true come last and have no place.
	Entries []*Entry
	// Absent are the contestants without a figure, with the reason.
	Absent []Absence
	TwinOf string

	// Contest says how the default member of the first family that takes part stands to those of the others.
	Contest stats.Contest
	// Variants are the other members of families. They have no place.
	Variants []*Entry
	// winner is the rival that is ahead of all others, where the subject is behind.
	winner *Entry
	// Replica is the second entry of a contestant, or nil. It has no place.
	Replica *Replica
	// Void is the reason for excluding the category, or empty.
	Void string
}

// A Replica is a contestant that was entered a second time. Its difference from the first entry is noise.
type Replica struct {
	*Entry
	First          string
	stats.Interval // of the replica's time to that of the first entry
}

// An Entry is one contestant in a standing.
type Entry struct {
	Row        *group.Row
	Contestant string
	*Cell
	// Figure is what the entry is ranked by: see [stats.Figure].
	Figure float64
	// Place is 1 for the lowest figure; 0 if Dubious.
	Place int
	// Versus has the ratio of the subject's time to that of the entry, and the verdict on the subject; zero for the subject itself.
	Versus stats.Rival
	// Dubious is why the figure is not believed.
	Dubious string
}

// An Absence is a contestant that has no figure in a category.
type Absence struct{ Contestant, Why string }

// Winner returns the entry that is ahead of all others, or nil. A category without rivals, or one that is excluded, has no winner. Where
// the subject is behind, it is the fastest entry, if the rule finds that ahead with the fastest as the subject.
func (s *Standing) Winner() *Entry {
	if s.Void != "" {
		return nil
	}
	switch s.Contest.Verdict {
	case stats.Ahead:
		return s.Entry(s.Contest.Subject)
	case stats.Behind:
		return s.winner
	}
	return nil
}

// Subject returns the entry of the contestant that the category is about, or nil.
func (s *Standing) Subject() *Entry { return s.Entry(s.Contest.Subject) }

// First returns the believable entry with the lowest figure, or nil.
func (s *Standing) First() *Entry {
	if s.ranked() == 0 {
		return nil
	}
	return s.Entries[0]
}

// Entry returns the entry of a contestant, or nil.
func (s *Standing) Entry(contestant string) *Entry {
	for _, e := range slices.Concat(s.Entries, s.Variants) {
		if e.Contestant == contestant {
			return e
		}
	}
	return nil
}

func (s *Standing) ranked() int {
	n := 0
	for _, e := range s.Entries {
		if e.Place > 0 {
			n++
		}
	}
	return n
}

// standings ranks the categories of one input that have contestants.
func (a *Analysis) standings(input int) []*Standing {
	var out []*Standing
	byName := make(map[string]*Standing)
	for _, r := range a.Rows {
		c := r.Cells[input]
		if c == nil || r.Contestant == "" {
			continue
		}
		s := byName[r.Category]
		if s == nil {
			s = &Standing{Input: input, Category: r.Category, Kind: r.Kind, Sweep: r.Sweep, TwinOf: c.TwinOf}
			byName[r.Category] = s
			out = append(out, s)
		}
		if len(c.Samples) == 0 {
			s.Absent = append(s.Absent, Absence{r.Contestant, cmp.Or(c.NotApplicable, c.Error, "no figures")})
			continue
		}
		cell := a.Cell(r, input)
		e := &Entry{Row: r, Contestant: r.Contestant, Cell: cell, Dubious: impossible(cell), Figure: stats.Figure(c.Points())}
		entrant := &result.Row{Contestant: r.Contestant, Family: c.Family}
		if s.Void == "" {
			s.Void = c.Excluded
		}
		if first, ok := result.ReplicaOf(r.Contestant); ok {
			s.Replica = &Replica{Entry: e, First: first}
			continue
		}
		if entrant.FamilyOf() != r.Contestant {
			s.Variants = append(s.Variants, e)
			continue
		}
		s.Entries = append(s.Entries, e)
	}
	rule := stats.Rule{Categories: len(out), Level: a.Level}
	for _, s := range out {
		a.inOrder(s)
		a.contest(s, rule)
		if input == 0 && s.Contest.Subject != "" && !slices.Contains(a.subjects, s.Contest.Subject) {
			a.subjects = append(a.subjects, s.Contest.Subject)
		}
		a.rank(s)
		if s.Sweep.Family != "" {
			k := sweepKey{input, s.Sweep.Family}
			a.sweeps[k] = append(a.sweeps[k], s.Sweep.X)
		}
	}
	for k, xs := range a.sweeps {
		if k.input == input {
			slices.Sort(xs)
		}
	}
	exclude(out)
	if _, ok := a.Control(out); !ok {
		for _, s := range out {
			s.Contest.Retract()
		}
	}
	return out
}

// inOrder puts the entries of a category in the order of their input. Of several inputs all are about the subjects of the first.
func (a *Analysis) inOrder(s *Standing) {
	line := func(e *Entry) int {
		if slices.Contains(a.subjects, e.Contestant) {
			return -1
		}
		return e.Row.Cells[s.Input].Line
	}
	slices.SortStableFunc(s.Entries, func(x, y *Entry) int { return cmp.Compare(line(x), line(y)) })
}

// contest decides a category. The entries are still in the order of the result, the subject first.
func (a *Analysis) contest(s *Standing, rule stats.Rule) {
	var entrants []stats.Entrant
	add := func(e *Entry, replica bool) {
		row := &result.Row{Contestant: e.Contestant, Family: e.Row.Cells[s.Input].Family}
		entrant := stats.Entrant{Name: e.Contestant, Family: row.FamilyOf(), Replica: replica, Cost: e.Row.Cells[s.Input].Cost}
		if e.Dubious == "" {
			entrant.Points = points(e, s.Input)
		}
		entrants = append(entrants, entrant)
	}
	for _, e := range s.Entries {
		add(e, false)
	}
	if len(entrants) == 0 {
		return
	}
	for _, e := range s.Variants {
		add(e, false)
	}
	if s.Replica != nil && s.Replica.Dubious == "" {
		add(s.Replica.Entry, true)
	}
	s.Contest = rule.Contest(entrants)
	if s.Contest.Verdict == stats.Behind {
		// The same figures show the fastest, so any of them might have been it.
		any := stats.Rule{Categories: rule.Categories * len(s.Entries), Level: rule.Level}
		fastest := slices.MinFunc(s.Entries, func(x, y *Entry) int { return compareDesc(y.Figure, x.Figure) })
		at := slices.Index(s.Entries, fastest)
		entrants := slices.Clone(entrants)
		entrants[0], entrants[at] = entrants[at], entrants[0]
		if c := any.Contest(entrants); c.Verdict == stats.Ahead {
			s.winner = fastest
		}
	}
	for _, r := range slices.Concat(s.Contest.Rivals, s.Contest.Variants) {
		s.Entry(r.Name).Versus = r
	}
	if s.Contest.Replica != nil {
		s.Replica.Interval = s.Contest.Replica.Interval
	}
}

// Control judges the replicas of some categories: see [stats.Control].
func (a *Analysis) Control(standings []*Standing) (stats.Interval, bool) {
	var ratios []float64
	for _, s := range standings {
		if s.Void == "" && s.Replica != nil && s.Replica.N >= stats.Looks[0] {
			ratios = append(ratios, s.Replica.Ratio)
		}
	}
	return stats.Control(ratios)
}

func points(e *Entry, input int) []stats.Point { return e.Row.Cells[input].Points() }

// cycle is less than any processor needs for one instruction that the next must wait for, in nanoseconds.
const cycle = 0.1

// impossible says why a time cannot be that of an operation.
func impossible(c *Cell) string {
	if c.Time.Median < cycle {
		return "less than one processor cycle: nothing ran"
	}
	return ""
}

func (a *Analysis) rank(s *Standing) {
	slices.SortStableFunc(s.Entries, func(x, y *Entry) int {
		if (x.Dubious == "") != (y.Dubious == "") {
			return cmp.Compare(len(x.Dubious), len(y.Dubious))
		}
		return cmp.Compare(x.Figure, y.Figure)
	})
	for i, e := range s.Entries {
		if e.Dubious != "" {
			break // they come last
		}
		e.Place = i + 1
	}
}

// Ranked returns the standings of an input and kind that have two contestants or more and count, in order.
func (a *Analysis) Ranked(input int, kind result.Kind) []*Standing {
	return slices.DeleteFunc(a.of(input), func(s *Standing) bool { return s.Kind != kind || s.ranked() < 2 || !a.Counts(s) })
}

// Counts reports whether a category counts in rankings: all but the points of a long sweep other than its
// representative, which is 1024 for burst sizes as published, otherwise the middle one.
func (a *Analysis) Counts(s *Standing) bool {
	if s.Sweep.Family == "" {
		return true
	}
	xs := a.sweeps[sweepKey{s.Input, s.Sweep.Family}]
	if len(xs) < 3 {
		return true
	}
	if slices.Contains(xs, 1024) {
		return s.Sweep.X == 1024
	}
	return s.Sweep.X == xs[len(xs)/2]
}

// SweepPoints returns the values for which a sweep was run in an input, ascending.
func (a *Analysis) SweepPoints(input int, family string) []float64 {
	return a.sweeps[sweepKey{input, family}]
}
