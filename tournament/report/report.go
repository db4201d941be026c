// Package report turns raw benchmark results of one or more machines into reports: a comparison of inputs row by row,
// or an account of a tournament with rankings, sweeps, correctness and advice.
//
// The work is done in stages, each a package: parse reads figures, group matches rows, stats does the arithmetic,
// findings draws conclusions by rules, render writes the result. This package puts tables and findings together.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Options are the choices of a report. The zero Options are usable.
type Options = findings.Options

// builder is a report in the making.
type builder struct {
	*findings.Analysis
	report   *render.Report
	findings []findings.Finding
	compiled []*parse.Input // those where nothing ran; Inputs are the others
	colours  map[string]int // by contestant
	since    []*builder     // each input that has a baseline against it: the baseline first
}

func newBuilder(o Options, inputs []*parse.Input) *builder {
	b := &builder{report: &render.Report{}}
	var ran []*parse.Input
	for _, in := range inputs {
		if compiledOnly(in) {
			b.compiled = append(b.compiled, in)
		} else {
			ran = append(ran, in)
		}
	}
	b.Analysis = findings.Analyse(group.Match(ran...), o)
	b.findings = findings.Find(b.Analysis)
	return b
}

// compiledOnly reports whether an input says that programs were built on its platform, and that none ran.
func compiledOnly(in *parse.Input) bool { return in.Env.Execution == result.ExecutionCompiled }

func (b *builder) labels() []string {
	var out []string
	for _, in := range b.Inputs {
		out = append(out, in.Label)
	}
	return out
}

// inputs describes where the figures come from.
func (b *builder) inputs() {
	s := b.report.Section(2, "Inputs")
	t := &render.Table{Columns: append(render.Words("Input", "System", "Processor", "Go", "Ran", "Date"), render.Numbers("GOMAXPROCS", "Rows", "Samples", "Checks")...)}
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
	if apart != nil {
		s.Add(render.Paragraph("The times of these are not ranked against each other; their ratios are shown for orientation only:"), apart)
	}
}

// compiledNote says what is known of a platform where nothing ran.
func compiledNote(in *parse.Input) render.Block {
	return render.Paragraphf("%s was compiled and vetted only. Nothing ran there, and nothing below is about it.", in.Label)
}

// foremost is how many findings stand before everything else.
const foremost = 7

// leading shows the findings that a reader must know before any table, the gravest of each kind first; the rest is folded.
func (b *builder) leading() {
	var grave []findings.Finding
	for _, f := range b.findings {
		if f.Severity >= findings.Warning || f.Kind == findings.Champion {
			grave = append(grave, f)
		}
	}
	s := b.report.Section(2, "Know first")
	if len(grave) == 0 {
		s.Add(render.Paragraph("No rule found anything that would mislead a reader of the tables below."))
		return
	}
	// One of each kind, then the others in order.
	var first, rest render.FindingList
	seen := make(map[findings.Kind]bool)
	for _, f := range grave {
		if len(first) < foremost && !seen[f.Kind] {
			first, seen[f.Kind] = append(first, f), true
		} else {
			rest = append(rest, f)
		}
	}
	for len(first) < foremost && len(rest) > 0 {
		first, rest = append(first, rest[0]), rest[1:]
	}
	s.Add(first)
	if len(rest) > 0 {
		s.Add(render.Folded{Summary: counted(len(rest), "finding", "findings") + " more", Blocks: shown(rest, 60, "\"All findings\" lists every one")})
	}
}

// shown bounds a list of findings; where says where the rest is.
func shown(fs []findings.Finding, most int, where string) []render.Block {
	if len(fs) <= most {
		return []render.Block{render.FindingList(fs)}
	}
	return []render.Block{render.FindingList(fs[:most]), render.Paragraphf("And %s more; %s.", render.Thousands(float64(len(fs)-most), 0), where)}
}

// allFindings lists every finding.
func (b *builder) allFindings() {
	s := b.report.Section(2, "All findings")
	if len(b.findings) == 0 {
		s.Add(render.Paragraph("None."))
		return
	}
	s.Add(render.Folded{Summary: counted(len(b.findings), "finding", "findings"), Blocks: shown(b.findings, findingsShown, "they are the least grave")})
}

// method says how the figures were made.
func (b *builder) method() {
	b.report.Section(2, "How to read this").Add(render.List{
		"Times are per operation; lower is better. A contestant's figure in a category is the geometric mean over the processes that took its samples; ranks, tests and plots use the same. A dot is a sample, the larger mark the figure, the line its 95% interval.",
		fmt.Sprintf("Ahead: a paired test on the logarithms of the ratios tells the first from each of the others (p < %g after Holm's correction for all categories shown together) and the lead is above the noise floor. Equivalent: two one-sided tests show the first two less than %.0f%% apart. Undecided: neither. Undecided is not equal.", b.Alpha, 100*stats.Margin),
		"The noise floor is how far apart two entries of one program are: what 95 of 100 such pairs stay below, judged by the one in the middle; where a category's own pair is further apart, it is that.",
		"Comparisons of inputs show arithmetic means and sample deviations over the samples of a row, as published ones did; CV is the deviation as a share of the mean. A ratio is the mean of the input named first over that of the other: below 1 the first is faster. Ratios are averaged by the geometric mean.",
		fmt.Sprintf("There a difference counts if Welch's t-test gives p < %g from the t distribution at the row's own degrees of freedom, after the %s correction for the number of rows tested. The Mann–Whitney U test beside it assumes no distribution; with three samples a side it cannot reach 0.05.", b.Alpha, b.Correction.Name()),
		"Allocations and bytes are counts, not measurements, and are compared exactly.",
	})
}

// section returns the heading under which a row is compared: the published split for the component suite, which the
// published comparison used, otherwise the kind.
func section(r *group.Row) string {
	switch r.Kind {
	case result.KindComponent:
		return group.Section(r.Category)
	case result.KindLoop:
		return "Event loops"
	case result.KindTwin:
		return "Corrected loop twins"
	case result.KindDescriptor:
		return "Descriptors"
	case result.KindPromise:
		return "Promises"
	case group.KindPromiseTwin:
		return "Corrected promise twins"
	}
	return "Other"
}

var sectionOrder = append([]string{"Event loops", "Corrected loop twins", "Descriptors", "Promises", "Corrected promise twins"}, group.Sections...)

// bySection splits rows by heading, in order.
func bySection(rows []*findings.PairRow) (order []string, by map[string][]*findings.PairRow) {
	by = make(map[string][]*findings.PairRow)
	for _, r := range rows {
		by[section(r.Row)] = append(by[section(r.Row)], r)
	}
	for _, name := range sectionOrder {
		if len(by[name]) > 0 && !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return order, by
}

func ratiosOf(rows []*findings.PairRow) stats.GeoMean {
	var rs []float64
	for _, r := range rows {
		rs = append(rs, r.Ratio)
	}
	return stats.GeometricMean(rs)
}

// interval prints a geometric mean with its confidence.
func interval(g stats.GeoMean) string {
	switch {
	case g.N == 0:
		return "no rows"
	case g.N == 1:
		return render.Thousands(g.Center, 3) + "× (one row)"
	}
	return fmt.Sprintf("%s× (%s to %s)", render.Thousands(g.Center, 3), render.Thousands(g.Lo, 3), render.Thousands(g.Hi, 3))
}
