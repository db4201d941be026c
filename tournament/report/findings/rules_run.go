package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// conditions are properties that the inputs should share.
var conditions = []struct {
	name  string
	of    func(*parse.Input) any // zero if not stated
	why   string                 // it matters; empty for the property that is compared
	grave Severity
}{
	{"operating system", func(in *parse.Input) any { return in.Env.GOOS }, "", Info},
	{"architecture", func(in *parse.Input) any { return in.Env.GOARCH }, "differences may come from the processor as much as from the operating system", Warning},
	{"GOMAXPROCS", func(in *parse.Input) any { return in.Env.GOMAXPROCS }, "contended and parallel rows measure another situation", Warning},
	{"processor", func(in *parse.Input) any { return in.Env.CPU }, "the machines are not the same", Warning},
	{"Go version", func(in *parse.Input) any { return in.Env.GoVersion }, "runtime and compiler changes are mixed into every row", Warning},
	{"execution", func(in *parse.Input) any { return string(Execution(in.Env)) }, "times of an emulated machine are not comparable with those of a real one, and are not ranked", Problem},
	{"length of a sample", func(in *parse.Input) any { return in.Protocol.Benchtime.Milliseconds() }, "rows that drift with the number of operations drift differently", Notice},
}

func confounds(a *Analysis) (out []Finding) {
	if len(a.Inputs) < 2 {
		return nil
	}
	var unstated []string
	for _, c := range conditions {
		var order, texts []string
		by := make(map[string][]string)
		missing := false
		for _, in := range a.Inputs {
			v := fmt.Sprint(c.of(in))
			if v == "" || v == "0" {
				missing = true
				continue
			}
			if by[v] == nil {
				order = append(order, v)
			}
			by[v] = append(by[v], in.Label)
		}
		if missing {
			unstated = append(unstated, c.name)
		}
		if len(order) < 2 || c.why == "" {
			continue
		}
		f := Finding{Kind: Confound, Severity: c.grave, Subject: c.name}
		for _, v := range order {
			texts = append(texts, fmt.Sprintf("%s (%s)", v, text.List(by[v], evidenceRows)))
			if n, err := strconv.ParseFloat(v, 64); err == nil {
				f.Evidence = append(f.Evidence, Figure{text.List(by[v], evidenceRows), n, c.name})
			}
		}
		f.Text = fmt.Sprintf("Not the same in all inputs: %s. It is %s; %s.", c.name, text.List(texts, evidenceRows), c.why)
		out = append(out, f)
	}
	if unstated != nil {
		out = append(out, Finding{Kind: Confound, Severity: Notice, Subject: "not stated",
			Text: fmt.Sprintf("Not every input states its %s; differences there cannot be ruled out.", text.List(unstated, evidenceRows))})
	}
	return out
}

func failedChecks(a *Analysis) (out []Finding) {
	for _, in := range a.Inputs {
		seen := make(map[[2]string]bool)
		for _, c := range in.Checks {
			if c.Status != result.Fail || seen[[2]string{c.Suite, c.Contestant}] {
				continue
			}
			seen[[2]string{c.Suite, c.Contestant}] = true
			f := Finding{Kind: FailedCheck, Severity: Problem, Subject: c.Contestant,
				Text: fmt.Sprintf("%s fails %s on %s", c.Contestant, c.Suite, in.Label), Evidence: []Figure{{"took", c.Duration.Seconds(), "s"}}}
			if c.Race {
				f.Text += " under the race detector"
			}
			f.Text += "."
			if c.Detail != "" {
				f.Text += " It says: " + text.Shortened(c.Detail, 300)
			}
			out = append(out, f)
		}
	}
	return out
}

// replicas reports on inputs whose replicas differ from their originals.
func replicas(a *Analysis) (out []Finding) {
	for i, in := range a.Inputs {
		if v, ok := a.Control(a.of(i)); !ok {
			out = append(out, Finding{Kind: ControlFailed, Severity: Problem, Subject: in.Label, Evidence: []Figure{{"ratio", v.Ratio, "×"}, {"low", v.Lo, "×"}, {"high", v.Hi, "×"}},
				Text: fmt.Sprintf("Control failed on %s: replicas took %s of the time of what they replicate, over all categories. They are the same programs, so the run prefers one of two equals, and none of its verdicts holds.", in.Label, v)})
		}
	}
	return out
}

// Name names the two inputs of a pair.
func (a *Analysis) Name(p *Pair) string { return a.Inputs[p.A].Label + " and " + a.Inputs[p.B].Label }

// changes names the rows that became slower or faster than in the earlier run.
func changes(a *Analysis) (out []Finding) {
	if !a.Earlier || len(a.Pairs) == 0 || a.Pairs[0].Incomparable != "" {
		return nil
	}
	p := a.Pairs[0]
	add := func(kind Kind, severity Severity, rows []*PairRow, word string) {
		for _, r := range rows {
			then, now := a.Figure(r.Row, p.A), a.Figure(r.Row, p.B)
			out = append(out, Finding{Kind: kind, Severity: severity, Subject: r.Row.Label,
				Text: fmt.Sprintf("%s is %s %s than in %s: %s then, %s now (%s).", r.Row.Label, text.Percent(math.Max(r.Change.Ratio, 1/r.Change.Ratio)-1), word, a.Inputs[p.A].Label,
					text.Duration(then), text.Duration(now), r.Change.Interval),
				Evidence: []Figure{{"then", then, "ns/op"}, {"now", now, "ns/op"}, {"change", r.Change.Ratio, "×"}, {"change of the other contestants", r.Change.Drift, "×"}, {"low", r.Change.Lo, "×"}, {"high", r.Change.Hi, "×"}}})
		}
	}
	add(Regression, Problem, a.Regressions(p), "slower")
	add(Improvement, Info, a.Improvements(p), "faster")
	return out
}

// mislabelled names categories that have one contestant twice and another not at all, although all other categories of the
// input have both: a row stands under the wrong name.
func mislabelled(a *Analysis) (out []Finding) {
	for i, in := range a.Inputs {
		standings := a.of(i)
		for _, s := range standings {
			missing, twice := missingFrom(s, standings), doubled(s)
			if len(missing) != 1 || twice == nil {
				continue
			}
			samples := twice.Row.Cells[i].Samples
			out = append(out, Finding{Kind: Mislabelled, Severity: Problem, Subject: s.Category,
				Text: fmt.Sprintf("%s on %s has %s twice, with %s and %s, and lacks %s, which every other category has. One of the two rows is probably that of %s.",
					s.Category, in.Label, twice.Contestant, text.Duration(samples[0].Ns), text.Duration(samples[len(samples)-1].Ns), missing[0], missing[0]),
				Evidence: []Figure{{"rows of " + twice.Contestant, float64(len(samples)), ""}, {"rows of the others", float64(len(samples) / 2), ""},
					{"allocations of the first", samples[0].Allocs, "allocs/op"}, {"of the last", samples[len(samples)-1].Allocs, "allocs/op"}}})
		}
	}
	return out
}

// missingFrom lists the contestants that a category lacks and all others of its kind have, of which there are three or more.
func missingFrom(s *Standing, standings []*Standing) (out []string) {
	counts := make(map[string]int)
	others := 0
	for _, o := range standings {
		if o == s || o.Kind != s.Kind {
			continue
		}
		others++
		for _, e := range o.Entries {
			counts[e.Contestant]++
		}
	}
	for name, n := range counts {
		if others >= 3 && n == others && s.Entry(name) == nil && !slices.ContainsFunc(s.Absent, func(x Absence) bool { return x.Contestant == name }) {
			out = append(out, name)
		}
	}
	return out
}

// doubled finds the only contestant that has twice as many samples as each of the others, or nil.
func doubled(s *Standing) (twice *Entry) {
	of := func(e *Entry) int { return len(e.Row.Cells[s.Input].Samples) }
	if len(s.Entries) == 0 {
		return nil
	}
	usual := of(slices.MinFunc(s.Entries, func(x, y *Entry) int { return cmp.Compare(of(x), of(y)) }))
	for _, e := range s.Entries {
		switch n := of(e); {
		case n == usual:
		case n == 2*usual && twice == nil:
			twice = e
		default:
			return nil
		}
	}
	return twice
}
