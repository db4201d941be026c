package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// caveats end a page: what is excluded, what rules found, how noisy the run was, where the figures come from, and how they are made.
func (b *builder) caveats() {
	b.excluded()
	b.listFindings()
	if !b.digest { // the answer has it
		b.noise()
	}
	b.inputs()
	b.issues()
	b.method()
}

// excluded lists the categories that decide nothing. It is the only place of a page that shows them.
func (b *builder) excluded() {
	lines := b.allExclusions()
	if lines == nil {
		return
	}
	s := b.report.Section(2, "Excluded categories")
	s.Add(render.Paragraph("These do not measure what their names say, so they decide nothing."), lines)
	if b.digest || len(b.Inputs) > 1 {
		return
	}
	var samples []render.Block
	for _, st := range b.Standings {
		if st.Void != "" {
			samples = append(samples, render.Paragraph(st.Category+":"))
			samples = append(samples, b.category(st)...)
		}
	}
	s.Add(render.Folded{Summary: "Their figures", Blocks: samples})
}

// worthTelling returns the findings without those about excluded categories, which the reasons of these state.
func (b *builder) worthTelling() []findings.Finding {
	return slices.DeleteFunc(slices.Clone(b.findings), func(f findings.Finding) bool {
		return slices.ContainsFunc(b.Standings, func(s *findings.Standing) bool {
			return s.Void != "" && (f.Subject == s.Category || f.Subject == s.Sweep.Family && s.Sweep.Family != "" || strings.HasPrefix(f.Subject, "Benchmark"+s.Category+"/"))
		})
	})
}

// seen is how many findings of the same kind stand before one: of each kind the gravest comes first.
func seen(fs []findings.Finding, f findings.Finding) (n int) {
	for _, o := range fs {
		switch {
		case o.Kind == f.Kind && o.Subject == f.Subject && o.Text == f.Text:
			return n
		case o.Kind == f.Kind:
			n++
		}
	}
	return n
}

// foremost is how many findings a digest shows.
const foremost = 2

// fewInputs is with how many inputs a digest has room for details of each.
const fewInputs = 3

// listFindings shows what rules found, the gravest first. A digest has the foremost of those that may mislead a reader.
func (b *builder) listFindings() {
	all := b.worthTelling()
	s := b.report.Section(2, "Findings")
	if b.digest {
		grave := slices.DeleteFunc(slices.Clone(all), func(f findings.Finding) bool { return f.Severity < findings.Warning })
		order := slices.Clone(grave)
		slices.SortStableFunc(grave, func(x, y findings.Finding) int { return seen(order, x) - seen(order, y) })
		all = grave[:min(len(grave), foremost)]
		for _, f := range grave[len(all):] { // a reader of a few platforms needs all differences of their conditions
			if f.Kind == findings.Confound && len(b.Inputs) <= fewInputs {
				all = append(all, f)
			}
		}
	}
	switch shown, note := first(all, findingsShown); {
	case len(all) == 0:
		s.Add(render.Paragraph("No rule found anything that would mislead a reader of the tables above."))
	case len(all) <= foremost:
		s.Add(render.FindingList(all))
	default:
		s.Add(render.FindingList(all[:foremost]))
		rest := []render.Block{render.FindingList(shown[foremost:])}
		if note != "" {
			rest = append(rest, render.Paragraph(note))
		}
		s.Add(render.Folded{Summary: text.Count(len(all)-foremost, "finding", "findings") + " more", Blocks: rest})
	}
}

// noise shows how far replicas are from what they replicate.
func (b *builder) noise() {
	s := &render.Section{Title: "Noise", Level: 2}
	var lines render.List
	for i, in := range b.Inputs {
		t := &render.Table{Title: in.Label, Columns: append(render.Words("Category"), render.Numbers("ns/op", "Replica ns/op", "Ratio", "Low", "High")...)}
		standings := b.standingsOn(i, "")
		for _, s := range standings {
			if s.Replica != nil && s.Entry(s.Replica.First) != nil {
				t.Rows = append(t.Rows, []render.Cell{render.T(s.Category), render.Number(s.Entry(s.Replica.First).Figure, 2), render.Number(s.Replica.Figure, 2), render.Ratio(s.Replica.Ratio), render.Number(s.Replica.Lo, 2), render.Number(s.Replica.Hi, 2)})
			}
		}
		if v, ok := b.Control(standings); v.N > 0 {
			line := fmt.Sprintf("%s: %s of the time, over %s.", in.Label, v, text.Count(v.N, "category", "categories"))
			if !ok {
				line += " The interval does not contain 1, so no verdict of this run holds."
			}
			lines = append(lines, line)
		}
		if t.Rows != nil {
			s.Add(render.Folded{Summary: "Each category on " + in.Label, Blocks: []render.Block{t}})
		}
	}
	if lines != nil {
		s.Blocks = append([]render.Block{render.Paragraph("Replicas are contestants that were entered a second time. What sets them apart is noise:"), lines}, s.Blocks...)
		b.report.Sections = append(b.report.Sections, s)
	}
}

// inputs describes where the figures come from.
func (b *builder) inputs() {
	s := b.report.Section(2, "Inputs")
	t := &render.Table{Columns: append(render.Words("Input", "System", "Processor", "Go", "Ran", "Date"), render.Numbers("GOMAXPROCS", "Rows", "Samples", "Checks")...)}
	if b.digest {
		t.Columns = append(render.Words("Input", "Processor", "Ran", "Date"), render.Numbers("Rows", "Samples")...)
	}
	for _, in := range slices.Concat(b.Inputs, b.compiled) {
		e := in.Env
		ran := string(cmp.Or(e.Execution, "not stated"))
		if e.Emulator != "" {
			ran += " (" + e.Emulator + ")"
		}
		date := "not stated"
		if !e.Date.IsZero() {
			date = e.Date.Format("2006-01-02")
		}
		procs := render.T("not stated")
		if e.GOMAXPROCS > 0 {
			procs = render.Int(e.GOMAXPROCS)
		}
		if b.digest {
			t.Rows = append(t.Rows, []render.Cell{render.T(in.Label), render.T(cmp.Or(e.CPU, "not stated")), render.T(ran), render.T(date), render.Int(len(in.Rows) + len(in.Loads)), render.Int(samplesOf(in))})
			continue
		}
		t.Rows = append(t.Rows, []render.Cell{
			render.T(in.Label), render.T(cmp.Or(strings.Trim(e.GOOS+"/"+e.GOARCH, "/"), "not stated")), render.T(cmp.Or(e.CPU, "not stated")),
			render.T(cmp.Or(e.GoVersion, "not stated")), render.T(ran), render.T(date),
			procs, render.Int(len(in.Rows) + len(in.Loads)), render.Int(samplesOf(in)), render.Int(len(in.Checks)),
		})
	}
	s.Add(t)
	for _, in := range b.compiled {
		s.Add(compiledNote(in))
	}
	var apart render.List
	for _, p := range b.Pairs {
		if p.Incomparable != "" {
			apart = append(apart, fmt.Sprintf("%s: %s", b.Name(p), p.Incomparable))
		}
	}
	switch {
	case apart != nil && b.digest:
		s.Add(render.Paragraph("Times of real and of emulated machines, or of different emulators, are not ranked against each other."))
	case apart != nil:
		s.Add(render.Paragraph("The times of these are not ranked against each other; their ratios are shown for orientation only:"), apart)
	}
}

// compiledNote says what is known of a platform where nothing ran.
func compiledNote(in *parse.Input) render.Block {
	return render.Paragraphf("%s was compiled and vetted only. Nothing ran there, and nothing on this page is about it.", in.Label)
}

// samplesOf counts the samples of an input, those of open-loop categories too.
func samplesOf(in *parse.Input) int {
	n := 0
	for _, r := range in.Rows {
		n += len(r.Samples)
	}
	for i := range in.Loads {
		n += len(in.Loads[i].Samples)
	}
	return n
}

// method says how the figures were made.
func (b *builder) method() {
	if b.digest {
		b.report.Section(2, "How to read this").Add(render.Paragraphf("Times are per operation; lower is better. Ahead: the interval of the ratio lies below 1, against every rival. Behind: it lies above 1, against one rival. Level: it lies within %.0f%% of 1. Undecided: none of these. Rule: docs/tournament.md.", 100*b.Level))
		return
	}
	b.report.Section(2, "How to read this").Add(render.List{
		"Times are per operation; lower is better. A contestant's figure in a category is the geometric mean over the processes that measured it, of which each counts with the middle half of its slices. Ranks, verdicts and plots use the same. A dot is a sample, the larger mark the figure, the line its 95% interval.",
		fmt.Sprintf("A ratio is taken within each process. Ahead: the interval of the ratio lies below 1, against every rival. Behind: it lies above 1, against one rival. Level: it lies within %.0f%% of 1. Undecided: none of these. The intervals hold for all categories together with 95%% confidence, whenever the sampling stops (docs/tournament.md).", 100*b.Level),
		"Contestants of one family differ in one thing. Families are compared by their default members. A replica is a contestant that was entered a second time: what sets it apart is noise.",
		"Two runs share no process. Their ratios and verdicts follow the same rule without pairs. CV is the deviation of the samples as a share of their mean. Ratios are averaged by the geometric mean. Allocations and bytes are compared exactly.",
	})
}

// failures are the correctness suites that a contestant failed somewhere.
func (b *builder) failures() (out []findings.Finding) {
	return only(b.findings, findings.FailedCheck)
}

// only returns the findings of one kind.
func only(fs []findings.Finding, kind findings.Kind) []findings.Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f findings.Finding) bool { return f.Kind != kind })
}

// tally counts the outcomes of correctness suites.
func (b *builder) tally() (by map[result.Status]int, race int) {
	by = make(map[result.Status]int)
	for _, in := range b.Inputs {
		for _, c := range in.Checks {
			by[c.Status]++
			if c.Race {
				race++
			}
		}
	}
	return by, race
}
