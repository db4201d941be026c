package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// The suffixes of the labels of two runs of one platform.
const (
	earlier = ", earlier"
	now     = ", now"
)

// matchBaselines finds the earlier run of each input by its platform. The outcome has one entry for each input, nil
// where there is none. One input and one baseline always belong together: if they differ,
// the report calls it a confound.
func matchBaselines(inputs, baselines []*parse.Input) ([]*parse.Input, error) {
	if len(inputs) == 1 && len(baselines) == 1 {
		return baselines, nil
	}
	var errs []error
	at := make(map[string]int)
	var have []string
	for i, in := range inputs {
		p := platform(in)
		if j, ok := at[p]; ok {
			errs = append(errs, fmt.Errorf("%s and %s are both of %s, so that -baseline cannot tell which is which; report on each by itself", inputs[j].Path, in.Path, p))
			continue
		}
		at[p], have = i, append(have, p)
	}
	out := make([]*parse.Input, len(inputs))
	for _, then := range baselines {
		p := platform(then)
		i, ok := at[p]
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("the baseline %s is of %s, and none of the runs is; they are of %s", then.Path, p, text.List(have, 0)))
		case out[i] != nil:
			errs = append(errs, fmt.Errorf("the baselines %s and %s are both of %s; give one for each platform", out[i].Path, then.Path, p))
		default:
			out[i] = then
		}
	}
	return out, errors.Join(errs...)
}

// platform is what an input and its baseline have in common: the system and how it ran, or the label of a file that
// does not state its system.
func platform(in *parse.Input) string {
	if in.Env.GOOS == "" {
		return in.Label
	}
	return in.Env.GOOS + "/" + in.Env.GOARCH + " " + string(findings.Execution(in.Env))
}

// addBaseline compares an input with its baseline and takes over the findings.
func (b *builder) addBaseline(then, in *parse.Input, o Options) *findings.Analysis {
	// Copies, because matching gives the two runs of one platform labels of their own.
	x, y := *then, *in
	x.Label, y.Label = in.Label+earlier, in.Label+now
	o.Earlier = true
	old := newBuilder(o, []*parse.Input{&x, &y})
	for _, f := range old.findings {
		if f.Kind == findings.Regression || f.Kind == findings.Improvement || f.Kind == findings.Confound {
			b.findings = append(b.findings, f)
		}
	}
	slices.SortStableFunc(b.findings, func(f, g findings.Finding) int { return cmp.Compare(g.Severity, f.Severity) })
	b.since = append(b.since, old)
	return old.Analysis
}

// changeTitle is the heading for an input and its baseline.
func (b *builder) changeTitle(old *builder) string {
	const title = "Change since the earlier run"
	if len(b.Inputs) == 1 {
		return title
	}
	return title + ": " + strings.TrimSuffix(old.Inputs[old.Pairs[0].B].Label, now)
}

// changeInWords sums up the change since an earlier run.
func changeInWords(old *builder) string {
	p := old.Pairs[0]
	line := fmt.Sprintf("Of %s in both runs, %d became slower and %d faster by more than %.4g%%. Geometric mean of earlier over now: %s.",
		text.Count(len(p.Rows), "row", "rows"), len(old.Regressions(p)), len(old.Improvements(p)), 100*old.Threshold, stats.GeometricMean(p.Ratios()).String())
	if p.Incomparable != "" {
		line += fmt.Sprintf(" The times are not comparable: %s.", p.Incomparable)
	}
	if gone, fresh := oneSided(old.Analysis, p); gone+fresh > 0 {
		line += fmt.Sprintf(" %s of the earlier run no longer there; %s new.", text.Count(gone, "row is", "rows are"), text.Count(fresh, "row is", "rows are"))
	}
	return line
}

// change compares the input with an earlier run.
func (b *builder) change(old *builder) {
	p := old.Pairs[0]
	worse, better := old.Regressions(p), old.Improvements(p)
	t := render.NewTable("Benchmark", "#Earlier ns/op", "#Now ns/op", "#Change", "#Low", "#High", "Verdict")
	t.Note = "A change is measured against the other contestants of the category, in the same rounds, where there are two or more."
	rows := p.Rows
	if b.digest {
		rows = slices.Concat(worse, better)
	}
	share := func(ratio float64) render.Cell { // that is added to 1, or a factor where it is large
		c := render.Percent(ratio - 1)
		switch {
		case ratio > 10:
			c.Text = text.Factor(ratio)
		case ratio > 1:
			c.Text = "+" + c.Text
		}
		return c
	}
	for _, r := range rows {
		verdict := render.T(r.Change.Verdict.String()).With(render.Muted)
		switch {
		case slices.Contains(worse, r):
			verdict = render.T("regression").With(render.Bad)
		case slices.Contains(better, r):
			verdict = render.T("improvement").With(render.Good)
		case r.Change.Verdict == stats.Ahead || r.Change.Verdict == stats.Behind:
			verdict = render.T("small change")
		}
		t.Add(r.Row.Label, old.Figure(r.Row, p.A), old.Figure(r.Row, p.B), share(r.Change.Ratio), share(r.Change.Lo), share(r.Change.Hi), verdict)
	}
	b.report.Section(2, b.changeTitle(old)).Add(render.Paragraph(changeInWords(old)), t)
}
