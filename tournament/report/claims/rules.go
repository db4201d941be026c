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
}

var unknown = verdict{untestable: true}

func faulty(format string, args ...any) verdict { return verdict{fault: fmt.Sprintf(format, args...)} }

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

// figure checks a figure against its row, and says from which row of the same contestant it may have been copied.
func figure(d *Document, s *Statement) verdict {
	c, ok := d.one(s.Of)
	p, isNumber := readPrinted(s.Value)
	switch {
	case p.percent && (ok || strings.HasSuffix(s.Of, "]")):
		return faulty("%s is stated as %s, a share where a figure is due.", s.Of, s.Value)
	case !ok || !isNumber:
		return unknown
	case slices.ContainsFunc(c.readings(), p.near):
		return verdict{}
	}
	v := faulty("%s is stated as %s, its table has %s.", c.name(), s.Value, number(c.value))
	for _, o := range d.cells(c.table + ":*/" + c.row.Contestant) {
		if c.unit == "" && o.row != c.row && o.value >= 10 && p.near(o.value) {
			v.fault += fmt.Sprintf(" That is the figure of %s.", o.name())
			break
		}
	}
	return v
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
	v := faulty("%s beside %s is stated as %s, the tables give %s.", x.name(), y.name(), s.Value, shown)
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
	switch {
	case !ok || !also:
		return unknown
	case x.value < y.value:
		return verdict{}
	}
	return faulty("%s is said to be faster than %s, with %s beside %s.", x.name(), y.name(), number(x.value), number(y.value))
}

// placed checks who is first, or second, in each category of each table that a statement names.
func placed(d *Document, s *Statement, at int) verdict {
	tables, pattern, _ := strings.Cut(s.In, ":")
	var against []string
	tested := false
	for _, table := range strings.Split(tables, ",") {
		if d.rows[table] == nil {
			continue
		}
		for _, category := range d.categories(table, pattern) {
			if who, known := d.at(table, category, at, s); known {
				tested = true
				if who != s.Of {
					against = append(against, fmt.Sprintf("%s of %s is %s", category, table, who))
				}
			}
		}
	}
	switch {
	case !tested:
		return unknown
	case against == nil:
		return verdict{}
	}
	return faulty("%s is said to be %s in %s; %s in %s.", s.Of, ordinal(at), s.In, ordinal(at), strings.Join(against, ", in "))
}

func ordinal(at int) string { return [...]string{"", "first", "second"}[at] }

// whole is the number of contestants from which a table shows who is first. Tables put together from a text may have only the
// rows that it names.
const whole = 3

// at finds the contestant in a place of a category. A table that has the category whole decides. So does a partial one with a
// lower figure than the named contestant's. Otherwise other pages decide, if they name one for this category alone.
func (d *Document) at(table, category string, at int, s *Statement) (who string, known bool) {
	ranked := d.standing(table, category)
	if len(ranked) >= whole {
		return ranked[at-1].contestant, true
	}
	if i := slices.IndexFunc(ranked, func(p place) bool { return p.contestant == s.Of }); at == 1 && i > 0 {
		return ranked[0].contestant, true
	}
	for _, p := range d.Pages {
		for _, o := range p.Statements {
			if o.Says == ordinal(at) && o.In == table+":"+category && o != *s {
				return o.Of, true
			}
		}
	}
	return "", false
}

// counted checks in how many categories somebody is in a place: over all categories of the tables of which it is known who is
// first. A table that has nobody's place cannot tell.
func counted(d *Document, s *Statement, at int) verdict {
	want, err := strconv.Atoi(s.Value)
	if err != nil {
		return unknown
	}
	n := 0
	for _, table := range strings.Split(s.In, ",") {
		categories := d.named(table)
		if len(categories) == 0 {
			return unknown
		}
		for _, category := range categories {
			who, known := d.at(table, category, at, &Statement{})
			if !known {
				return unknown
			}
			if who == s.Of {
				n++
			}
		}
	}
	if n == want {
		return verdict{}
	}
	return faulty("%s is said to be %s in %s of %s; it is in %d.", s.Of, ordinal(at), categoriesText(want), s.In, n)
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
func (d *Document) named(table string) (out []string) {
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
	name := s.Of[:max(0, strings.LastIndexByte(s.Of, '/'))]
	contestant := s.Of[len(name):]
	var points [2]cell
	for k, x := range []string{s.From, s.To} {
		for _, param := range []string{"*=" + x, x} {
			if c, ok := d.one(name + "/" + param + contestant); ok {
				points[k] = c
			}
		}
	}
	from, to := points[0], points[1]
	switch {
	case from.row == nil || to.row == nil:
		return unknown
	case (to.value > from.value) == rises:
		return verdict{}
	}
	return faulty("%s is said to %s from %s to %s; it goes from %s to %s.", s.Of, map[bool]string{true: "rise", false: "fall"}[rises], s.From, s.To, number(from.value), number(to.value))
}

// within checks figures, or the ratios of figures that belong together, against a range: "<=1.4", ">=2" or "1.5..3".
func within(d *Document, s *Statement) verdict {
	low, high, both := strings.Cut(s.Value, "..")
	if !both {
		low, _ = strings.CutPrefix(s.Value, ">=")
		if high, both = strings.CutPrefix(s.Value, "<="); both {
			low = ""
		}
	}
	least, hasLeast := readPrinted(low)
	most, hasMost := readPrinted(high)
	type figure struct {
		name  string
		value float64
	}
	var figures []figure
	over := d.cells(s.Over)
	sameTable := strings.HasPrefix(s.Over, strings.SplitN(s.Of, ":", 2)[0]+":")
	sameContestant := slices.ContainsFunc(strings.Fields(s.Over), func(o string) bool { return contestantOf(o) == contestantOf(s.Of) })
	for _, c := range d.cells(s.Of) {
		if s.Over == "" {
			figures = append(figures, figure{c.name(), c.value})
			continue
		}
		i := slices.IndexFunc(over, func(o cell) bool {
			return o.row.Category == c.row.Category && (!sameTable || o.table == c.table) && (!sameContestant || o.row.Contestant == c.row.Contestant)
		})
		if i >= 0 && over[i].value > 0 {
			figures = append(figures, figure{c.name() + " ÷ " + over[i].name(), c.value / over[i].value})
		}
	}
	if len(figures) == 0 || !hasLeast && !hasMost {
		return unknown
	}
	var outside []string
	lowest, highest := figures[0].value, figures[0].value
	for _, f := range figures {
		lowest, highest = min(lowest, f.value), max(highest, f.value)
		if hasLeast && f.value < least.value && !least.near(f.value) || hasMost && f.value > most.value && !most.near(f.value) {
			outside = append(outside, fmt.Sprintf("%s is %s", f.name, number(f.value)))
		}
	}
	said := s.Of
	if s.Over != "" {
		said += " beside " + s.Over
	}
	said += " is said to be " + s.Value
	reaches := func(p printed, v float64) bool { return p.near(v) || v <= 1.1*p.value && v >= 0.9*p.value }
	switch inside := len(figures) - len(outside); {
	case s.Mode == "mostly" && 2*inside < len(figures):
		return faulty("%s in most cases; %d of %d are.", said, inside, len(figures))
	case s.Mode == "mostly":
	case outside != nil:
		return faulty("%s; %s.", said, strings.Join(outside, ", "))
	case s.Mode == "" && hasLeast && hasMost && !(reaches(least, lowest) && reaches(most, highest)):
		return faulty("%s; it goes from %s to %s.", said, number(lowest), number(highest))
	}
	return verdict{}
}

// contestantOf is the contestant of a reference, without its unit.
func contestantOf(reference string) string {
	name, _, _ := strings.Cut(reference, "[")
	return name[strings.LastIndexByte(name, '/')+1:]
}

// alike is the share within which a figure is the same with and without its alleged cause.
const alike = 0.05

// cause checks a mechanism that figures are said to come from: the category must have it, and a contestant that lacks the
// mechanism must not have the same figure.
func cause(d *Document, s *Statement) verdict {
	name, _, ofOne := strings.Cut(s.Of, "/")
	table, category, _ := strings.Cut(name, ":")
	fact := d.fact(category)
	switch {
	case fact == nil || d.rows[table] == nil:
		return unknown
	case !slices.Contains(fact.Does, s.Value):
		return faulty("%s is said to be about %s; what takes part is %s.", category, s.Value, strings.Join(fact.Does, ", "))
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
	if ofOne || len(with) == 0 || len(without) == 0 {
		return unknown
	}
	usual := stats.Median(with)
	if math.Abs(math.Log(slices.Max(without)/usual)) > alike {
		return verdict{}
	}
	return faulty("%s in %s is said to come from %s; %s lacks that and has the same figure, %s beside %s.", category, table, s.Value, strings.Join(lacking, ", "), number(slices.Max(without)), number(usual))
}

// number prints a figure with four digits.
func number(v float64) string {
	if v >= 1000 || v == math.Trunc(v) {
		return strconv.FormatFloat(math.Round(v), 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
