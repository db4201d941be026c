package load

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Question is what somebody who chooses knows of a program.
type Question struct {
	Cost      time.Duration // of a task
	Rate      float64       // tasks in a second
	P99       time.Duration // what the 99th percentile of the latency should stay within, or 0
	Producers int           // goroutines that submit
}

// A Figure is how one contestant did in one category, over all of its samples.
type Figure struct {
	Contestant string
	Samples    int
	Sustained  bool // in more than half of the samples: a machine that is disturbed for a moment spoils one

	// The medians of the samples: the latency from the intended start to the end; how late the generator was in 99 of 100
	// cases; the processor time of a task, which is 0 where it is not known; by how many bytes the heap grew; the rate.
	P50, P90, P99, P999, Max time.Duration
	Late, Processor          time.Duration
	Heap, Offered            float64

	p99s []float64
}

// Range is the lowest and the highest 99th percentile of the samples, of which there is at least one.
func (f *Figure) Range() (lowest, highest time.Duration) {
	return time.Duration(slices.Min(f.p99s)), time.Duration(slices.Max(f.p99s))
}

// A Choice is what one category says: whom to take in a situation, and why.
type Choice struct {
	// Category names the evidence.
	Category string
	Spec     Spec

	// Take are those that the samples cannot tell from the fastest, which comes first. Nobody is in it if nobody kept up.
	Take []Figure
	// Others took part and are slower, or did not keep up. Control is the control's figure.
	Others  []Figure
	Control *Figure

	// Again is the second entry of a contestant, which takes no part: how far it is from the first is noise. Floor is the
	// share below which a lead is none for that reason, 0 if nobody was entered twice; see [stats.Floors].
	Again *Figure
	Floor float64

	// Shared says that generators and loop had fewer processors than there were of them.
	Shared bool
	// Oversubscribed says that GOMAXPROCS was above the number of processors.
	Oversubscribed bool
	// Excluded says why others are not in it, by name.
	Excluded map[string]string
}

// alpha is the level of significance at which two contestants are told apart.
const alpha = 0.05

// Choices reads what open-loop categories with a rate say, in the order of the rows. Rows of several results may be put one
// after the other: samples of the same contestant and category are taken together.
func Choices(rows []result.Row) []Choice {
	var all []*Choice
	figures := make(map[*Choice]map[string]*Figure)
	samples := make(map[*Figure][]result.Sample)
	byName := make(map[string]*Choice)
	for i := range rows {
		row := &rows[i]
		spec, ok := Parse(row.Category)
		if row.Kind != result.KindLoad || !ok || spec.Limit {
			continue
		}
		c := byName[row.Category]
		if c == nil {
			c = &Choice{Category: row.Category, Spec: spec, Excluded: make(map[string]string)}
			byName[row.Category] = c
			figures[c] = make(map[string]*Figure)
			all = append(all, c)
		}
		if reason := cmp.Or(row.Error, row.NotApplicable); reason != "" {
			c.Excluded[row.Contestant] = reason
			continue
		}
		f := figures[c][row.Contestant]
		if f == nil {
			f = &Figure{Contestant: row.Contestant}
			figures[c][row.Contestant] = f
		}
		for _, s := range row.Samples {
			if s.Metrics["p99-ns"] > 0 { // of one without it there is nothing to say
				samples[f] = append(samples[f], s)
			}
		}
		if row.Control {
			c.Control = f
		}
	}
	for _, c := range all {
		for _, f := range figures[c] {
			f.summarise(samples[f])
			c.Shared = c.Shared || middle(samples[f], Shared) > 0
			c.Oversubscribed = c.Oversubscribed || middle(samples[f], Oversubscribed) > 0
			switch _, second := result.Again(f.Contestant); {
			case f.Samples == 0 || f == c.Control:
			case second:
				c.Again = f
			default:
				c.Others = append(c.Others, *f)
			}
		}
	}
	floors(all)
	var choices []Choice
	for _, c := range all {
		c.judge()
		choices = append(choices, *c)
	}
	return choices
}

// floors sets the noise floors from those who were entered twice.
func floors(all []*Choice) {
	var with []*Choice
	var ratios []float64
	for _, c := range all {
		if c.Again == nil {
			continue
		}
		name, _ := result.Again(c.Again.Contestant)
		for _, f := range c.Others {
			if f.Contestant == name && f.Sustained && c.Again.Sustained && f.P99 > 0 && c.Again.P99 > 0 {
				with, ratios = append(with, c), append(ratios, float64(c.Again.P99)/float64(f.P99))
			}
		}
	}
	each, others, _ := stats.Floors(ratios)
	for _, c := range all {
		c.Floor = others
	}
	for i, c := range with {
		c.Floor = each[i]
	}
}

func (f *Figure) summarise(samples []result.Sample) {
	f.Samples = len(samples)
	if f.Samples == 0 {
		return
	}
	kept := 0
	for i := range samples {
		f.p99s = append(f.p99s, samples[i].Metrics["p99-ns"])
		if samples[i].Metrics[Sustained] > 0 {
			kept++
		}
	}
	f.Sustained = 2*kept > f.Samples
	for unit, field := range map[string]*time.Duration{
		"p50-ns": &f.P50, "p90-ns": &f.P90, "p99-ns": &f.P99, "p99.9-ns": &f.P999, "max-ns": &f.Max, "late-p99-ns": &f.Late, Processor: &f.Processor,
	} {
		*field = time.Duration(middle(samples, unit))
	}
	f.Heap, f.Offered = middle(samples, Heap), middle(samples, Offered)
}

// middle is the median of a figure over the samples that have it, or 0.
func middle(samples []result.Sample, unit string) float64 {
	var values []float64
	for i := range samples {
		if v, ok := samples[i].Metrics[unit]; ok {
			values = append(values, v)
		}
	}
	if values == nil {
		return 0
	}
	return median(values)
}

// judge moves those that are not to be told from the fastest to Take.
func (c *Choice) judge() {
	slices.SortFunc(c.Others, func(a, b Figure) int {
		if a.Sustained != b.Sustained {
			if a.Sustained {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.P99, b.P99), cmp.Compare(a.Contestant, b.Contestant))
	})
	if len(c.Others) == 0 || !c.Others[0].Sustained {
		return
	}
	last := 0 // whoever comes before one that cannot be told from the first cannot be told from it either
	for i, f := range c.Others {
		if f.Sustained && !apart(c.Others[0], f, c.Floor) {
			last = i
		}
	}
	c.Take, c.Others = c.Others[:last+1:last+1], c.Others[last+1:]
}

// apart reports whether the samples tell a from b, which is slower: by more than the noise floor, and by the exact rank test
// or, where there are too few samples for that to find anything, if the ranges do not touch and are more than a half apart.
func apart(a, b Figure, floor float64) bool {
	if float64(b.P99) <= float64(a.P99)*(1+floor) {
		return false
	}
	test := stats.MannWhitney(a.p99s, b.p99s)
	if test.Valid && (!test.Exact || test.Floor < alpha) {
		return test.P < alpha
	}
	return slices.Max(a.p99s)*1.5 < slices.Min(b.p99s) || slices.Max(b.p99s)*1.5 < slices.Min(a.p99s)
}

// Nearest picks the choice whose category comes nearest to the question: the same number of producers if there is one, then
// the cost, then the rate. Rates count by their ratio. It returns false if there is nothing to pick from.
func Nearest(choices []Choice, q Question) (nearest Choice, ok bool) {
	least := math.Inf(1)
	for _, c := range choices {
		s := c.Spec
		if s.Rate == 0 || s.Bursts || s.Procs > 0 || s.Mix != Tasks {
			continue
		}
		const us = float64(time.Microsecond)
		distance := math.Abs(math.Log(float64(s.Rate) / q.Rate))
		distance += 2 * math.Abs(math.Log((float64(s.Cost)+us/2)/(float64(q.Cost)+us/2)))
		distance += 3 * math.Abs(math.Log(float64(s.producers())/float64(max(1, q.Producers))))
		if distance < least {
			least, nearest, ok = distance, c, true
		}
	}
	return nearest, ok
}
