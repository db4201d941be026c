package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// narrative tells what was found in prose: by subject instead of by table, every sentence from a finding or a count.
func (b *builder) narrative() {
	b.report.Subtitle = "In prose, assembled from the findings. The tables are in the report without -narrative."
	s := b.report.Section(2, "What was measured")
	for _, in := range b.Inputs {
		s.Add(render.Paragraph(measured(in)))
	}
	for _, in := range b.compiled {
		s.Add(compiledNote(in))
	}
	b.chapter("How far to trust the figures", findings.Confound, findings.ToldApart, findings.NothingHappened, findings.TwinDisagreement, findings.Wait, findings.UnequalWork,
		findings.Duplicates, findings.TooGood, findings.Convergence, findings.Modes, findings.MemoryGrowth, findings.HighVariance)
	for _, corrected := range []bool{true, false} { // what measures what it says comes first
		for _, k := range findings.Kinds {
			if corrected == (k.Kind != result.KindLoop && k.Kind != result.KindPromise) {
				b.contest(k)
			}
		}
	}
	b.loadInWords()
	b.betweenPlatforms()
	for _, old := range b.since {
		s := b.report.Section(2, b.changeTitle(old))
		s.Add(render.Paragraph(changeInWords(old)))
		s.Add(told(slices.Concat(only(old.findings, findings.Regression), only(old.findings, findings.Improvement)))...)
	}
	s = b.report.Section(2, "Correctness")
	s.Add(render.Paragraph(b.checksInWords()))
	s.Add(told(only(b.findings, findings.FailedCheck))...)
	b.recommendations()
	b.report.Section(2, "What was not used, repaired or doubtful").Add(render.Paragraph(b.issuesInWords()))
}

// measured tells where an input comes from and what it holds.
func measured(in *parse.Input) string {
	e := in.Env
	var with []string
	if e.CPU != "" {
		with = append(with, e.CPU)
	}
	var by []string
	if e.GOMAXPROCS > 0 {
		by = append(by, fmt.Sprintf("GOMAXPROCS %d", e.GOMAXPROCS))
	}
	if e.GoVersion != "" {
		by = append(by, e.GoVersion)
	}
	if len(by) > 0 {
		with = append(with, "with "+listAnd(by))
	}
	if !e.Date.IsZero() {
		with = append(with, e.Date.Format("on 2 January 2006"))
	}
	text := fmt.Sprintf("The run on %s", in.Label)
	if len(with) > 0 {
		text += ", " + strings.Join(with, ", ") + ","
	}
	text += " holds " + counted(samplesOf(in), "sample", "samples")
	if p := in.Protocol; p.Benchtime > 0 {
		text += fmt.Sprintf(" of %v, %s,", p.Benchtime, p.Order)
	}
	text += " in " + counted(len(in.Rows)+len(in.Loads), "row", "rows")
	if n := len(in.Checks); n > 0 {
		text += fmt.Sprintf(", and %s", counted(n, "outcome of a correctness suite", "outcomes of correctness suites"))
	}
	text += "."
	if e.Execution == result.ExecutionEmulated {
		text += " It ran emulated: its times are not ranked against those of real machines."
	}
	return text
}

// only returns the findings of one kind.
func only(fs []findings.Finding, kind findings.Kind) []findings.Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f findings.Finding) bool { return f.Kind != kind })
}

// told makes a paragraph of findings. Prose stops after a few of a kind; the report has them all.
func told(fs []findings.Finding) []render.Block {
	const most = 6
	var texts []string
	for _, f := range fs[:min(len(fs), most)] {
		texts = append(texts, f.Text)
	}
	if n := len(fs) - most; n > 0 {
		texts = append(texts, fmt.Sprintf("The report lists %s more of this kind.", render.Thousands(float64(n), 0)))
	}
	if len(texts) == 0 {
		return nil
	}
	return []render.Block{render.Paragraph(strings.Join(texts, " "))}
}

// chapter puts the findings of some kinds under a heading, a paragraph for each kind, and nothing where there are none.
func (b *builder) chapter(title string, kinds ...findings.Kind) {
	var paragraphs []render.Block
	for _, kind := range kinds {
		paragraphs = append(paragraphs, told(only(b.findings, kind))...)
	}
	if len(paragraphs) > 0 {
		b.report.Section(2, title).Add(paragraphs...)
	}
}

// betweenPlatforms tells how the inputs differ where they measured the same.
func (b *builder) betweenPlatforms() {
	if len(b.Inputs) < 2 {
		return
	}
	s := b.report.Section(2, "Between platforms")
	for _, p := range b.Pairs {
		x, y := b.Inputs[p.A].Label, b.Inputs[p.B].Label
		if p.Incomparable != "" {
			s.Add(render.Paragraphf("The times of %s and %s are not set against each other: %s.", x, y, p.Incomparable))
			continue
		}
		sc := b.Score(p)
		text := fmt.Sprintf("Of the %s that %s and %s both have, %s is faster beyond the noise in %d and %s in %d; ", counted(len(p.Rows), "row", "rows"), x, y, x, sc.FasterA, y, sc.FasterB)
		text += counted(sc.Ties, "is a tie", "are ties")
		if sc.Unknown > 0 {
			text += fmt.Sprintf(", and %d had too few samples", sc.Unknown)
		}
		s.Add(render.Paragraphf("%s. The times on %s are %s those on %s, by the geometric mean and its 95%% interval.", text, x, interval(stats.GeometricMean(p.Ratios())), y))
	}
	// Rows of contestants are told of with the contestant.
	sensitive := slices.DeleteFunc(only(b.findings, findings.Sensitivity), func(f findings.Finding) bool { return b.ofContestant(f) })
	if len(sensitive) > 0 {
		s.Add(render.Paragraph(sensitivityInWords(sensitive)))
	}
	for _, kind := range []findings.Kind{findings.AllocMismatch, findings.Unproven, findings.Irrelevant} {
		s.Add(told(only(b.findings, kind))...)
	}
}

// sensitivityInWords names the rows that depend most on the platform. Their findings state the factor last.
func sensitivityInWords(fs []findings.Finding) string {
	factor := func(f findings.Finding) float64 { return f.Evidence[len(f.Evidence)-1].Value }
	slices.SortStableFunc(fs, func(f, g findings.Finding) int {
		switch {
		case factor(f) > factor(g):
			return -1
		case factor(f) < factor(g):
			return 1
		}
		return 0
	})
	var names []string
	for _, f := range fs {
		fast, slow := f.Evidence[0], f.Evidence[1]
		names = append(names, fmt.Sprintf("%s (%s on %s, %s on %s)", f.Subject, findings.Nanoseconds(fast.Value), fast.Name, findings.Nanoseconds(slow.Value), slow.Name))
	}
	return fmt.Sprintf("%s by a factor of three or more between platforms: %s.", counted(len(fs), "row of the component suite differs", "rows of the component suite differ"), brief(names))
}

// changeInWords sums up the change since an earlier run.
func changeInWords(old *builder) string {
	p := old.Pairs[0]
	if p.Incomparable != "" {
		return fmt.Sprintf("The times are not comparable: %s.", p.Incomparable)
	}
	worse, better := len(old.Regressions(p)), len(old.Improvements(p))
	return fmt.Sprintf("Of %s in both runs, %d became slower and %d faster by more than %.4g%% and beyond the noise (%s). The earlier times are %s those of now, by the geometric mean.",
		counted(len(p.Rows), "row", "rows"), worse, better, 100*old.Threshold, old.Correction.Name(), interval(stats.GeometricMean(p.Ratios())))
}

// checksInWords sums up the outcomes of the correctness suites and gives the reasons of those that were skipped.
func (b *builder) checksInWords() string {
	by := make(map[result.Status]int)
	race, total := 0, 0
	var skipped []string
	for _, in := range b.Inputs {
		for _, c := range in.Checks {
			by[c.Status]++
			total++
			if c.Race {
				race++
			}
			if reason := fmt.Sprintf("%s by %s (%s)", c.Suite, c.Contestant, c.Detail); c.Status == result.Skip && !slices.Contains(skipped, reason) {
				skipped = append(skipped, reason)
			}
		}
	}
	if total == 0 {
		return "The inputs hold no outcomes of correctness suites."
	}
	text := fmt.Sprintf("Of %s of correctness suites %d passed and %d failed; %d were skipped and %d did not apply.", counted(total, "outcome", "outcomes"), by[result.Pass], by[result.Fail], by[result.Skip], by[result.NA])
	if race > 0 {
		text += fmt.Sprintf(" %d of them ran under the race detector.", race)
	}
	if len(skipped) > 0 {
		text += " Skipped were " + brief(skipped) + "."
	}
	return text
}

// issuesInWords counts what was not used, by kind.
func (b *builder) issuesInWords() string {
	lines, counts := b.issueCounts()
	var parts []string
	for _, kind := range parse.IssueKinds {
		if n := counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", render.Thousands(float64(n), 0), kind))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("Nothing: every one of the %s lines was understood.", render.Thousands(float64(lines), 0))
	}
	return fmt.Sprintf("Of %s lines read, by kind: %s. The report without -narrative says where each stands.", render.Thousands(float64(lines), 0), listAnd(parts))
}

func brief(names []string) string {
	const most = 6
	if n := len(names); n > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return listAnd(names)
}
