// Package summary reduces the samples of a result to what a reader asks first: who won each category, by how much,
// and whether that is more than noise.
package summary

import (
	"cmp"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Standing is how one contestant did in one category.
type Standing struct {
	Contestant string

	// Median is the middle sample, in ns/op; 0 if there is none.
	Median float64

	// Spread is half the distance between the quartiles, as a share of the median: half of the samples are about
	// that close. It is 0 for a single sample, where it means nothing.
	Spread float64

	Samples int

	// Failed and NotApplicable say why there are no samples.
	Failed, NotApplicable string

	figures []float64 // of the samples, sorted
}

// A Category is the outcome of one category.
type Category struct {
	Name   string
	Kind   result.Kind
	TwinOf string

	// Standings has every contestant, in the order of the result.
	Standings []Standing

	// Winner is the contestant with the smallest median; empty if nobody has samples, or only one takes part.
	Winner string

	// RunnerUp is the next, and Margin how much longer it takes, as a share of the winner's median.
	RunnerUp string
	Margin   float64

	// Level says that the winner's lead is within the noise, by the rule of all reports ([stats.Leads]). Then it is no
	// winner.
	Level bool
}

// enough is the number of samples below which a spread says nothing.
const enough = 3

// Of summarises a result, category by category in its order.
func Of(f *result.File) []Category {
	var categories []Category
	index := make(map[string]int)
	for i := range f.Rows {
		row := &f.Rows[i]
		at, ok := index[row.Category]
		if !ok {
			at = len(categories)
			index[row.Category] = at
			categories = append(categories, Category{Name: row.Category, Kind: row.Kind, TwinOf: row.TwinOf})
		}
		categories[at].Standings = append(categories[at].Standings, stand(row))
	}
	for i := range categories {
		categories[i].judge()
	}
	return categories
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

// Unsure reports whether there are too few samples to tell noise.
func (c *Category) Unsure() bool {
	for _, name := range []string{c.Winner, c.RunnerUp} {
		if s := c.Standing(name); s != nil && s.Samples < enough {
			return true
		}
	}
	return false
}

func stand(row *result.Row) Standing {
	s := Standing{Contestant: row.Contestant, Samples: len(row.Samples), Failed: row.Error, NotApplicable: row.NotApplicable}
	if s.Samples == 0 {
		return s
	}
	for i := range row.Samples {
		s.figures = append(s.figures, row.Samples[i].NsPerOp)
	}
	slices.Sort(s.figures)
	s.Median = quantile(s.figures, 0.5)
	if s.Median > 0 {
		s.Spread = (quantile(s.figures, 0.75) - quantile(s.figures, 0.25)) / 2 / s.Median
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

func (c *Category) judge() {
	var ranked []*Standing
	for i := range c.Standings {
		if s := &c.Standings[i]; s.Samples > 0 {
			ranked = append(ranked, s)
		}
	}
	if len(ranked) < 2 {
		return
	}
	slices.SortStableFunc(ranked, func(a, b *Standing) int { return cmp.Compare(a.Median, b.Median) })
	first, second := ranked[0], ranked[1]
	c.Winner, c.RunnerUp = first.Contestant, second.Contestant
	if first.Median > 0 {
		c.Margin = second.Median/first.Median - 1
	}
	var others [][]float64
	for _, s := range ranked[1:] {
		others = append(others, s.figures)
	}
	switch stats.Leads(first.figures, others, stats.BenjaminiHochberg, stats.Alpha)[0] {
	case stats.Tie:
		c.Level = true
	case stats.Unknown:
		c.Level = c.Margin <= stats.LeastLead
	}
}
