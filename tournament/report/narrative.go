package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// narrative tells what was found in prose: by subject instead of by table, every sentence from a finding or a count.
func (b *builder) narrative(old *builder) {
	b.report.Subtitle = "In prose, assembled from the findings. The tables are in the report without -narrative."
	intro := b.report.Section(2, "What was measured")
	for _, in := range b.Inputs {
		rows, samples := len(in.Rows), 0
		for _, r := range in.Rows {
			samples += len(r.Samples)
		}
		text := fmt.Sprintf("%s contributes %s in %s", in.Label, counted(rows, "row", "rows"), counted(samples, "sample", "samples"))
		if n := len(in.Checks); n > 0 {
			text += fmt.Sprintf(" and %s", counted(n, "outcome of a correctness suite", "outcomes of correctness suites"))
		}
		if in.Env.Execution == result.ExecutionEmulated {
			text += "; it ran emulated, and its times are not ranked against those of real machines"
		}
		intro.Add(render.Paragraph(text + "."))
	}
	for _, in := range b.compiled {
		intro.Add(compiledNote(in))
	}
	b.chapter("Before any number", "", findings.Confound, findings.TooGood, findings.Convergence, findings.MemoryGrowth, findings.HighVariance)
	for _, k := range findings.Kinds {
		ts := b.totals(k.Kind)
		if len(ts) == 0 {
			continue
		}
		s := b.report.Section(2, "The "+k.Name)
		s.Add(render.Paragraph(b.standingInWords(ts)))
		for _, f := range b.findings {
			if f.Kind == findings.Champion && strings.Contains(f.Text, k.Name) {
				s.Add(render.Paragraph(f.Text))
			}
		}
		for _, t := range ts {
			b.portrait(t, k.Kind)
		}
	}
	b.chapter("Between platforms", "", findings.LatencyGap, findings.InverseScale, findings.Sensitivity, findings.AllocMismatch, findings.Irrelevant, findings.Unproven)
	if old != nil {
		b.chapter("Since the earlier run", "Nothing changed by more than the threshold beyond the noise.", findings.Regression, findings.Improvement)
	}
	b.chapter("Correctness", b.checksInWords(), findings.FailedCheck)
	b.recommendations()
	b.issues()
}

// chapter puts the findings of some kinds under a heading; without any it says otherwise, or nothing if that is empty.
func (b *builder) chapter(title, otherwise string, kinds ...findings.Kind) {
	var texts []render.Block
	for _, kind := range kinds {
		var same []string
		for _, f := range b.findings {
			if f.Kind == kind {
				same = append(same, f.Text)
			}
		}
		const most = 12
		if n := len(same); n > most {
			same = append(same[:most], fmt.Sprintf("The report lists %d more of this kind.", n-most))
		}
		if len(same) > 0 {
			texts = append(texts, render.Paragraph(strings.Join(same, " ")))
		}
	}
	if len(texts) == 0 {
		if otherwise == "" {
			return
		}
		texts = append(texts, render.Paragraph(otherwise))
	}
	b.report.Section(2, title).Add(texts...)
}

func (b *builder) standingInWords(ts []*total) string {
	var parts []string
	for _, t := range ts {
		parts = append(parts, fmt.Sprintf("%s wins %d of %d", t.name, t.total, t.categories))
	}
	n := 0
	for i := range b.Inputs {
		if b.counts(i) {
			n++
		}
	}
	return fmt.Sprintf("Over %s, counting only leads beyond the noise: %s.", counted(n, "platform", "platforms"), strings.Join(parts, ", "))
}

// portrait tells of one contestant where it leads, where it trails, and what the rules found about it.
func (b *builder) portrait(t *total, kind result.Kind) {
	s := b.report.Section(3, t.name)
	var wins, trails []string
	for i, in := range b.Inputs {
		for _, st := range b.Ranked(i, kind) {
			e := st.Entry(t.name)
			if e == nil || e.Dubious != "" {
				continue
			}
			if st.Winner() == e {
				wins = append(wins, fmt.Sprintf("%s on %s", st.Category, in.Label))
			}
			if best := st.First().Time.Median; e.Time.Median >= 3*best {
				trails = append(trails, fmt.Sprintf("%s on %s (%s the best)", st.Category, in.Label, findings.Factor(e.Time.Median/best)))
			}
		}
	}
	text := "It wins nothing beyond the noise."
	if len(wins) > 0 {
		text = "It wins " + brief(wins) + "."
	}
	if len(trails) > 0 {
		text += " It takes three times as long as the best or more in " + brief(trails) + "."
	}
	s.Add(render.Paragraph(text))
	var about []string
	for _, f := range b.findings {
		if (f.Subject == t.name || strings.HasSuffix(f.Subject, "/"+t.name)) && f.Kind != findings.Champion {
			about = append(about, f.Text)
		}
	}
	if len(about) > 6 {
		about = append(about[:6], fmt.Sprintf("The report lists %d more findings about it.", len(about)-6))
	}
	if len(about) > 0 {
		s.Add(render.Paragraph(strings.Join(about, " ")))
	}
}

func brief(names []string) string {
	const most = 6
	if n := len(names); n > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return listAnd(names)
}

func (b *builder) checksInWords() string {
	n := 0
	for _, in := range b.Inputs {
		n += len(in.Checks)
	}
	if n == 0 {
		return "The inputs hold no outcomes of correctness suites."
	}
	return fmt.Sprintf("None of %s failed.", counted(n, "outcome", "outcomes"))
}

// recommendations turns findings and counts into advice. Every item names what it rests on.
func (b *builder) recommendations() {
	var out render.List
	failing := make(map[string]bool)
	for _, f := range b.findings {
		if f.Kind == findings.FailedCheck {
			failing[f.Subject] = true
		}
	}
	for _, k := range findings.Kinds {
		ts := b.totals(k.Kind)
		if len(ts) < 2 || ts[0].total == ts[1].total {
			continue
		}
		switch first := ts[0]; {
		case failing[first.name]:
			out = append(out, fmt.Sprintf("%s: %s wins %d of %d categories, but fails a correctness suite. Do not adopt it before that is fixed.", k.Name, first.name, first.total, first.categories))
		default:
			out = append(out, fmt.Sprintf("%s: prefer %s, which wins %d of %d categories beyond the noise.", k.Name, first.name, first.total, first.categories))
		}
		var idle []string
		for _, t := range ts {
			if t.podiums == 0 {
				idle = append(idle, t.name)
			}
		}
		if len(idle) > 0 {
			out = append(out, fmt.Sprintf("%s: consider retiring %s, never among the first two.", k.Name, listAnd(idle)))
		}
	}
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
