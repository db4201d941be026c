package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// narrative tells the story of one platform or several in prose. Every sentence comes from a figure or a finding.
func (b *builder) narrative() {
	b.report.Subtitle = "In prose. The tables are in the report without -narrative."
	if len(b.Inputs) == 1 {
		s := b.report.Section(2, "The answer")
		lines, _ := Blocks(b.answers[0])
		s.Add(lines...)
		if chart := Plot(b.answers[0]); len(chart.Bars) > 0 {
			s.Add(chart)
		}
	} else {
		b.overall()
	}
	for _, c := range b.candidates() {
		b.story(c)
	}
	b.chapter("When the machine is busy", findings.Collapse)
	b.loadInWords()
	b.betweenPlatforms()
	for _, old := range b.since {
		s := b.report.Section(2, b.changeTitle(old))
		s.Add(render.Paragraph(changeInWords(old)))
		s.Add(told(slices.Concat(only(old.findings, findings.Regression), only(old.findings, findings.Improvement)))...)
	}
	s := b.report.Section(2, "Correctness")
	s.Add(render.Paragraph(b.checksInWords()))
	s.Add(told(b.failures())...)
	b.advice()
	b.chapter("How far to trust the figures", findings.ControlFailed, findings.Confound)
	for _, in := range b.compiled {
		b.report.Section(2, in.Label).Add(compiledNote(in))
	}
	if n := len(b.allExclusions()); n > 0 {
		b.report.Section(2, "Excluded").Add(render.Paragraphf("%s not measure what the name says. The report without -narrative lists them with the reasons.", text.Count(n, "category does", "categories do")))
	}
	b.report.Section(2, "What was not used, repaired or doubtful").Add(render.Paragraph(b.issuesInWords()))
}

// story tells of one subject: how it stands to each rival, where it shines, where it fails, and what other platforms add.
func (b *builder) story(c *candidate) {
	inputs := b.telling(c)
	if inputs == nil {
		return
	}
	s := b.report.Section(2, c.name+" and its rivals")
	for _, i := range inputs {
		n := c.on[i]
		on := ""
		if len(b.Inputs) > 1 {
			on = " on " + b.Inputs[i].Label
		}
		var standing []string
		for _, f := range n.Families {
			standing = append(standing, fmt.Sprintf("%s of %s's", stats.Times(f.Ratio), f.Name))
		}
		s.Add(render.Paragraphf("Over all categories%s %s takes %s time.", on, c.name, text.List(standing, 0)))
		var best, worst []string
		for _, st := range byRatio(n.With(stats.Ahead)) {
			best = append(best, fmt.Sprintf("%s (%s of %s)", st.Category, stats.Times(st.Contest.Best().Ratio), st.Contest.Best().Name))
		}
		for _, st := range n.With(stats.Behind) {
			worst = append(worst, fmt.Sprintf("%s, where %s needs %s and %s %s", st.Category, st.Contest.Best().Name, text.Duration(st.Entry(st.Contest.Best().Name).Figure), c.name, text.Duration(st.Subject().Figure)))
		}
		var parts []string
		if best != nil {
			parts = append(parts, fmt.Sprintf("Its lead is clearest in %s.", text.List(best[:min(3, len(best))], 0)))
		}
		if worst != nil {
			parts = append(parts, fmt.Sprintf("It is behind in %s.", text.List(worst, 4)))
		}
		if parts != nil {
			s.Add(render.Paragraph(strings.Join(parts, " ")))
		}
	}
	var others []string
	for i, n := range c.on {
		if n == nil || len(n.Decisive) == 0 || slices.Contains(inputs, i) || !b.native(i) {
			continue
		}
		var lost []string
		for _, st := range n.Decisive {
			if first := st.First(); first != nil && first != st.Subject() {
				lost = append(lost, fmt.Sprintf("%s to %s", st.Category, first.Contestant))
			}
		}
		sentence := fmt.Sprintf("On %s %s has the lowest time in %d of %d categories", b.Inputs[i].Label, c.name, n.lowest(), len(n.Decisive))
		if lost != nil {
			sentence += "; it yields " + text.List(lost, 3)
		}
		others = append(others, sentence+".")
	}
	if others != nil {
		s.Add(render.Paragraph("Elsewhere each row has one figure, which shows a direction and decides nothing. " + strings.Join(others, " ")))
	}
	gaps := slices.DeleteFunc(only(b.worthTelling(), findings.LatencyGap), func(f findings.Finding) bool {
		return !slices.ContainsFunc(inputs, func(i int) bool {
			return slices.ContainsFunc(c.on[i].Decisive, func(st *findings.Standing) bool { return st.Category == f.Subject })
		})
	})
	s.Add(told(gaps)...)
}

// byRatio orders categories by the ratio to the rival that decides, lowest first.
func byRatio(standings []*findings.Standing) []*findings.Standing {
	slices.SortStableFunc(standings, func(x, y *findings.Standing) int {
		return int(math.Copysign(1, x.Contest.Best().Ratio-y.Contest.Best().Ratio))
	})
	return standings
}

// told makes a paragraph of findings. Prose stops after a few of a kind; the report has them all.
func told(fs []findings.Finding) []render.Block {
	const most = 1
	var texts []string
	for _, f := range fs[:min(len(fs), most)] {
		texts = append(texts, f.Text)
	}
	if n := len(fs) - most; n > 0 {
		texts = append(texts, fmt.Sprintf("The report lists %s more of this kind.", text.Thousands(float64(n), 0)))
	}
	if texts == nil {
		return nil
	}
	return []render.Block{render.Paragraph(strings.Join(texts, " "))}
}

// chapter puts the findings of some kinds under a heading, a paragraph for each kind, and nothing where there are none.
func (b *builder) chapter(title string, kinds ...findings.Kind) {
	var paragraphs []render.Block
	for _, kind := range kinds {
		paragraphs = append(paragraphs, told(only(b.worthTelling(), kind))...)
	}
	if paragraphs != nil {
		b.report.Section(2, title).Add(paragraphs...)
	}
}

// betweenPlatforms tells how the inputs differ from the first where they measured the same.
func (b *builder) betweenPlatforms() {
	var parts []string
	apart := ""
	for _, p := range b.Pairs[:max(0, len(b.Inputs)-1)] { // the first against the others
		switch {
		case p.Incomparable != "":
			apart = " Times of real and of emulated machines, or of different emulators, are not set against each other."
		case len(p.Rows) > 0:
			parts = append(parts, fmt.Sprintf("%s of those on %s (%s)", text.Mean(stats.GeometricMean(p.Ratios())), b.Inputs[p.B].Label, text.Count(len(p.Rows), "row", "rows")))
		}
	}
	sentence := "No other platform has rows that can be set beside it."
	switch {
	case len(b.Inputs) < 2:
		return
	case parts != nil:
		sentence = fmt.Sprintf("Times on %s are, by the geometric mean over the rows of both, %s.", b.Inputs[0].Label, text.List(parts, 0))
	}
	b.report.Section(2, "Between platforms").Add(render.Paragraph(sentence + apart))
}

// changeInWords sums up the change since an earlier run.
func changeInWords(old *builder) string {
	p := old.Pairs[0]
	if p.Incomparable != "" {
		return fmt.Sprintf("The times are not comparable: %s.", p.Incomparable)
	}
	return fmt.Sprintf("Of %s in both runs, %d became slower and %d faster by more than %.4g%%. The earlier times are %s of those now, by the geometric mean.",
		text.Count(len(p.Rows), "row", "rows"), len(old.Regressions(p)), len(old.Improvements(p)), 100*old.Threshold, text.Mean(stats.GeometricMean(p.Ratios())))
}

// checksInWords sums up the outcomes of the correctness suites and gives the reasons of those that were skipped.
func (b *builder) checksInWords() string {
	by, race := b.tally()
	var skipped []string
	for _, in := range b.Inputs {
		for _, c := range in.Checks {
			if reason := fmt.Sprintf("%s by %s", c.Suite, c.Contestant); c.Status == result.Skip && !slices.Contains(skipped, reason) {
				skipped = append(skipped, reason)
			}
		}
	}
	total := by[result.Pass] + by[result.Fail] + by[result.Skip] + by[result.NA]
	if total == 0 {
		return "The inputs hold no outcomes of correctness suites."
	}
	line := fmt.Sprintf("Of %s of correctness suites %d passed and %d failed; %d were skipped and %d did not apply.", text.Count(total, "outcome", "outcomes"), by[result.Pass], by[result.Fail], by[result.Skip], by[result.NA])
	if race > 0 {
		line += fmt.Sprintf(" %d of them ran under the race detector.", race)
	}
	if skipped != nil {
		line += " Skipped were " + text.List(skipped, 6) + "."
	}
	return line
}

// issuesInWords counts what was not used, by kind.
func (b *builder) issuesInWords() string {
	lines, counts := b.issueCounts()
	var parts []string
	for _, kind := range parse.IssueKinds {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", text.Thousands(float64(n), 0), kind))
		}
	}
	if parts == nil {
		return fmt.Sprintf("Nothing: every one of the %s lines was understood.", text.Thousands(float64(lines), 0))
	}
	return fmt.Sprintf("Of %s lines read, by kind: %s.", text.Thousands(float64(lines), 0), text.List(parts, 0))
}

// loadInWords answers what a reader would ask first.
func (b *builder) loadInWords() {
	const most = 1
	s := b.report.Section(2, "Under load")
	found := false
	for i, in := range b.Inputs {
		if !b.native(i) {
			continue
		}
		choices := load.Choices(in.Loads)
		said := 0
		for i := range choices {
			c := &choices[i]
			if said == most || !fixedRate(c.Spec) {
				continue
			}
			said, found = said+1, true
			s.Add(render.Paragraph(c.Answer(load.Question{Cost: c.Spec.Cost, Rate: float64(c.Spec.Rate)})))
		}
	}
	if !found {
		s.Add(render.Paragraph(unloaded))
	}
}
