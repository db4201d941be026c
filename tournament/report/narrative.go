package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// narrative tells the story of one platform or several in prose. Every sentence comes from a figure or a finding.
func (b *builder) narrative() {
	b.digest, b.prose = true, true
	b.report.Subtitle = "In prose. The tables are in the report without -narrative."
	b.answer()
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
	b.correctness()
	b.advice()
	b.chapter("How far to trust the figures", findings.ControlFailed, findings.Confound)
	for _, in := range b.compiled {
		b.report.Section(2, in.Label).Add(compiledNote(in))
	}
	if n := len(b.exclusions()); n > 0 {
		b.report.Section(2, "Excluded").Add(render.Paragraphf("%s not measure what the name says. The report without -narrative lists them with the reasons.", text.Count(n, "category does", "categories do")))
	}
	b.issues()
}

// story describes the strengths and weaknesses of one subject, and its places on other platforms.
func (b *builder) story(c *candidate) {
	var paragraphs []render.Block
	inputs := b.telling(c)
	for i, n := range c.on {
		if n == nil || len(n.Decisive) == 0 || !b.native(i) {
			continue
		}
		if !slices.Contains(inputs, i) {
			var lost []string
			for _, st := range n.Decisive {
				if first := st.First(); first != nil && first != st.Subject() {
					lost = append(lost, fmt.Sprintf("%s to %s", st.Category, first.Contestant))
				}
			}
			sentence := fmt.Sprintf("On %s, where each row has one figure, %s has the lowest time in %d of %d categories", b.Inputs[i].Label, c.name, n.lowest(), len(n.Decisive))
			if lost != nil {
				sentence += "; it yields " + text.List(lost, 3)
			}
			paragraphs = append(paragraphs, render.Paragraph(sentence+"."))
			continue
		}
		ahead := n.With(stats.Ahead)
		slices.SortStableFunc(ahead, func(x, y *findings.Standing) int { return cmp.Compare(x.Contest.Best().Ratio, y.Contest.Best().Ratio) })
		var best, worst []string
		for _, st := range ahead[:min(3, len(ahead))] {
			best = append(best, fmt.Sprintf("%s (%s of %s)", st.Category, stats.Times(st.Contest.Best().Ratio), st.Contest.Best().Name))
		}
		for _, st := range n.With(stats.Behind) {
			worst = append(worst, fmt.Sprintf("%s, where %s needs %s and %s %s", st.Category, st.Contest.Best().Name, text.Duration(st.Entry(st.Contest.Best().Name).Figure), c.name, text.Duration(st.Subject().Figure)))
		}
		var parts []string
		if best != nil {
			parts = append(parts, fmt.Sprintf("On %s its lead is clearest in %s.", b.Inputs[i].Label, text.List(best, 0)))
		}
		if worst != nil {
			parts = append(parts, fmt.Sprintf("It is behind in %s.", text.List(worst, 4)))
		}
		if parts != nil {
			paragraphs = append([]render.Block{render.Paragraph(strings.Join(parts, " "))}, paragraphs...)
		}
	}
	if paragraphs != nil {
		b.report.Section(2, c.name+" and its rivals").Add(paragraphs...)
	}
}

// told makes a paragraph of findings: of the first, and how many more there are. The report has them all.
func told(fs []findings.Finding) []render.Block {
	if len(fs) == 0 {
		return nil
	}
	words := fs[0].Text
	if n := len(fs) - 1; n > 0 {
		words += fmt.Sprintf(" The report lists %s more of this kind.", text.Thousands(float64(n), 0))
	}
	return []render.Block{render.Paragraph(words)}
}

// chapter puts the findings of some kinds under a heading, a paragraph for each kind that occurs.
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
	if len(b.Inputs) < 2 {
		return
	}
	var parts []string
	apart := ""
	for _, p := range b.againstFirst() {
		switch {
		case p.Incomparable != "":
			apart = " Times of real and of emulated machines, or of different emulators, are not set against each other."
		case len(p.Rows) > 0:
			parts = append(parts, fmt.Sprintf("%s of those on %s (%s)", stats.GeometricMean(p.Ratios()).String(), b.Inputs[p.B].Label, text.Count(len(p.Rows), "row", "rows")))
		}
	}
	sentence := "No other platform has rows that can be set beside it."
	if parts != nil {
		sentence = fmt.Sprintf("Times on %s are, by the geometric mean over the rows of both, %s.", b.Inputs[0].Label, text.List(parts, 0))
	}
	b.report.Section(2, "Between platforms").Add(render.Paragraph(sentence + apart))
}
