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
)

// caveats end a page: excluded categories, findings, inputs, and definitions.
func (b *builder) caveats() {
	b.excluded()
	b.listFindings()
	b.inputs()
	b.issues()
	cv := " CV is the deviation of the samples as a share of their mean."
	if b.digest && len(b.Inputs) > 3 {
		cv = ""
	}
	b.report.Section(2, "How to read this").Add(render.Paragraphf("Times are per operation; lower is better. Ahead: the interval of the ratio lies below 1, against every rival. Behind: it lies above 1, against one rival. Level: it lies within %.0f%% of 1. Undecided: none of these.%s Rule: docs/tournament.md.", 100*b.Level, cv))
}

// exclusions lists the excluded categories, each once with its reason; of several inputs, with those where it is excluded.
func (b *builder) exclusions() (lines render.List) {
	reason, where := make(map[string]string), make(map[string][]string)
	var order []string
	for i, in := range b.Inputs {
		if b.digest && !b.native(i) {
			continue // no verdict of it counts
		}
		for _, n := range b.answers[i] {
			for _, s := range n.Excluded {
				if reason[s.Category] == "" {
					order, reason[s.Category] = append(order, s.Category), s.Void
				}
				where[s.Category] = append(where[s.Category], in.Label)
			}
		}
	}
	for _, category := range order {
		line := category
		if len(b.Inputs) > 1 {
			line += " on " + text.List(where[category], 2)
		}
		lines = append(lines, line+": "+reason[category])
	}
	return lines
}

// excluded lists the categories that decide nothing. It is the only place of a page that shows them.
func (b *builder) excluded() {
	lines := b.exclusions()
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
			samples = append(append(samples, render.Paragraph(st.Category+":")), b.category(st)...)
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

// foremost is how many findings stand open; the others are folded, and a digest leaves them out.
const foremost = 2

// listFindings shows what rules found: one of each kind before the next of any, the gravest first. A digest has the foremost of those
// that may mislead a reader, and all differences between the conditions of a few inputs.
func (b *builder) listFindings() {
	all := b.worthTelling()
	s := b.report.Section(2, "Findings")
	if b.digest {
		all = slices.DeleteFunc(all, func(f findings.Finding) bool { return f.Severity < findings.Warning })
	}
	nth := make(map[findings.Kind]int)
	place := make([]int, len(all))
	order := make([]int, len(all))
	for i, f := range all {
		order[i], place[i] = i, nth[f.Kind]
		nth[f.Kind]++
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(all[j].Severity, all[i].Severity), cmp.Compare(place[i], place[j]))
	})
	var shown, rest render.FindingList
	for k, i := range order {
		switch f := all[i]; {
		case k < foremost || b.digest && f.Kind == findings.Confound && len(b.Inputs) <= 3:
			shown = append(shown, f)
		case !b.digest && len(rest) < 1000:
			rest = append(rest, f)
		}
	}
	if shown == nil {
		s.Add(render.Paragraph("No rule found anything that would mislead a reader of the tables above."))
		return
	}
	s.Add(shown)
	if rest != nil {
		s.Add(render.Folded{Summary: text.Count(len(all)-len(shown), "finding", "findings") + " more", Blocks: []render.Block{rest}})
	}
}

// inputs describes where the figures come from.
func (b *builder) inputs() {
	s := b.report.Section(2, "Inputs")
	t := render.NewTable("Input", "Processor", "Ran", "Date", "#Rows", "#Samples")
	if !b.digest {
		t.Columned("System", "Go", "#GOMAXPROCS")
	}
	var compiled []render.Block
	for _, in := range slices.Concat(b.Inputs, b.compiled) {
		e := in.Env
		ran := string(e.Execution)
		if e.Emulator != "" {
			ran += " (" + e.Emulator + ")"
		}
		date, procs := "–", render.Missing()
		if !e.Date.IsZero() {
			date = e.Date.Format("2006-01-02")
		}
		if e.GOMAXPROCS > 0 {
			procs = render.Number(float64(e.GOMAXPROCS), 0)
		}
		samples := 0
		for _, r := range in.Rows {
			samples += len(r.Samples)
		}
		for i := range in.Loads {
			samples += len(in.Loads[i].Samples)
		}
		row := render.Row(in.Label, cmp.Or(e.CPU, "–"), cmp.Or(ran, "–"), date, len(in.Rows)+len(in.Loads), samples)
		if !b.digest {
			row = append(row, render.Row(cmp.Or(strings.Trim(e.GOOS+"/"+e.GOARCH, "/"), "–"), cmp.Or(e.GoVersion, "–"), procs)...)
		}
		t.Rows = append(t.Rows, row)
		if compiledOnly(in) {
			compiled = append(compiled, compiledNote(in))
		}
	}
	s.Add(t)
	s.Add(compiled...)
	var apart render.List
	for _, p := range b.Pairs {
		if p.Incomparable != "" {
			apart = append(apart, fmt.Sprintf("%s: %s", b.Name(p), p.Incomparable))
		}
	}
	if apart != nil {
		s.Add(render.Paragraph("Times of real and of emulated machines, or of different emulators, are not ranked against each other."))
		if !b.digest {
			s.Add(apart)
		}
	}
}

// compiledNote describes a platform where nothing ran.
func compiledNote(in *parse.Input) render.Block {
	return render.Paragraphf("%s was compiled and vetted only. Nothing ran there, and nothing on this page is about it.", in.Label)
}

// only returns the findings of one kind.
func only(fs []findings.Finding, kind findings.Kind) []findings.Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f findings.Finding) bool { return f.Kind != kind })
}
