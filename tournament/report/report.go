// Package report turns raw benchmark results of one or more machines into pages: a comparison of inputs row by row, or an
// account of a tournament. Every page begins with the answer; tables follow, caveats come last.
//
// The work is done in stages, each a package: parse reads figures, group matches rows, stats does the arithmetic,
// findings draws conclusions by rules, render writes the result. This package puts pages together.
package report

import (
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Options are the choices of a comparison. The zero Options are usable.
type Options = findings.Options

// ReportOptions are the choices of a report about a tournament.
type ReportOptions struct {
	Options
	// Baselines are earlier runs, one for each input in the same order: nil for an input without one.
	Baselines []*parse.Input
	// Narrative asks for prose instead of tables.
	Narrative bool
	// Digest leaves out what needs a page: the samples of every category, and all findings but the gravest.
	Digest bool
}

// Report gives an account of a tournament: of one platform in detail, of several by what they have in common and what
// not. The changes are the analyses of each input that has a baseline against it, in the order of the inputs.
func Report(inputs []*parse.Input, o ReportOptions) (report *render.Report, changes []*findings.Analysis) {
	b := newBuilder(o.Options, inputs)
	b.digest = o.Digest
	b.report.Title = "Tournament on " + text.List(b.labels(), 0)
	for i, then := range o.Baselines {
		if then != nil && !compiledOnly(inputs[i]) {
			changes = append(changes, b.addBaseline(then, inputs[i], o.Options))
		}
	}
	switch {
	case o.Narrative:
		b.narrative()
	case len(b.Inputs) == 1:
		b.onePlatform()
	default:
		b.summary()
	}
	return b.report, changes
}

// builder is a report in the making.
type builder struct {
	*findings.Analysis
	report   *render.Report
	findings []findings.Finding
	answers  [][]Answer     // by input
	compiled []*parse.Input // those where nothing ran; Inputs are the others
	colours  map[string]int // by contestant
	since    []*builder     // each input that has a baseline against it: the baseline first
	digest   bool
	prose    bool // no tables
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
	for i := range ran {
		b.answers = append(b.answers, AnswersOf(b.Analysis, i))
	}
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

// native reports whether an input ran on the machine that it names. Where none did, all count as if they had.
func (b *builder) native(i int) bool {
	is := func(in *parse.Input) bool { return findings.Execution(in.Env) == result.ExecutionNative }
	return is(b.Inputs[i]) || !slices.ContainsFunc(b.Inputs, is)
}
