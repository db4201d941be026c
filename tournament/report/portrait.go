package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// contest tells of one kind of category: who leads, and each contestant in turn.
func (b *builder) contest(k findings.KindName) {
	ts := b.totals(k.Kind)
	if len(ts) == 0 {
		return
	}
	s := b.report.Section(2, "The "+k.Name)
	for i := range b.Inputs {
		if f, ok := b.Champion(i, k); ok {
			s.Add(render.Paragraph(f.Text))
		}
	}
	gaps := slices.DeleteFunc(only(b.findings, findings.LatencyGap), func(f findings.Finding) bool { return !b.has(k.Kind, f.Subject) })
	s.Add(told(gaps)...)
	for _, t := range ts {
		b.report.Section(3, t.name).Add(b.portrait(t, k.Kind)...)
	}
}

// has reports whether a category is of a kind.
func (b *builder) has(kind result.Kind, category string) bool {
	return slices.ContainsFunc(b.Standings, func(s *findings.Standing) bool { return s.Kind == kind && s.Category == category })
}

// ofContestant reports whether a finding is about a row of a contestant.
func (b *builder) ofContestant(f findings.Finding) bool {
	return slices.ContainsFunc(b.Standings, func(s *findings.Standing) bool {
		return slices.ContainsFunc(s.Entries, func(e *findings.Entry) bool { return e.Row.Label == f.Subject })
	})
}

// portrait tells of one contestant what it wins, where it is too close to the first to call, where it trails, and what
// the rules found about it.
func (b *builder) portrait(t *total, kind result.Kind) []render.Block {
	var sentences []string
	say := func(format string, args ...any) { sentences = append(sentences, fmt.Sprintf(format, args...)) }
	var counts, relative, close []string
	won := make(map[string][]string) // by category, the inputs
	var order []string
	worst, where := 1.0, ""
	for i, in := range b.Inputs {
		on := ""
		if len(b.Inputs) > 1 {
			on = " on " + in.Label
		}
		for _, r := range b.Records(i, kind) {
			if r.Contestant == t.name {
				of, best := "", ""
				if len(counts) == 0 {
					of, best = " categories", " the best"
				}
				counts = append(counts, fmt.Sprintf("%s of %d%s%s", orNone(r.Wins), r.Categories, of, on))
				relative = append(relative, findings.Factor(r.RelativeToBest.Center)+best+on)
			}
		}
		for _, st := range b.Ranked(i, kind) {
			e := st.Entry(t.name)
			switch {
			case e == nil || e.Dubious != "":
				continue
			case st.Winner() == e:
				if won[st.Category] == nil {
					order = append(order, st.Category)
				}
				won[st.Category] = append(won[st.Category], in.Label)
			case e.Place == 1 && st.Void == "":
				close = append(close, st.Category+on)
			}
			if factor := e.Figure / st.First().Figure; factor > worst && st.Void == "" {
				worst, where = factor, fmt.Sprintf("%s%s, where it takes %s as long as %s", st.Category, on, findings.Factor(factor), st.First().Contestant)
			}
		}
	}
	which := ""
	if len(b.Inputs) == 1 && len(order) > 0 {
		which = ": " + brief(order)
	}
	say("%s wins %s%s.", t.name, listAnd(counts), which)
	if len(b.Inputs) > 1 {
		sentences = append(sentences, winsInWords(order, won, len(b.Inputs))...)
	}
	if len(close) > 0 {
		say("It is first, too closely to call it a win, in %s.", brief(close))
	}
	say("Over all categories its times are %s, by the geometric mean.", listAnd(relative))
	if worst >= 1.5 {
		say("It is furthest behind in %s.", where)
	}
	blocks := []render.Block{render.Paragraph(strings.Join(sentences, " "))}
	about := slices.DeleteFunc(slices.Clone(b.findings), func(f findings.Finding) bool {
		if f.Kind == findings.Champion || f.Kind == findings.FailedCheck {
			return true // told elsewhere
		}
		return f.Subject != t.name && !strings.HasSuffix(f.Subject, "/"+t.name) || !b.hasSubject(kind, f)
	})
	return append(blocks, told(about)...)
}

// winsInWords names the categories won: those won on all platforms, then those of each platform alone.
func winsInWords(order []string, won map[string][]string, inputs int) []string {
	by := make(map[string][]string)
	var wheres []string
	for _, category := range order {
		where := "everywhere"
		if n := len(won[category]); n < inputs {
			where = "on " + listAnd(won[category])
		}
		if by[where] == nil {
			wheres = append(wheres, where)
		}
		by[where] = append(by[where], category)
	}
	var out []string
	for _, where := range wheres {
		out = append(out, fmt.Sprintf("It wins %s %s.", brief(by[where]), where))
	}
	return out
}

// hasSubject reports whether a finding about a contestant belongs to a kind: one about a row to that of the row, one
// about a sweep to that of the sweep.
func (b *builder) hasSubject(kind result.Kind, f findings.Finding) bool {
	return slices.ContainsFunc(b.Standings, func(s *findings.Standing) bool {
		return s.Kind == kind && slices.ContainsFunc(s.Entries, func(e *findings.Entry) bool {
			return e.Row.Label == f.Subject || e.Contestant == f.Subject && s.Sweep.Family != "" && strings.Contains(f.Text, s.Sweep.Family)
		})
	})
}

func orNone(n int) string {
	if n == 0 {
		return "none"
	}
	return render.Thousands(float64(n), 0)
}
