package claims

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// The kinds of fault.
const (
	Misquoted   findings.Kind = "figure that its table does not have"
	WrongRatio  findings.Kind = "ratio that its figures do not give"
	NotFaster   findings.Kind = "comparison that its figures contradict"
	NotFirst    findings.Kind = "superlative that its table contradicts"
	Miscounted  findings.Kind = "count that the winners contradict"
	WrongTrend  findings.Kind = "trend in the other direction"
	OutOfRange  findings.Kind = "range that figures break"
	NotTheCause findings.Kind = "cause that is not there"
)

// A verdict is a rule's judgement on a statement. The zero verdict: it agrees with the tables.
type verdict struct {
	fault      string
	untestable bool
	evidence   []findings.Figure
}

var unknown = verdict{untestable: true}

type rule struct {
	kind  findings.Kind
	check func(*Document, *Statement) verdict
}

var rules map[string]rule

func init() { // a rule looks at statements of other kinds
	rules = map[string]rule{
		"figure":  {Misquoted, figure},
		"ratio":   {WrongRatio, ratio},
		"faster":  {NotFaster, faster},
		"first":   {NotFirst, func(d *Document, s *Statement) verdict { return placed(d, s, 1) }},
		"second":  {NotFirst, func(d *Document, s *Statement) verdict { return placed(d, s, 2) }},
		"wins":    {Miscounted, func(d *Document, s *Statement) verdict { return counted(d, s, 1) }},
		"seconds": {Miscounted, func(d *Document, s *Statement) verdict { return counted(d, s, 2) }},
		"rises":   {WrongTrend, func(d *Document, s *Statement) verdict { return trend(d, s, true) }},
		"falls":   {WrongTrend, func(d *Document, s *Statement) verdict { return trend(d, s, false) }},
		"range":   {OutOfRange, within},
		"cause":   {NotTheCause, cause},
	}
}

// figure checks a figure against its row, and says from which row it may have been copied.
func figure(d *Document, s *Statement) verdict {
	c, ok := d.one(s.Of)
	p, isNumber := readPrinted(s.Value)
	if p.percent && (ok || strings.HasSuffix(s.Of, "]")) {
		return verdict{fault: fmt.Sprintf("%s is stated as %s, a share where a figure is due.", s.Of, s.Value)}
	}
	if !ok || !isNumber {
		return unknown
	}
	if slices.ContainsFunc(c.readings(), p.near) {
		return verdict{}
	}
	v := verdict{evidence: []findings.Figure{{Name: "stated", Value: p.value, Unit: unitOf(c.unit)}, {Name: c.name(), Value: c.value, Unit: unitOf(c.unit)}}}
	v.fault = fmt.Sprintf("%s is stated as %s, its table has %s.", c.name(), s.Value, number(c.value))
	if o, ok := d.copied(c, p); ok {
		v.fault += fmt.Sprintf(" That is the figure of %s.", o.name())
	}
	return v
}

// copied looks for the row that a wrong figure comes from: of the same contestant and table if there is one, otherwise of the
// same category.
func (d *Document) copied(c cell, p printed) (cell, bool) {
	for _, o := range d.cells(c.table + ":*/" + c.row.Contestant) {
		if c.unit == "" && o.row != c.row && o.value >= 10 && p.near(o.value) {
			return o, true
		}
	}
	return cell{}, false
}

// ratio checks how many times, or how much of a share, one figure is of another.
func ratio(d *Document, s *Statement) verdict {
	x, ok := d.one(s.Of)
	y, also := d.one(s.Over)
	p, isNumber := readPrinted(s.Value)
	if !ok || !also || !isNumber || y.value == 0 {
		return unknown
	}
	as := func(ratio float64) float64 {
		if p.percent {
			return 100 * (ratio - 1)
		}
		return ratio
	}
	for _, v := range x.readings() {
		// Of a change of more than 100 % the last digit depends on digits that the figures do not have.
		if got := as(v / y.value); p.near(got) || p.percent && got > 100 && math.Abs(got-p.value) < 0.005*got {
			return verdict{}
		}
	}
	got := as(x.value / y.value)
	shown := number(got)
	if p.percent {
		shown = fmt.Sprintf("%+.0f%%", got)
	}
	v := verdict{evidence: []findings.Figure{{Name: "stated", Value: p.value}, {Name: x.name(), Value: x.value, Unit: unitOf(x.unit)}, {Name: y.name(), Value: y.value, Unit: unitOf(y.unit)}}}
	v.fault = fmt.Sprintf("%s beside %s is stated as %s, the tables give %s.", x.name(), y.name(), s.Value, shown)
	switch {
	case p.percent && p.value < -100:
		v.fault += " Nothing can take more than 100 % less time."
	case p.percent && p.value*got < 0 && math.Abs(p.value+got) <= 1.5:
		v.fault += " The sign is the wrong way round."
	}
	return v
}

// faster checks that one figure is lower than another.
func faster(d *Document, s *Statement) verdict {
	x, ok := d.one(s.Of)
	y, also := d.one(s.Over)
	if !ok || !also {
		return unknown
	}
	if x.value < y.value {
		return verdict{}
	}
	return verdict{fault: fmt.Sprintf("%s is said to be faster than %s, with %s beside %s.", x.name(), y.name(), number(x.value), number(y.value)),
		evidence: []findings.Figure{{Name: x.name(), Value: x.value, Unit: "ns/op"}, {Name: y.name(), Value: y.value, Unit: "ns/op"}}}
}

// placed checks who is first, or second, in each category of each table that a statement names.
func placed(d *Document, s *Statement, at int) verdict {
	tables, pattern, _ := strings.Cut(s.In, ":")
	var v verdict
	var against []string
	tested := false
	for _, table := range strings.Split(tables, ",") {
		if d.rows[table] == nil {
			continue
		}
		for _, category := range d.categories(table, pattern) {
			who, ns, known := d.at(table, category, at, s)
			if !known {
				continue
			}
			tested = true
			if who == s.Of {
				continue
			}
			against = append(against, fmt.Sprintf("%s of %s is %s", category, table, who))
			if ns > 0 {
				v.evidence = append(v.evidence, findings.Figure{Name: who + ", " + category + " in " + table, Value: ns, Unit: "ns/op"})
			}
			if c, ok := d.one(table + ":" + category + "/" + s.Of); ok {
				v.evidence = append(v.evidence, findings.Figure{Name: c.name(), Value: c.value, Unit: "ns/op"})
			}
		}
	}
	if !tested {
		return unknown
	}
	if against != nil {
		v.fault = fmt.Sprintf("%s is said to be %s in %s; %s in %s.", s.Of, ordinal(at), s.In, ordinal(at), strings.Join(against, ", in "))
	}
	return v
}

func ordinal(at int) string { return [...]string{"", "first", "second"}[at] }

// whole is the number of contestants from which a table shows who is first. Tables put together from a text may have only the
// rows that it names.
const whole = 3

// at finds the contestant in a place of a category. A table that has the category whole decides. So does a partial one with a
// lower figure than the named contestant's. Otherwise other pages decide, if they name one for this category alone.
func (d *Document) at(table, category string, at int, s *Statement) (who string, ns float64, known bool) {
	ranked := d.standing(table, category)
	if len(ranked) >= whole {
		return ranked[at-1].contestant, ranked[at-1].ns, true
	}
	if i := slices.IndexFunc(ranked, func(p place) bool { return p.contestant == s.Of }); at == 1 && i > 0 {
		return ranked[0].contestant, ranked[0].ns, true
	}
	says := map[int]string{1: "first", 2: "second"}[at]
	for _, p := range d.Pages {
		for _, o := range p.Statements {
			if o.Says == says && o.In == table+":"+category && o != *s {
				return o.Of, 0, true
			}
		}
	}
	return "", 0, false
}

// counted checks in how many categories somebody is in a place: over all categories of the tables of which it is known who is
// first. A table that has nobody's place cannot tell.
func counted(d *Document, s *Statement, at int) verdict {
	want, err := strconv.Atoi(s.Value)
	if err != nil {
		return unknown
	}
	n := 0
	var v verdict
	for _, table := range strings.Split(s.In, ",") {
		categories := d.named(table)
		if len(categories) == 0 {
			return unknown
		}
		for _, category := range categories {
			who, _, known := d.at(table, category, at, &Statement{})
			if !known {
				return unknown
			}
			if who == s.Of {
				n++
				v.evidence = append(v.evidence, findings.Figure{Name: category + " in " + table, Value: float64(at), Unit: "place"})
			}
		}
	}
	if n != want {
		v.fault = fmt.Sprintf("%s is said to be %s in %s of %s; it is in %d.", s.Of, ordinal(at), categoriesText(want), s.In, n)
	}
	return v
}

func categoriesText(n int) string {
	switch n {
	case 0:
		return "no category"
	case 1:
		return "1 category"
	}
	return fmt.Sprintf("%d categories", n)
}

// named lists the categories of a table of which a page says who is first.
func (d *Document) named(table string) []string {
	var out []string
	for _, p := range d.Pages {
		for _, s := range p.Statements {
			if t, category, ok := strings.Cut(s.In, ":"); s.Says == "first" && ok && t == table && !strings.Contains(category, "*") && !slices.Contains(out, category) {
				out = append(out, category)
			}
		}
	}
	return out
}

// trend checks whether a sweep costs more, or less, at one point than at another.
func trend(d *Document, s *Statement, rises bool) verdict {
	var from, to *cell
	table, rest, _ := strings.Cut(s.Of, ":")
	i := strings.LastIndexByte(rest, '/')
	if i < 0 || d.rows[table] == nil {
		return unknown
	}
	for _, r := range d.rows[table].Rows {
		if r.Sweep.Family != rest[:i] || r.Contestant != rest[i+1:] || !r.Cells[0].Measured() {
			continue
		}
		c := &cell{table, r, "", value(r, "")}
		switch strconv.FormatFloat(r.Sweep.X, 'f', -1, 64) {
		case s.From:
			from = c
		case s.To:
			to = c
		}
	}
	if from == nil || to == nil {
		return unknown
	}
	if (to.value > from.value) == rises {
		return verdict{}
	}
	said := map[bool]string{true: "rise", false: "fall"}
	return verdict{fault: fmt.Sprintf("%s is said to %s from %s to %s; it goes from %s to %s.", s.Of, said[rises], s.From, s.To, number(from.value), number(to.value)),
		evidence: []findings.Figure{{Name: from.name(), Value: from.value, Unit: "ns/op"}, {Name: to.name(), Value: to.value, Unit: "ns/op"}}}
}

// alike is the share within which a figure is the same with and without its alleged cause.
const alike = 0.05

// cause checks a mechanism that figures are said to come from: the category must have it, and a contestant that lacks the
// mechanism must not have the same figure.
func cause(d *Document, s *Statement) verdict {
	name := s.Of
	if i := strings.IndexByte(name, '/'); i >= 0 {
		name = name[:i]
	}
	table, category, _ := strings.Cut(name, ":")
	fact := d.fact(category)
	if fact == nil || d.rows[table] == nil {
		return unknown
	}
	if !slices.Contains(fact.Does, s.Value) {
		return verdict{fault: fmt.Sprintf("%s is said to be about %s; what takes part is %s.", category, s.Value, strings.Join(fact.Does, ", "))}
	}
	var with, without []float64
	var lacking []string
	for _, p := range d.standing(table, category) {
		if f := d.fact(p.contestant); f != nil && slices.Contains(f.Lacks, s.Value) {
			without, lacking = append(without, p.ns), append(lacking, p.contestant)
		} else {
			with = append(with, p.ns)
		}
	}
	if strings.Contains(s.Of, "/") || len(with) == 0 || len(without) == 0 {
		return unknown
	}
	usual := stats.Median(with)
	if math.Abs(math.Log(slices.Max(without)/usual)) > alike {
		return verdict{}
	}
	return verdict{fault: fmt.Sprintf("%s in %s is said to come from %s; %s lacks that and has the same figure, %s beside %s.", category, table, s.Value, strings.Join(lacking, ", "), number(slices.Max(without)), number(usual)),
		evidence: []findings.Figure{{Name: lacking[0], Value: without[0], Unit: "ns/op"}, {Name: "median of the others", Value: usual, Unit: "ns/op"}}}
}

func unitOf(unit string) string {
	if unit == "" {
		return "ns/op"
	}
	return unit
}

// number prints a figure with four digits.
func number(v float64) string {
	if v >= 1000 || v == math.Trunc(v) {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
