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

// What is added to the label of a platform to tell its two runs apart.
const (
	earlier = ", earlier"
	now     = ", now"
)

// matchBaselines finds the earlier run of each input by its platform. The outcome has one entry for each input, nil
// where there is none. One input and one baseline belong together whatever they say of themselves: if they differ,
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

// addBaseline compares an input with its baseline and takes over what was found.
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

// changeTitle heads what is said of an input and its baseline.
func (b *builder) changeTitle(old *builder) string {
	const title = "Change since the earlier run"
	if len(b.Inputs) == 1 {
		return title
	}
	return title + ": " + strings.TrimSuffix(old.Inputs[old.Pairs[0].B].Label, now)
}

// change prints a ratio as a share that is added to 1, or as a factor where it is large.
func change(ratio float64) render.Cell {
	c := render.Percent(ratio - 1)
	switch {
	case ratio > 10:
		c.Text = text.Factor(ratio)
	case ratio > 1:
		c.Text = "+" + c.Text
	}
	return c
}

// change compares the input with an earlier run.
func (b *builder) change(old *builder) {
	p := old.Pairs[0]
	s := b.report.Section(2, b.changeTitle(old))
	worse, better := old.Regressions(p), old.Improvements(p)
	s.Add(render.Paragraphf("Of %s in both runs, %d became slower and %d faster by more than %.4g%%. Geometric mean of earlier over now: %s.",
		text.Count(len(p.Rows), "row", "rows"), len(worse), len(better), 100*old.Threshold, text.Mean(stats.GeometricMean(p.Ratios()))))
	if p.Incomparable != "" {
		s.Add(render.Paragraphf("The times are not comparable: %s.", p.Incomparable))
	}
	t := &render.Table{Columns: append(append(render.Words("Benchmark"), render.Numbers("Earlier ns/op", "Now ns/op", "Change", "Low", "High")...), render.Words("Verdict")...)}
	changed := p.Rows
	if b.digest {
		changed = slices.Concat(worse, better)
	}
	rows, note := first(changed, tableRows)
	t.Note = strings.TrimSpace("A change is measured against the other contestants of the category, in the same rounds, where there are two or more. " + note)
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
		t.Rows = append(t.Rows, []render.Cell{render.T(r.Row.Label), render.Number(old.Figure(r.Row, p.A), 2), render.Number(old.Figure(r.Row, p.B), 2), change(r.Change.Ratio), change(r.Change.Lo), change(r.Change.Hi), verdict})
	}
	if t.Rows != nil {
		s.Add(t)
	}
	if gone, fresh := oneSided(old.Analysis, p); gone+fresh > 0 {
		s.Add(render.Paragraph(fmt.Sprintf("%s of the earlier run no longer there; %s new.", text.Count(gone, "row", "rows"), text.Count(fresh, "row is", "rows are"))))
	}
}
