package report

import (
	"fmt"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// recommendations turns findings and counts into advice. Every item names what it rests on.
func (b *builder) recommendations() {
	out := b.preferences("Event loops", result.KindLoop, result.KindTwin)
	out = append(out, b.preferences("Promises", result.KindPromise, group.KindPromiseTwin)...)
	for _, advice := range []struct {
		kind  findings.Kind
		least findings.Severity
		text  string
	}{
		{findings.FailedCheck, findings.Problem, "Make every suite pass before trusting the times of %s."},
		{findings.Regression, findings.Problem, "Find out why these became slower: %s."},
		{findings.TooGood, findings.Notice, "Check that these do the work they are timed for: %s."},
		{findings.Convergence, findings.Notice, "Find out what these measure before ranking by them: %s."},
		{findings.MemoryGrowth, findings.Notice, "Make the benchmarks drain what they queue, so that memory does not grow with the run: %s."},
		{findings.InverseScale, findings.Notice, "Find out why these get slower as the number grows: %s."},
		{findings.Confound, findings.Warning, "Repeat the comparison with the same: %s."},
		{findings.HighVariance, findings.Warning, "Repeat with more samples or on a quieter machine: %s."},
		{findings.Unproven, findings.Notice, "Take more samples to settle the large differences between %s."},
	} {
		var subjects []string
		for _, f := range b.findings {
			if f.Kind == advice.kind && f.Severity >= advice.least && !slices.Contains(subjects, f.Subject) {
				subjects = append(subjects, f.Subject)
			}
		}
		if len(subjects) > 0 {
			out = append(out, fmt.Sprintf(advice.text, brief(subjects)))
		}
	}
	s := b.report.Section(2, "Recommendations")
	if len(out) == 0 {
		s.Add(render.Paragraph("None follow from the findings."))
		return
	}
	s.Add(out)
}

// preferences says which contestant to prefer and which to give up, from the published categories and their corrected
// twins together: a twin measures what its category only names.
func (b *builder) preferences(title string, published, corrected result.Kind) render.List {
	was, is := b.totals(published), b.totals(corrected)
	one, two := leader(was), leader(is)
	var out render.List
	name := ""
	switch {
	case one != nil && two != nil && one.name == two.name:
		name = one.name
		out = append(out, fmt.Sprintf("%s: prefer %s, which wins %d of %d published categories and %d of %d corrected ones beyond the noise.", title, name, one.total, one.categories, two.total, two.categories))
	case one != nil && two != nil:
		name = two.name
		out = append(out, fmt.Sprintf("%s: %s wins most published categories (%d of %d), %s most corrected ones (%d of %d), which measure what their names say. Prefer %s.", title,
			one.name, one.total, one.categories, two.name, two.total, two.categories, two.name))
	case one != nil:
		name = one.name
		out = append(out, fmt.Sprintf("%s: prefer %s, which wins %d of %d published categories beyond the noise.", title, name, one.total, one.categories))
	case two != nil:
		name = two.name
		out = append(out, fmt.Sprintf("%s: prefer %s, which wins %d of %d corrected categories beyond the noise.", title, name, two.total, two.categories))
	}
	if slices.ContainsFunc(b.findings, func(f findings.Finding) bool { return f.Kind == findings.FailedCheck && f.Subject == name }) {
		out[0] += " Yet it fails a correctness suite: do not adopt it before that is mended."
	}
	if idle := idle(was, is); len(idle) > 0 {
		out = append(out, fmt.Sprintf("%s: consider retiring %s, never among the first two.", title, listAnd(idle)))
	}
	return out
}

// leader returns the total with the most wins, or nil if nobody is ahead.
func leader(ts []*total) *total {
	if len(ts) < 2 || ts[0].total == ts[1].total {
		return nil
	}
	return ts[0]
}

// yardsticks are what one would use without this project. They take part to be measured against.
var yardsticks = []string{"Baseline", "Channel"}

// idle returns the contestants that are never first or second. Among three or fewer, being last says little.
func idle(kinds ...[]*total) []string {
	podiums := make(map[string]int)
	var names []string
	for _, ts := range kinds {
		for _, t := range ts {
			if !slices.Contains(names, t.name) {
				names = append(names, t.name)
			}
			podiums[t.name] += t.podiums
		}
	}
	if len(names) < 4 {
		return nil
	}
	return slices.DeleteFunc(names, func(n string) bool { return podiums[n] > 0 || slices.Contains(yardsticks, n) })
}
