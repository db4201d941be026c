// Package summary reduces a result to what a reader asks first: who is ahead in each category, by how much, and whether
// the samples show it.
package summary

import (
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Standing is how one contestant did in one category.
type Standing struct {
	Contestant string

	// Figure is what all reports rank by, in ns/op (see [stats.Figure]); 0 if there are no samples.
	Figure float64

	// Spread is half the distance between the quartiles of the samples, as a share of the figure: half of the samples are
	// about that close. It is 0 for a single sample, where it means nothing.
	Spread float64

	Samples int

	// Failed and NotApplicable say why there are no samples.
	Failed, NotApplicable string
}

// A Category is the outcome of one category.
type Category struct {
	Name   string
	Kind   result.Kind
	TwinOf string

	// Standings has every contestant, in the order of the result.
	Standings []Standing

	// First is the contestant with the smallest figure, RunnerUp the next; empty if nobody has samples, or only one takes
	// part. One that was entered twice takes part once.
	First, RunnerUp string
	// Ratio is how much longer the runner-up takes.
	Ratio float64

	// Outcome is that of the first against all others, by the rule of all reports ([stats.Judge]).
	Outcome stats.Outcome
	// Void is why the category gives no win, empty if it may.
	Void string
	// Point says that the category is a point of a sweep that does not stand for the others.
	Point bool
	// Replicates is the number of processes, or of rounds if there was one process; below two nothing can be decided.
	Replicates int
}

// Winner is the contestant that is ahead of all others; empty if none is.
func (c *Category) Winner() string {
	if c.Outcome != stats.Ahead || c.Void != "" {
		return ""
	}
	return c.First
}

// Of summarises a result, category by category in its order, by the ranking of all reports. Open-loop categories are left
// out.
func Of(f *result.File) ([]Category, error) {
	in, err := parse.From(f)
	if err != nil {
		return nil, err
	}
	a := findings.Analyse(group.Match(in), findings.Options{})
	ranked := make(map[string]*findings.Standing)
	for _, s := range a.Standings {
		ranked[s.Category] = s
	}
	var categories []Category
	index := make(map[string]int)
	for i := range f.Rows {
		row := &f.Rows[i]
		if row.Kind == result.KindLoad {
			continue // not ranked: package load says what follows from it
		}
		at, ok := index[row.Category]
		if !ok {
			at = len(categories)
			index[row.Category] = at
			c := category(row, ranked[row.Category])
			c.Point = ranked[row.Category] != nil && !a.Counts(ranked[row.Category])
			categories = append(categories, c)
		}
		categories[at].Standings = append(categories[at].Standings, stand(row))
	}
	return categories, nil
}

func category(row *result.Row, s *findings.Standing) Category {
	c := Category{Name: row.Category, Kind: row.Kind, TwinOf: row.TwinOf}
	if s == nil || s.RunnerUp() == nil {
		return c
	}
	second := s.RunnerUp()
	c.First, c.RunnerUp, c.Ratio = s.First().Contestant, second.Contestant, second.Contrast.Ratio
	c.Outcome, c.Void, c.Replicates = s.Contest.Outcome, s.Void, second.Contrast.N
	return c
}

// Standing finds a contestant's, or nil if it has none with samples.
func (c *Category) Standing(contestant string) *Standing {
	for i := range c.Standings {
		if s := &c.Standings[i]; s.Contestant == contestant && s.Samples > 0 {
			return s
		}
	}
	return nil
}

func stand(row *result.Row) Standing {
	s := Standing{Contestant: row.Contestant, Samples: len(row.Samples), Failed: row.Error, NotApplicable: row.NotApplicable}
	if s.Samples == 0 {
		return s
	}
	var points []stats.Point
	var figures []float64
	for i := range row.Samples {
		x := &row.Samples[i]
		points = append(points, stats.Point{Process: x.Process, Round: x.Round, X: x.NsPerOp})
		figures = append(figures, x.NsPerOp)
	}
	slices.Sort(figures)
	s.Figure = stats.Figure(points)
	if s.Figure > 0 {
		s.Spread = (quantile(figures, 0.75) - quantile(figures, 0.25)) / 2 / s.Figure
	}
	return s
}

// quantile interpolates between the two nearest of the sorted figures.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 == len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// Spark draws the figures of a category, one character for each contestant: the taller, the slower. A step is a factor
// of about one and a half; what is not measured is a dot.
func (c *Category) Spark() string {
	best := math.Inf(1)
	for _, s := range c.Standings {
		if s.Samples > 0 && s.Figure > 0 {
			best = min(best, s.Figure)
		}
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	var out []rune
	for _, s := range c.Standings {
		if s.Samples == 0 || !(s.Figure > 0) {
			out = append(out, '·')
			continue
		}
		step := int(math.Round(math.Log(s.Figure/best) / math.Log(1.5)))
		out = append(out, bars[min(step, len(bars)-1)])
	}
	return string(out)
}
