package load

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
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
		samples[f] = append(samples[f], row.Samples...)
		if row.Control {
			c.Control = f
		}
	}
	var choices []Choice
	for _, c := range all {
		for _, f := range figures[c] {
			f.summarise(samples[f])
			c.Shared = c.Shared || middle(samples[f], Shared) > 0
			c.Oversubscribed = c.Oversubscribed || middle(samples[f], Oversubscribed) > 0
			if f != c.Control && f.Samples > 0 {
				c.Others = append(c.Others, *f)
			}
		}
		c.judge()
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
		if f.Sustained && !apart(c.Others[0], f) {
			last = i
		}
	}
	c.Take, c.Others = c.Others[:last+1:last+1], c.Others[last+1:]
}

// apart reports whether the samples of the two tell them apart: by the exact rank test, or where there are too few samples
// for that to find anything, if the ranges do not touch and are more than a half apart.
func apart(a, b Figure) bool {
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

// Answer is the choice in a few sentences.
func (c *Choice) Answer(q Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The evidence is of %s.", c.situation())
	if d := c.difference(q); d != "" {
		fmt.Fprintf(&b, " That is not what was asked: %s; measure it with -measure.", d)
	}
	if c.disturbed() {
		fmt.Fprintf(&b, " It gives no answer: the control, which has no loop to wait for, has a 99th percentile of %s", round(c.Control.P99))
		if !c.Control.Sustained {
			b.WriteString(" and does not keep up")
		}
		b.WriteString(". The machine was busy with something else, or is too slow for the load. Measure again when it is quiet.")
		return b.String()
	}
	switch {
	case len(c.Take) == 0 && len(c.Others) == 0:
		b.WriteString(" Nobody has samples in it.")
	case len(c.Take) == 0:
		b.WriteString(" Nobody keeps up with that: whatever you take, its queue grows.")
	case len(c.Take) == 1:
		f := c.Take[0]
		fmt.Fprintf(&b, " Take %s: 99 %% of its tasks end within %s of their intended start, 99.9 %% within %s.", f.Contestant, round(f.P99), round(f.P999))
	default:
		fmt.Fprintf(&b, " Take %s: the samples cannot tell them apart. 99 %% of their tasks end within %s to %s of their intended start.",
			list(names(c.Take), "or"), round(c.Take[0].P99), round(slowest(c.Take)))
	}
	if len(c.Take) > 0 {
		c.compare(&b, q)
	}
	if c.Shared {
		b.WriteString(" Generators and loop had to share processors there, so the latencies have the wait for a processor in them.")
	}
	return b.String()
}

// compare says what else speaks for and against those to take.
func (c *Choice) compare(b *strings.Builder, q Question) {
	var slower, behind []string
	for _, f := range c.Others {
		if f.Sustained {
			slower = append(slower, fmt.Sprintf("%s (%s)", f.Contestant, round(f.P99)))
		} else {
			behind = append(behind, f.Contestant)
		}
	}
	if slower != nil {
		fmt.Fprintf(b, " Slower: %s.", list(slower, "and"))
	}
	if behind != nil {
		fmt.Fprintf(b, " Not sustained by %s.", list(behind, "and"))
	}
	if c.Control != nil && c.Control.Samples > 0 {
		fmt.Fprintf(b, " Without a loop, called directly, it is %s.", round(c.Control.P99))
	}
	if cheap := c.cheapest(); cheap != nil {
		fmt.Fprintf(b, " %s takes the least processor time, %s a task", cheap.Contestant, round(cheap.Processor))
		if first := c.Take[0]; first.Contestant != cheap.Contestant && first.Processor > 0 {
			fmt.Fprintf(b, "; %s takes %s", first.Contestant, round(first.Processor))
		}
		b.WriteString(".")
	}
	if q.P99 <= 0 {
		return
	}
	var within []string
	for _, f := range append(slices.Clone(c.Take), c.Others...) {
		if f.Sustained && slices.Max(f.p99s) <= float64(q.P99) {
			within = append(within, f.Contestant)
		}
	}
	if within == nil {
		fmt.Fprintf(b, " Nobody stays within %v in every sample.", q.P99)
	} else {
		fmt.Fprintf(b, " Within %v in every sample: %s.", q.P99, list(within, "and"))
	}
}

// disturbed reports whether the control shows that the machine was not there for the measuring: with producers of its own, it
// needs a task's cost and what waits for that, which even at nine tenths of a processor is some 25 tasks.
func (c *Choice) disturbed() bool {
	if c.Control == nil || c.Control.Samples == 0 {
		return false
	}
	alone := !c.Shared && !c.Oversubscribed && !c.Spec.Bursts
	return !c.Control.Sustained || alone && c.Control.P99 > 25*c.Spec.Cost+100*time.Microsecond
}

// cheapest is the contestant that keeps up with the least processor time, or nil if that is not known.
func (c *Choice) cheapest() *Figure {
	var least *Figure
	for _, group := range [][]Figure{c.Take, c.Others} {
		for i := range group {
			if f := &group[i]; f.Sustained && f.Processor > 0 && (least == nil || f.Processor < least.Processor) {
				least = f
			}
		}
	}
	return least
}

// situation says in words what the category is.
func (c *Choice) situation() string {
	s := c.Spec
	text := fmt.Sprintf("%s tasks a second", FormatRate(float64(s.Rate)))
	if s.Rate == 0 {
		text = fmt.Sprintf("tasks at %d %% of each one's capacity", s.Share)
	}
	text += fmt.Sprintf(" of %s of work", costText(s.Cost))
	if s.producers() > 1 {
		text += fmt.Sprintf(" from %d goroutines", s.Producers)
	}
	if s.Bursts {
		text += fmt.Sprintf(", %d at a time", burstSize)
	}
	if s.Mix != Tasks {
		text += ", with " + string(s.Mix)
	}
	if s.Procs > 0 {
		text += fmt.Sprintf(", GOMAXPROCS %d", s.Procs)
	}
	return text
}

func costText(d time.Duration) string {
	if d == 0 {
		return "0 µs"
	}
	return d.String()
}

// difference says what in the question the category does not have.
func (c *Choice) difference(q Question) string {
	var parts []string
	if ratio := float64(c.Spec.Rate) / q.Rate; ratio < 0.95 || ratio > 1.05 {
		parts = append(parts, FormatRate(q.Rate)+" tasks a second")
	}
	if c.Spec.Cost != q.Cost {
		parts = append(parts, costText(q.Cost)+" of work")
	}
	if c.Spec.producers() != max(1, q.Producers) {
		if q.Producers > 1 {
			parts = append(parts, fmt.Sprintf("%d producers", q.Producers))
		} else {
			parts = append(parts, "one producer")
		}
	}
	return strings.Join(parts, ", ")
}

func names(figures []Figure) []string {
	var all []string
	for _, f := range figures {
		all = append(all, f.Contestant)
	}
	return all
}

// slowest is the highest of the percentiles.
func slowest(figures []Figure) time.Duration {
	var most time.Duration
	for _, f := range figures {
		most = max(most, f.P99)
	}
	return most
}

// list joins names as a sentence does.
func list(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// round leaves about three digits of a time.
func round(d time.Duration) time.Duration {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}

// String is the figure as a line of evidence.
func (f *Figure) String() string {
	if f.Samples == 0 {
		return f.Contestant + ": no samples"
	}
	text := fmt.Sprintf("%s: p99 %v (%v … %v in %d samples), p50 %v, p99.9 %v", f.Contestant, round(f.P99),
		round(time.Duration(slices.Min(f.p99s))), round(time.Duration(slices.Max(f.p99s))), f.Samples, round(f.P50), round(f.P999))
	if f.Processor > 0 {
		text += fmt.Sprintf(", %v of processor time a task", round(f.Processor))
	}
	if !f.Sustained {
		text += ", not sustained"
	}
	return text
}
