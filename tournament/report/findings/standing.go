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
	// Entries are those with a figure, lowest median first. Entries that cannot be true come last and have no place.
	Entries []*Entry
	// Absent are the contestants without a figure, with the reason.
	Absent []Absence
	// Converged says that all entries agree so closely that the category tells nothing about them.
	Converged bool
}

// An Entry is one contestant in a standing.
type Entry struct {
	Row        *group.Row
	Contestant string
	*Cell
	// Place is 1 for the lowest median; 0 if Dubious.
	Place int
	// Tied says that the entry is not to be told from the first.
	Tied bool
	// Dubious is why the figure is not believed.
	Dubious string
}

// An Absence is a contestant that has no figure in a category.
type Absence struct{ Contestant, Why string }

// Winner returns the entry that is ahead of all others beyond the noise, or nil. A category without rivals, or one on
// which all agree, has no winner.
func (s *Standing) Winner() *Entry {
	if s.Converged || s.ranked() < 2 || s.Entries[1].Tied {
		return nil
	}
	return s.Entries[0]
}

// First returns the believable entry with the lowest median, or nil.
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

// converging is how close all medians of a category must be for it to measure something other than its contestants.
const converging = 1.02

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
			s = &Standing{Input: input, Category: r.Category, Kind: r.Kind, Sweep: r.Sweep}
			byName[r.Category] = s
			out = append(out, s)
		}
		if len(c.Samples) == 0 {
			s.Absent = append(s.Absent, Absence{r.Contestant, cmp.Or(c.NotApplicable, c.Error, "no figures")})
			continue
		}
		cell := a.Cell(r, input)
		s.Entries = append(s.Entries, &Entry{Row: r, Contestant: r.Contestant, Cell: cell, Dubious: impossible(cell)})
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
	return out
}

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
		return cmp.Compare(x.Time.Median, y.Time.Median)
	})
	var others [][]float64
	for i, e := range s.Entries {
		if e.Dubious != "" {
			break // they come last
		}
		e.Place = i + 1
		if i > 0 {
			others = append(others, e.Row.Cells[s.Input].Ns())
		}
	}
	if len(others) > 0 {
		for i, v := range stats.Leads(s.Entries[0].Row.Cells[s.Input].Ns(), others, a.Correction, a.Alpha) {
			s.Entries[i+1].Tied = v != stats.Faster // without a measure of noise nothing is told apart
		}
	}
	if n := s.ranked(); n >= 3 {
		s.Converged = s.Entries[n-1].Time.Median <= converging*s.Entries[0].Time.Median
	}
}

// A Record counts the places of one contestant in one input.
type Record struct {
	Contestant     string
	Wins           int // ahead beyond the noise
	First          int // lowest median, ahead or not
	Second, Third  int
	Categories     int
	RelativeToBest stats.GeoMean // its median over the best median, over the categories
}

// Records counts places in one input over the categories of one kind, best first. Of a sweep only the points given by
// representative count, so that a family with seven points does not weigh seven times.
func (a *Analysis) Records(input int, kind result.Kind) []*Record {
	byName := make(map[string]*Record)
	ratios := make(map[string][]float64)
	var out []*Record
	for _, s := range a.Standings {
		if s.Input != input || s.Kind != kind || s.ranked() < 2 || !a.counts(s) {
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
			ratios[e.Contestant] = append(ratios[e.Contestant], e.Time.Median/s.Entries[0].Time.Median)
		}
	}
	for _, r := range out {
		r.RelativeToBest = stats.GeometricMean(ratios[r.Contestant])
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
		if s.Input == input && s.Kind == kind && s.ranked() >= 2 && a.counts(s) {
			out = append(out, s)
		}
	}
	return out
}

// counts reports whether a category counts in rankings: all but the points of a long sweep other than its
// representative, which is 1024 for burst sizes as published, otherwise the middle one.
func (a *Analysis) counts(s *Standing) bool {
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
