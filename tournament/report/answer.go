package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// An Answer is what a result says about one subject, in the order in which a reader asks.
type Answer struct {
	*findings.Field
	a     *findings.Analysis
	first bool // of its input
}

// Answers reads a result: one answer for each subject.
func Answers(f *result.File, level float64) ([]Answer, error) {
	in, err := parse.From(f)
	if err != nil {
		return nil, err
	}
	return AnswersOf(findings.Analyse(group.Match(in), findings.Options{Level: cmp.Or(level, f.Protocol.Level)}), 0), nil
}

// AnswersOf returns the answers of one input of an analysis.
func AnswersOf(a *findings.Analysis, input int) (all []Answer) {
	for i, f := range a.Fields(input) {
		all = append(all, Answer{f, a, i == 0})
	}
	return all
}

// Lines are the answer in five lines: who to take, by how much, where it loses, how far to trust it, and the runs behind it.
func (n *Answer) Lines() []string {
	if len(n.Decisive) == 0 {
		return []string{n.take(), n.trust(), n.runs()}
	}
	return []string{n.take(), n.margins(), n.losses(), n.trust(), n.runs()}
}

// single reports whether every row has one figure, so that there are no intervals and no verdicts.
func (n *Answer) single() bool {
	return !slices.ContainsFunc(n.Decisive, func(s *findings.Standing) bool { return s.Contest.Best().N > 1 })
}

// lowest counts the decisive categories in which the subject has the lowest time.
func (n *Answer) lowest() int {
	return len(slices.DeleteFunc(slices.Clone(n.Decisive), func(s *findings.Standing) bool { return s.First() != s.Subject() }))
}

// A choice is what the figures of a field advise.
type choice int

const (
	unclear choice = iota
	subject        // it is faster than every family over all categories
	mostly         // it is ahead of every rival in most categories
	rival          // the fastest family is faster than it over all categories
)

func (n *Answer) choice() choice {
	switch {
	case len(n.Families) == 0:
		return unclear
	case !slices.ContainsFunc(n.Families, func(f findings.Family) bool { return !(f.Hi < 1) }):
		return subject
	case n.Families[0].Lo > 1:
		return rival
	case 2*len(n.With(stats.Ahead)) > len(n.Decisive):
		return mostly
	}
	return unclear
}

func (n *Answer) take() string {
	ahead, level, behind := len(n.With(stats.Ahead)), len(n.With(stats.Level)), len(n.With(stats.Behind))
	all := len(n.Decisive)
	tally := fmt.Sprintf("It is ahead of every rival in %d of %s, level with the best in %d, behind in %d; %d undecided.", ahead, text.Count(all, "category", "categories"), level, behind, all-ahead-level-behind)
	switch {
	case all == 0:
		return fmt.Sprintf("Nothing was measured in which %s has a rival.", n.Subject)
	case n.single():
		return fmt.Sprintf("%s has the lowest time in %d of %s. Each row has one figure, so there are no intervals and no verdicts.", n.Subject, n.lowest(), text.Count(all, "category", "categories"))
	}
	switch n.choice() {
	case subject:
		return fmt.Sprintf("Take %s. %s", n.Subject, tally)
	case mostly:
		return fmt.Sprintf("Take %s, unless your program mostly does what it loses in. %s", n.Subject, tally)
	case rival:
		return fmt.Sprintf("Take %s where it suffices: %s takes %s times as long. %s", n.Families[0].Name, n.Subject, n.Families[0].Interval, strings.Replace(tally, "It", n.Subject, 1))
	}
	return fmt.Sprintf("No clear choice between %s and %s. %s", n.Subject, n.Families[0].Name, strings.Replace(tally, "It", n.Subject, 1))
}

func (n *Answer) margins() string {
	var parts []string
	for _, f := range n.Families {
		parts = append(parts, fmt.Sprintf("%s of %s (%d)", f.Interval, f.Name, f.Categories))
	}
	return fmt.Sprintf("Its time, as a geometric mean over their common categories: %s.", strings.Join(parts, ", "))
}

func (n *Answer) losses() string {
	var parts []string
	for _, s := range n.With(stats.Behind) {
		best := s.Contest.Best()
		parts = append(parts, fmt.Sprintf("%s (%s of %s)", s.Category, best.Interval, best.Name))
	}
	switch {
	case n.single():
		for _, s := range n.Decisive {
			if first := s.First(); first != nil && first != s.Subject() {
				parts = append(parts, fmt.Sprintf("%s (%s)", s.Category, first.Contestant))
			}
		}
		if parts != nil {
			return "Another has the lowest time in " + text.List(parts, 6) + "."
		}
		return "No rival has a lower time."
	case parts == nil:
		return "It loses in no category."
	}
	return "It loses in " + text.List(parts, 8) + "."
}

func (n *Answer) trust() string {
	v, ok := n.a.Control(n.Decisive)
	line := fmt.Sprintf("Control: a replica of %s took %s of its time.", n.Subject, v)
	switch {
	case v.N == 0:
		line = "Control: there is no replica."
	case !ok:
		line = fmt.Sprintf("Control failed: a replica of %s took %s of its time, so that no verdict holds.", n.Subject, v)
	}
	if !n.single() {
		line += fmt.Sprintf(" All intervals of categories hold together with 95 %%; level is within %.0f %%.", 100*n.a.Level)
	}
	if findings.Execution(n.a.Inputs[n.Input].Env) == result.ExecutionEmulated {
		line += " It ran emulated: do not set its times against those of real machines."
	}
	if failed := n.failed(); failed != nil {
		line += " Failed: " + text.List(failed, 4) + "."
	}
	if len(n.Excluded) > 0 {
		line += fmt.Sprintf(" Excluded: %s, listed below with the reasons.", text.Count(len(n.Excluded), "category", "categories"))
	}
	return line
}

// failed names the rows of the field that failed. The first answer of an input has those of no field, too.
func (n *Answer) failed() (failed []string) {
	for _, r := range n.a.Rows {
		c := r.Cells[n.Input]
		if c == nil || c.Error == "" {
			continue
		}
		has := func(s *findings.Standing) bool { return s.Category == r.Category }
		of := slices.ContainsFunc(n.a.Standings, func(s *findings.Standing) bool {
			return has(s) && s.Input == n.Input && s.Contest.Subject != ""
		})
		if mine := slices.ContainsFunc(slices.Concat(n.Decisive, n.Alone, n.Excluded), has); mine || n.first && !of {
			why := strings.TrimPrefix(c.Error, r.Category+" on "+r.Contestant+": ")
			failed = append(failed, fmt.Sprintf("%s on %s (%s)", r.Category, r.Contestant, shortened(why, 60)))
		}
	}
	return failed
}

func shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func (n *Answer) runs() string {
	in := n.a.Inputs[n.Input]
	e, p := in.Env, in.Protocol
	var parts []string
	add := func(format string, v any, is bool) {
		if is {
			parts = append(parts, fmt.Sprintf(format, v))
		}
	}
	add("%s", strings.Trim(e.GOOS+"/"+e.GOARCH, "/"), e.GOOS != "")
	add("%s", e.CPU, e.CPU != "")
	add("GOMAXPROCS %d", e.GOMAXPROCS, e.GOMAXPROCS > 0)
	add("%s", e.GoVersion, e.GoVersion != "")
	add("%s", e.Date.UTC().Format("2006-01-02"), !e.Date.IsZero())
	add("commit %.12s", e.Commit, e.Commit != "")
	add("ran %s", e.Execution, e.Execution != "" && e.Execution != result.ExecutionNative)
	add("up to %d processes", n.processes(), n.processes() > 1)
	add("budget %v", p.Budget, p.Budget > 0)
	line := "Run: " + strings.Join(parts, ", ") + "."
	if in.Interrupted {
		line += " It was interrupted."
	}
	return line
}

// processes is the largest number of processes behind a verdict.
func (n *Answer) processes() (most int) {
	for _, s := range n.Decisive {
		most = max(most, s.Contest.Best().N)
	}
	return most
}

// Plot shows the ratio of every decisive category with its interval, grouped by the family that decides.
func Plot(answers []Answer) *render.DotChart {
	chart := &render.DotChart{Title: "Time as a share of that of the rival that decides, with its interval", Left: "faster", Right: "slower"}
	for i := range answers {
		n := &answers[i]
		for k, f := range n.Families {
			for _, s := range n.Decisive {
				if best := s.Contest.Best(); best.Name == f.Name {
					chart.Bars = append(chart.Bars, render.Bar{Group: n.Subject + " ÷ " + f.Name, Name: s.Category, Value: best.Ratio, Lo: best.Lo, Hi: best.Hi, Series: k})
				}
			}
		}
	}
	return chart
}

// Blocks are the answers without their plot: five lines for each subject, then the tables of verdicts and variants.
func Blocks(answers []Answer) (lines, tables []render.Block) {
	for i := range answers {
		n := &answers[i]
		lines = append(lines, render.List(n.Lines()))
		if grid := n.grid(); grid.Rows != nil {
			tables = append(tables, grid)
		}
		if variants := n.variants(); variants != nil {
			tables = append(tables, variants)
		}
	}
	return lines, tables
}

// Exclusions are the categories that decide nothing, with the reason of each.
func Exclusions(answers []Answer) (lines render.List) {
	for _, n := range answers {
		for _, s := range n.Excluded {
			lines = append(lines, s.Category+": "+s.Void)
		}
	}
	return lines
}

// document puts answers in order for one that is not a page: lines, tables, exclusions.
func document(answers []Answer) []render.Block {
	var out []render.Block
	for i := range answers {
		lines, tables := Blocks(answers[i : i+1])
		out = append(append(out, lines...), tables...)
	}
	if excluded := Exclusions(answers); excluded != nil {
		out = append(append(out, render.Paragraph("Excluded:")), excluded)
	}
	return out
}

// WriteText writes answers for a terminal of that many columns, or for none if width is 0.
func WriteText(w io.Writer, answers []Answer, width int) error {
	return render.WriteText(w, width, document(answers)...)
}

// WriteMarkdown writes answers as a part of a page.
func WriteMarkdown(w io.Writer, answers []Answer) error {
	return render.WriteBlocks(w, document(answers)...)
}

// WriteBrief writes answers as a part of a page: the first lines of each, and the verdicts of the first without the times of rivals.
func WriteBrief(w io.Writer, answers []Answer) error {
	var lines render.List
	for i := range answers {
		lines = append(lines, answers[i].Lines()[:2]...)
	}
	blocks := []render.Block{lines}
	if len(answers) > 0 {
		t := answers[0].grid()
		t.Title, t.Columns = "", t.Columns[:3]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:3]
			t.Rows[i][2].Mark = render.Plain
		}
		blocks = append(blocks, t)
	}
	return render.WriteBlocks(w, blocks...)
}

// members are the default members of the families in a field, the subject first.
func (n *Answer) members() []string {
	names := []string{n.Subject}
	add := func(name string) {
		if _, replica := result.ReplicaOf(name); !replica && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, f := range n.Families {
		add(f.Name)
	}
	for _, s := range slices.Concat(n.Decisive, n.Alone) {
		for _, e := range s.Entries {
			add(e.Contestant)
		}
		for _, x := range s.Absent {
			add(x.Contestant)
		}
	}
	return names
}

// grid is a table of the categories that count: the verdict with the ratio to the rival that decides, and every family's time.
func (n *Answer) grid() *render.Table {
	names := n.members()
	t := &render.Table{Title: n.Subject + " against the rival that decides; times in ns/op", Columns: append(render.Words("Category", "Verdict"), render.Numbers(names...)...)}
	for _, s := range slices.Concat(n.Decisive, n.Alone) {
		verdict := render.T(s.Contest.String())
		switch s.Contest.Verdict {
		case stats.Ahead:
			verdict.Mark = render.Good
		case stats.Behind:
			verdict.Mark = render.Bad
		}
		row := []render.Cell{render.T(s.Category), verdict}
		for _, name := range names {
			row = append(row, n.figure(s, name))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figure is a time in a cell, or why there is none.
func (n *Answer) figure(s *findings.Standing, contestant string) render.Cell {
	if e := s.Entry(contestant); e != nil && e.Dubious == "" {
		c := render.Cell{Text: text.Digits(e.Figure), Value: e.Figure}
		if e == s.First() {
			c.Mark = render.Best
		}
		return c
	} else if e != nil {
		return render.T("not believed").With(render.Bad)
	}
	for _, r := range n.a.Rows {
		if c := r.Cells[n.Input]; c != nil && r.Category == s.Category && r.Contestant == contestant {
			return absent(r, n.Input)
		}
	}
	return nan()
}

// variants is a table of what one difference costs within a family, or nil.
func (n *Answer) variants() *render.Table {
	var names []string
	for _, s := range n.Decisive {
		for _, v := range s.Contest.Variants {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	if names == nil {
		return nil
	}
	t := &render.Table{Title: "Variants: the time of each as a share of that of its family's default member, from which it differs in one thing",
		Columns: append(render.Words("Category"), render.Words(names...)...)}
	for _, s := range n.Decisive {
		row := []render.Cell{render.T(s.Category)}
		any := false
		for _, name := range names {
			at := slices.IndexFunc(s.Contest.Variants, func(r stats.Rival) bool { return r.Name == name })
			if at < 0 {
				row = append(row, nan())
				continue
			}
			any = true
			v := s.Contest.Variants[at]
			cell := render.Cell{Text: v.Interval.String(), Value: v.Ratio}
			switch v.Verdict {
			case stats.Ahead:
				cell.Text, cell.Mark = cell.Text+" faster", render.Good
			case stats.Behind:
				cell.Text, cell.Mark = cell.Text+" slower", render.Bad
			case stats.Level:
				cell.Text += " level"
			}
			row = append(row, cell)
		}
		if any {
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// against says how an entry's figure stands to that of another.
func against(main, e *findings.Entry) render.Cell {
	if main == nil || main.Place == 0 || e.Place == 0 {
		return nan()
	}
	return render.Ratio(e.Figure / main.Figure)
}

func nan() render.Cell { return render.Number(math.NaN(), 0) }

// absent says why an input has no figure in a row.
func absent(r *group.Row, input int) render.Cell {
	c := r.Cells[input]
	switch {
	case c == nil:
		return render.T("no row").With(render.Muted)
	case c.NotApplicable != "":
		return render.T("n/a").With(render.Muted)
	case c.Error != "":
		return render.T("failed").With(render.Bad)
	}
	return render.T("no figure").With(render.Muted)
}
