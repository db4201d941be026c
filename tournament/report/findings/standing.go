package findings

import (
	"cmp"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
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

	// Contest judges the first against the others that have a place.
	Contest stats.Contest
	// Again is the entry of a contestant that was entered twice, with the contrast to its first entry; nil if there is none.
	// It has no place.
	Again *SecondEntry
	// Void is why the category gives no win, whoever is first; empty if it may give one.
	Void string
}

// A SecondEntry is a contestant that was entered twice. What sets it apart from the first entry is noise.
type SecondEntry struct {
	*Entry
	First string
	stats.Contrast
	// Apart says that the test tells the two apart, which it should not.
	Apart bool
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
	// Contrast and Outcome are those of the first entry against this one; zero for the first.
	Contrast stats.Contrast
	Outcome  stats.Outcome
	// Dubious is why the figure is not believed.
	Dubious string
}

// An Absence is a contestant that has no figure in a category.
type Absence struct{ Contestant, Why string }

// Winner returns the entry that is ahead of all others, or nil. A category without rivals, or one that is void, has no
// winner.
func (s *Standing) Winner() *Entry {
	if s.Void != "" || s.Contest.Outcome != stats.Ahead {
		return nil
	}
	return s.Entries[0]
}

// Margin is how much longer the second takes than the first, as a share; 0 without a second.
func (s *Standing) Margin() float64 {
	if s.ranked() < 2 {
		return 0
	}
	return s.Entries[1].Figure/s.Entries[0].Figure - 1
}

// First returns the believable entry with the lowest figure, or nil.
func (s *Standing) First() *Entry {
	if s.ranked() == 0 {
		return nil
	}
	return s.Entries[0]
}

// RunnerUp returns the second entry, or nil.
func (s *Standing) RunnerUp() *Entry {
	if s.ranked() < 2 {
		return nil
	}
	return s.Entries[1]
}

// Entry returns the entry of a contestant, or nil.
func (s *Standing) Entry(contestant string) *Entry {
	for _, e := range s.Entries {
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
		if first, ok := result.Again(r.Contestant); ok {
			s.Again = &SecondEntry{Entry: e, First: first}
			continue
		}
		s.Entries = append(s.Entries, e)
	}
	for _, s := range out {
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
	a.floors(out)
	contests := make(map[result.Kind][]*stats.Contest)
	for _, s := range out {
		contests[s.Kind] = append(contests[s.Kind], &s.Contest)
	}
	for _, cs := range contests {
		stats.Judge(cs, a.Alpha)
	}
	for _, s := range out {
		for i, o := range s.Contest.Outcomes {
			s.Entries[i+1].Outcome = o
		}
	}
	void(out)
	return out
}

// floors sets the noise floor of every category from those who were entered twice, and finds second entries that the
// test tells from the first.
func (a *Analysis) floors(standings []*Standing) {
	var with []*Standing
	var ratios, ps []float64
	for _, s := range standings {
		if s.Again == nil {
			continue
		}
		first := s.Entry(s.Again.First)
		if first == nil || first.Dubious+s.Again.Dubious != "" {
			continue
		}
		s.Again.Contrast = stats.Compared(points(first, s.Input), points(s.Again.Entry, s.Input))
		with, ratios, ps = append(with, s), append(ratios, s.Again.Ratio), append(ps, s.Again.P)
	}
	each, others, known := stats.Floors(ratios)
	if !known {
		return
	}
	for _, s := range standings {
		s.Contest.Floor = others
	}
	for i, p := range stats.HolmBonferroni.Adjust(ps) {
		with[i].Contest.Floor = each[i]
		with[i].Again.Apart = p < a.Alpha
	}
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
		if i > 0 {
			e.Contrast = stats.Compared(points(s.Entries[0], s.Input), points(e, s.Input))
			s.Contest.Against = append(s.Contest.Against, e.Contrast)
		}
	}
}

// A Record counts the places of one contestant in one input.
type Record struct {
	Contestant     string
	Wins           int // ahead of all others
	Level          int // first or second of two that are equivalent
	First          int // lowest figure, ahead or not
	Second, Third  int
	Categories     int
	RelativeToBest stats.GeoMean // its figure over the best, over the categories
}

// Records counts places in one input over the categories of one kind, best first. Of a sweep only the points given by
// representative count, so that a family with seven points does not weigh seven times.
func (a *Analysis) Records(input int, kind result.Kind) []*Record {
	byName := make(map[string]*Record)
	ratios := make(map[string][]float64)
	var out []*Record
	for _, s := range a.Standings {
		if s.Input != input || s.Kind != kind || s.ranked() < 2 || !a.Counts(s) {
			continue
		}
		for _, e := range s.Entries {
			r := byName[e.Contestant]
			if r == nil {
				r = &Record{Contestant: e.Contestant}
				byName[e.Contestant] = r
				out = append(out, r)
			}
			r.Categories++
			switch e.Place {
			case 0:
				continue
			case 1:
				r.First++
			case 2:
				r.Second++
			case 3:
				r.Third++
			}
			if s.Winner() == e {
				r.Wins++
			}
			if s.Void == "" && s.Contest.Outcome == stats.Equivalent && e.Place <= 2 {
				r.Level++
			}
			ratios[e.Contestant] = append(ratios[e.Contestant], e.Figure/s.Entries[0].Figure)
		}
	}
	for _, r := range out {
		r.RelativeToBest = stats.Excess(ratios[r.Contestant])
	}
	slices.SortStableFunc(out, func(x, y *Record) int {
		return cmp.Or(cmp.Compare(y.Wins, x.Wins), cmp.Compare(y.First, x.First), cmp.Compare(x.RelativeToBest.Center, y.RelativeToBest.Center))
	})
	return out
}

// Ranked returns the standings of an input and kind that count in [Analysis.Records], in order.
func (a *Analysis) Ranked(input int, kind result.Kind) []*Standing {
	var out []*Standing
	for _, s := range a.Standings {
		if s.Input == input && s.Kind == kind && s.ranked() >= 2 && a.Counts(s) {
			out = append(out, s)
		}
	}
	return out
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
