package choose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eventloop-go/eventloop/tournament/stats"
)

// Answer is the choice in a few sentences.
func (c *Choice) Answer(q Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The evidence is of %s.", c.situation())
	if d := c.difference(q); d != "" {
		fmt.Fprintf(&b, " That is not what was asked: %s; measure it with -measure.", d)
	}
	if c.disturbed(q.P99) {
		fmt.Fprintf(&b, " It gives no answer: the control, which has no loop to wait for, has a 99th percentile of %s", round(c.Control.P99))
		if !c.Control.Sustained {
			b.WriteString(" and does not keep up")
		}
		b.WriteString(". The machine was busy with something else, or is too slow for the load. Measure when it is quiet.")
		return b.String()
	}
	if c.Differs {
		fmt.Fprintf(&b, " It gives no answer: the same contestant, measured twice, differs from itself. %s has a 99th percentile of %s%s. Measure longer, or when the machine is quiet.",
			c.Replica.Contestant, round(c.Replica.P99), map[bool]string{true: "", false: ", and does not keep up"}[c.Replica.Sustained])
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
		fmt.Fprintf(&b, " Take %s: %s. 99 %% of their tasks end within %s to %s of their intended start.",
			list(names(c.Take), "or"), c.closeness(), round(c.Take[0].P99), round(slowest(c.Take)))
	}
	if len(c.Take) > 0 {
		c.compare(&b, q)
	}
	if c.Shared {
		b.WriteString(" Generators and loop had to share processors there, so the latencies have the wait for a processor in them.")
	}
	return b.String()
}

// compare adds further arguments for and against the recommended contestants.
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

// closeness says how those to take stand to the fastest.
func (c *Choice) closeness() string {
	if c.Undecided == nil {
		return "they are level"
	}
	return fmt.Sprintf("%s is fastest here, and undecided against %s", c.Take[0].Contestant, list(c.Undecided, "and"))
}

// disturbed reports whether the control shows that the machine was busy with other work. The control needs a task's
// cost. With producers of its own it also needs the waiting time of its queue, some 25 tasks even at nine tenths of a
// processor. Beyond that, disturbed allows a tenth of the requested latency, or of a millisecond without a request.
func (c *Choice) disturbed(p99 time.Duration) bool {
	if c.Control == nil || c.Control.Samples == 0 {
		return false
	}
	alone := !c.Shared && !c.Oversubscribed && !c.Spec.Bursts && c.Spec.Computing == 0
	return !c.Control.Sustained || alone && c.Control.P99 > 25*c.Spec.Cost+cmp.Or(p99, time.Millisecond)/10
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

// situation describes the category in words.
func (c *Choice) situation() string {
	s := c.Spec
	text := fmt.Sprintf("%s tasks a second", FormatRate(float64(s.Rate)))
	if s.Rate == 0 {
		text = fmt.Sprintf("tasks at %d %% of each one's capacity", s.Share)
	}
	text += fmt.Sprintf(" of %s of work", costText(s.Cost))
	if s.Submitters() > 1 {
		text += fmt.Sprintf(" from %d goroutines", s.Producers)
	}
	if s.Bursts {
		text += fmt.Sprintf(", %d at a time", BurstSize)
	}
	if s.Mix != Tasks {
		text += ", with " + string(s.Mix)
	}
	if s.Computing != 0 {
		text += ", while " + s.Computing.About()
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

// difference describes how the category differs from the question.
func (c *Choice) difference(q Question) string {
	var parts []string
	if ratio := float64(c.Spec.Rate) / q.Rate; ratio < 0.95 || ratio > 1.05 {
		parts = append(parts, FormatRate(q.Rate)+" tasks a second")
	}
	if c.Spec.Cost != q.Cost {
		parts = append(parts, costText(q.Cost)+" of work")
	}
	if c.Spec.Submitters() != max(1, q.Producers) {
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

// round prints a time with three digits.
func round(d time.Duration) string { return stats.Duration(float64(d)) }

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
