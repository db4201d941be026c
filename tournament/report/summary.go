package report

import (
	"fmt"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// summary is the page about several platforms: the answer of those that decide, then each category on each.
func (b *builder) summary() {
	b.answer()
	for _, c := range b.candidates() {
		b.winners(c)
		if !b.digest {
			b.acrossPlatforms(c)
		}
	}
	for _, old := range b.since {
		b.change(old)
	}
	if b.digest {
		b.loadInWords()
	} else {
		b.underLoad()
	}
	b.correctness()
	b.advice()
	b.caveats()
}

// winners shows each category of a subject on each platform.
func (b *builder) winners(c *candidate) {
	t := render.NewTable("Category")
	if c.name == b.candidates()[0].name {
		t.Note = "The ratio is the subject's time to that of the rival that decides. A name alone is that of the contestant with the lowest of single figures. Without emulated machines."
	}
	cells := make(map[string][]render.Cell)
	verdicts := make(map[string][]stats.Verdict)
	var order []string
	var shown []int
	for i, n := range c.on {
		if n != nil && len(n.Decisive) > 0 && b.native(i) {
			shown = append(shown, i)
			t.Columned(b.Inputs[i].Label)
		}
	}
	for column, i := range shown {
		for _, s := range c.on[i].Decisive {
			if cells[s.Category] == nil {
				order = append(order, s.Category)
				cells[s.Category] = slices.Repeat([]render.Cell{render.Missing()}, len(shown))
			}
			best := s.Contest.Best()
			cell := render.Cell{Text: s.Contest.Verdict.String() + " " + stats.Times(best.Ratio), Value: best.Ratio}
			switch {
			case c.on[i].single():
				cell = render.T(s.First().Contestant)
			case s.Contest.Verdict == stats.Ahead:
				cell.Mark = render.Good
			case s.Contest.Verdict == stats.Behind:
				cell.Text, cell.Mark = cell.Text+" "+best.Name, render.Bad
			}
			if !c.on[i].single() {
				verdicts[s.Category] = append(verdicts[s.Category], s.Contest.Verdict)
			}
			cells[s.Category][column] = cell
		}
	}
	if len(shown) > 2 {
		t.Columned("Real machines")
	}
	for _, category := range order {
		row := append(render.Row(category), cells[category]...)
		if len(shown) > 2 {
			row = append(row, render.T(agreement(verdicts[category])))
		}
		t.Rows = append(t.Rows, row)
	}
	b.report.Section(2, c.name+" on each platform").Add(t)
}

// agreement says what verdicts on several platforms have in common. They differ only where one is ahead and another behind.
func agreement(verdicts []stats.Verdict) string {
	count := make(map[stats.Verdict]int)
	for _, v := range verdicts {
		count[v]++
	}
	switch {
	case count[stats.Ahead] > 0 && count[stats.Behind] > 0:
		return "differs"
	case count[stats.Undecided] > 0 && count[stats.Undecided] == len(verdicts):
		return "undecided"
	}
	for _, v := range []stats.Verdict{stats.Behind, stats.Ahead, stats.Level} {
		switch count[v] {
		case 0:
			continue
		case len(verdicts):
			return v.String()
		}
		return fmt.Sprintf("%s on %d of %d", v, count[v], len(verdicts))
	}
	return "–"
}

// acrossPlatforms shows how much longer each contestant takes on the other platforms than on the first that it can be compared with.
func (b *builder) acrossPlatforms(c *candidate) {
	t := render.NewTable("Contestant")
	t.Title, t.Note = "Sensitivity to the platform", "Geometric mean, over the categories that both have, of the time on the second platform as a share of that on the first."
	pairs := slices.DeleteFunc(slices.Clone(b.againstFirst()), func(p *findings.Pair) bool { return p.Incomparable != "" })
	ratios := make(map[string][][]float64) // by contestant, then pair
	var names []string
	for k, p := range pairs {
		t.Columned("#" + b.Inputs[p.B].Label + " over " + b.Inputs[p.A].Label)
		for _, r := range p.Rows {
			decisive := func(i int) bool {
				return c.on[i] != nil && slices.ContainsFunc(c.on[i].Decisive, func(s *findings.Standing) bool { return s.Category == r.Row.Category })
			}
			if !decisive(p.A) || !decisive(p.B) {
				continue
			}
			if name := r.Row.Contestant; ratios[name] == nil {
				names = append(names, name)
				ratios[name] = make([][]float64, len(pairs))
			}
			ratios[r.Row.Contestant][k] = append(ratios[r.Row.Contestant][k], b.Figure(r.Row, p.B)/b.Figure(r.Row, p.A))
		}
	}
	for _, name := range names {
		row := render.Row(name)
		for k := range pairs {
			row = append(row, render.Ratio(stats.GeometricMean(ratios[name][k]).Ratio))
		}
		t.Rows = append(t.Rows, row)
	}
	if t.Rows != nil {
		b.report.Section(3, "Across platforms: "+c.name).Add(t)
	}
}
