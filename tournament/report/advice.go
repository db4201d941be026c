package report

import (
	"fmt"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A candidate is a subject with its answers by input: nil where an input lacks one.
type candidate struct {
	name string
	on   []*Answer
}

// candidates are the subjects of all inputs.
func (b *builder) candidates() (out []*candidate) {
	for i := range b.Inputs {
		for k := range b.answers[i] {
			n := &b.answers[i][k]
			at := slices.IndexFunc(out, func(c *candidate) bool { return c.name == n.Subject })
			if at < 0 {
				at = len(out)
				out = append(out, &candidate{n.Subject, make([]*Answer, len(b.Inputs))})
			}
			out[at].on[i] = n
		}
	}
	// A subject of single figures alone stands behind one with verdicts.
	repeated := func(c *candidate) bool {
		return slices.ContainsFunc(c.on, func(n *Answer) bool { return n != nil && len(n.Decisive) > 0 && !n.single() })
	}
	if slices.ContainsFunc(out, repeated) {
		out = slices.DeleteFunc(out, func(c *candidate) bool { return !repeated(c) })
	}
	return out
}

// telling are the inputs whose verdicts count for a candidate: real machines with as many processes as a verdict takes; failing those, all
// with samples.
func (b *builder) telling(c *candidate) (inputs []int) {
	for _, strict := range []bool{true, false} {
		for i, n := range c.on {
			if n != nil && len(n.Decisive) > 0 && (!strict || b.native(i) && n.processes() >= stats.Looks[0]) {
				inputs = append(inputs, i)
			}
		}
		if inputs != nil {
			return inputs
		}
	}
	return nil
}

// advice tells the reader what follows for a program. Every item states the figures it rests on.
func (b *builder) advice() {
	var out render.List
	for _, c := range b.candidates() {
		out = append(out, b.adoption(c)...)
	}
	for _, of := range []struct {
		kind  findings.Kind
		least findings.Severity
		text  string
	}{
		{findings.FailedCheck, findings.Problem, "Do not adopt %s before its failed correctness suites pass."},
		{findings.Collapse, findings.Warning, "If your program computes while its loop waits, measure with your load before you take %s: it collapses beside goroutines that compute."},
		{findings.Regression, findings.Problem, "Find out why these became slower before you update: %s."},
		{findings.TooGood, findings.Notice, "Do not rely on the figures of %s until you know that the work was done."},
		{findings.MemoryGrowth, findings.Notice, "Measure memory yourself where it matters to you: rows of %s keep what they queue, so their bytes grow with the run."},
		{findings.InverseScale, findings.Notice, "Measure with your own batch size: %s cost more for large ones."},
		{findings.Confound, findings.Warning, "Before you compare these machines, make them equal in: %s."},
	} {
		var subjects []string
		for _, f := range b.worthTelling() {
			if f.Kind == of.kind && f.Severity >= of.least && !slices.Contains(subjects, f.Subject) {
				subjects = append(subjects, f.Subject)
			}
		}
		if subjects != nil {
			out = append(out, fmt.Sprintf(of.text, text.List(subjects, 3)))
		}
	}
	if undecided := b.undecided(); undecided > 0 {
		out = append(out, fmt.Sprintf("If one of the %s matters to you, give the run more time: tournament run -budget 10m.", text.Count(undecided, "undecided category", "undecided categories")))
	}
	s := b.report.Section(2, "Recommendations")
	if out == nil {
		s.Add(render.Paragraph("None follow from the figures."))
		return
	}
	s.Add(out)
}

// undecided counts the categories without a verdict where verdicts count.
func (b *builder) undecided() (n int) {
	for _, c := range b.candidates() {
		for _, i := range b.telling(c) {
			if !c.on[i].single() {
				n += len(c.on[i].With(stats.Undecided))
			}
		}
	}
	return n
}

// adoption says when to take a candidate, when to take a rival, and whom nobody needs.
func (b *builder) adoption(c *candidate) (out render.List) {
	inputs := b.telling(c)
	if inputs == nil {
		return nil
	}
	ahead, level, behind, all := 0, 0, 0, 0
	better := make(map[string][]string) // by rival: the categories where it is ahead
	var rivals []string
	first := make(map[string]bool)
	choices := make(map[choice]int)
	for _, i := range inputs {
		n := c.on[i]
		ahead, level, behind, all = ahead+len(n.With(stats.Ahead)), level+len(n.With(stats.Level)), behind+len(n.With(stats.Behind)), all+len(n.Decisive)
		choices[n.choice()]++
		for _, s := range n.Decisive {
			if len(s.Entries) > 0 {
				first[s.Entries[0].Contestant] = true
			}
			if s.Contest.Verdict == stats.Behind {
				best := s.Contest.Best()
				if better[best.Name] == nil {
					rivals = append(rivals, best.Name)
				}
				if name := fmt.Sprintf("%s (%s)", s.Category, best.Interval); !slices.Contains(better[best.Name], name) {
					better[best.Name] = append(better[best.Name], name)
				}
			}
		}
	}
	counts := fmt.Sprintf("It is ahead of every rival in %d of %s, level with the best in %d and behind in %d.", ahead, text.Count(all, "category", "categories"), level, behind)
	switch {
	case choices[subject]+choices[mostly] == len(inputs):
		out = append(out, fmt.Sprintf("Take %s by default. %s", c.name, counts))
	case choices[rival] == len(inputs):
		out = append(out, fmt.Sprintf("Take %s unless you need what %s does besides. %s", c.on[inputs[0]].Families[0].Name, c.name, counts))
	default:
		out = append(out, fmt.Sprintf("Choose between %s and %s by what else you need: on the whole their times do not decide it. %s", c.name, c.on[inputs[0]].Families[0].Name, counts))
	}
	for _, rival := range rivals {
		out = append(out, fmt.Sprintf("Try %s if this is what your program does most: %s takes longer in %s.", rival, c.name, text.List(better[rival], 3)))
	}
	var idle []string
	for _, f := range c.on[inputs[0]].Families {
		if !first[f.Name] && !slices.Contains(yardsticks, f.Name) {
			idle = append(idle, f.Name)
		}
	}
	if len(idle) > 0 && all >= 4 {
		out = append(out, fmt.Sprintf("You need not consider %s: first in no category.", text.List(idle, 0)))
	}
	return out
}

// yardsticks are what one would use without this project. They take part to be measured against.
var yardsticks = []string{"Baseline", "Channel"}
