package choose

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A Question describes a program for which a loop is to be chosen.
type Question struct {
	Cost      time.Duration // of a task
	Rate      float64       // tasks that arrive in a second
	P99       time.Duration // limit of the 99th percentile of the latency, or 0
	Producers int           // goroutines that submit
}

// A Figure is how one contestant did in one category, over all of its samples.
type Figure struct {
	Contestant string
	Samples    int
	Sustained  bool // in more than half of the samples: a machine that is disturbed for a moment spoils one

	// The medians of the samples. Latency counts from the intended start to the end. Late bounds the generator's
	// lateness in 99 of 100 cases. Processor is the processor time of a task, 0 if unknown. Heap is the growth of the
	// heap in bytes; Offered is the rate.
	P50, P90, P99, P999, Max time.Duration
	Late, Processor          time.Duration
	Heap, Offered            float64

	p99s  []float64
	slice []stats.Point // the same, with the process that each is from
}

// Range is the lowest and the highest 99th percentile of the samples, of which there is at least one.
func (f *Figure) Range() (lowest, highest time.Duration) {
	return time.Duration(slices.Min(f.p99s)), time.Duration(slices.Max(f.p99s))
}

// A Choice is the recommendation of one category for a situation, with its reasons.
type Choice struct {
	// Category names the evidence.
	Category string
	Spec     Spec

	// Take are the fastest, which comes first, and those not significantly slower. It is empty if all fell behind.
	Take []Figure
	// Others took part and are slower, or did not keep up. Control is the control's figure.
	Others  []Figure
	Control *Figure

	// Undecided names those in Take that are not equally fast for certain.
	Undecided []string

	// Replica is the second entry of a contestant, which takes no part: how far it is from the first is noise. Differs says
	// that one of the two keeps up and the other does not, or that the rule finds one ahead: the samples decide nothing.
	Replica *Figure
	Differs bool

	// Shared says that generators and loop had fewer processors than there were of them.
	Shared bool
	// Oversubscribed says that GOMAXPROCS was above the number of processors.
	Oversubscribed bool
	// Excluded says why others are not in it, by name.
	Excluded map[string]string
}

// Choices reads the open-loop categories with a rate, in the order of the rows. Rows of several results may be
// concatenated: samples of the same contestant and category are taken together.
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
		others := len(samples[f]) // processes of another result are others
		for _, s := range row.Samples {
			s.Process += others
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
			switch _, second := result.ReplicaOf(f.Contestant); {
			case f.Samples == 0 || f == c.Control:
			case second:
				c.Replica = f
			default:
				c.Others = append(c.Others, *f)
			}
		}
	}
	var choices []Choice
	for _, c := range all {
		c.judge(stats.Rule{Categories: len(all)})
		choices = append(choices, *c)
	}
	return choices
}

func (f *Figure) summarise(samples []result.Sample) {
	f.Samples = len(samples)
	if f.Samples == 0 {
		return
	}
	kept := 0
	for i := range samples {
		p99 := samples[i].Metrics["p99-ns"]
		f.p99s = append(f.p99s, p99)
		f.slice = append(f.slice, stats.Point{Process: samples[i].Process, Round: samples[i].Round, X: p99})
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
	return stats.Median(values)
}

// judge moves the fastest, and those that it is not ahead of, to Take.
func (c *Choice) judge(rule stats.Rule) {
	c.Differs = c.differs(rule)
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
	first := &stats.Entrant{Name: c.Others[0].Contestant, Points: c.Others[0].slice}
	var slower []Figure
	for i, f := range c.Others {
		verdict := stats.Undecided
		if i > 0 {
			verdict = rule.Compare(first, &stats.Entrant{Name: f.Contestant, Points: f.slice}, len(c.Others)-1).Verdict
		}
		switch {
		case !f.Sustained || verdict == stats.Ahead:
			slower = append(slower, f)
			continue
		case i > 0 && verdict == stats.Undecided:
			c.Undecided = append(c.Undecided, f.Contestant)
		}
		c.Take = append(c.Take, f)
	}
	c.Others = slower
}

// differs compares the replica with its original.
func (c *Choice) differs(rule stats.Rule) bool {
	if c.Replica == nil {
		return false
	}
	first, _ := result.ReplicaOf(c.Replica.Contestant)
	i := slices.IndexFunc(c.Others, func(f Figure) bool { return f.Contestant == first })
	if i < 0 {
		return false
	}
	f := &c.Others[i]
	verdict := rule.Compare(&stats.Entrant{Name: first, Points: f.slice}, &stats.Entrant{Name: c.Replica.Contestant, Points: c.Replica.slice}, 1).Verdict
	return f.Sustained != c.Replica.Sustained || verdict == stats.Ahead || verdict == stats.Behind
}

// Nearest picks the choice whose category comes nearest to the question: the same number of producers if there is one, then
// the cost, then the rate. Rates count by their ratio. It returns false if there is nothing to pick from.
func Nearest(choices []Choice, q Question) (nearest Choice, ok bool) {
	least := math.Inf(1)
	for _, c := range choices {
		s := c.Spec
		if s.Rate == 0 || s.Bursts || s.Procs > 0 || s.Mix != Tasks || s.Computing != 0 {
			continue
		}
		const us = float64(time.Microsecond)
		distance := math.Abs(math.Log(float64(s.Rate) / q.Rate))
		distance += 2 * math.Abs(math.Log((float64(s.Cost)+us/2)/(float64(q.Cost)+us/2)))
		distance += 3 * math.Abs(math.Log(float64(s.Submitters())/float64(max(1, q.Producers))))
		if distance < least {
			least, nearest, ok = distance, c, true
		}
	}
	return nearest, ok
}
