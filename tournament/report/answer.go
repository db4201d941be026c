package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
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
	rival          // it is behind somewhere, and the fastest family is faster than it over all categories
)

func (n *Answer) choice() choice {
	switch {
	case len(n.Families) == 0:
		return unclear
	case !slices.ContainsFunc(n.Families, func(f findings.Family) bool { return !(f.Hi < 1) }):
		return subject
	case n.Families[0].Lo > 1 && len(n.With(stats.Behind)) > 0:
		return rival
	case 2*len(n.With(stats.Ahead)) > len(n.Decisive):
		return mostly
	}
	return unclear
}

func (n *Answer) take() string {
	all := len(n.Decisive)
	tally := fmt.Sprintf("It is ahead of every rival in %d of %s, level with the best in %d, behind in %d; %d undecided.", len(n.With(stats.Ahead)),
		text.Count(all, "category", "categories"), len(n.With(stats.Level)), len(n.With(stats.Behind)), len(n.With(stats.Undecided)))
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
		return fmt.Sprintf("Take %[1]s, unless your program spends its time where %[1]s is behind. %[2]s", n.Subject, tally)
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
	for _, s := range n.Decisive {
		switch first := s.First(); {
		case s.Contest.Verdict == stats.Behind:
			parts = append(parts, fmt.Sprintf("%s (%s of %s)", s.Category, s.Contest.Best().Interval, s.Contest.Best().Name))
		case n.single() && first != nil && first != s.Subject():
			parts = append(parts, fmt.Sprintf("%s (%s)", s.Category, first.Contestant))
		}
	}
	switch undecided := len(n.With(stats.Undecided)); {
	case n.single() && parts == nil:
		return "No rival has a lower time."
	case n.single():
		return "Another has the lowest time in " + text.List(parts, 6) + "."
	case parts != nil:
		return "It loses in " + text.List(parts, 6) + "."
	case undecided > 0:
		return fmt.Sprintf("It is behind in no category so far; %s no verdict.", text.Count(undecided, "category has", "categories have"))
	}
	return "It loses in no category."
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
			failed = append(failed, fmt.Sprintf("%s on %s (%s)", r.Category, r.Contestant, text.Shortened(why, 60)))
		}
	}
	return failed
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
	add("budget %s", strings.TrimSuffix(p.Budget.String(), "0s"), p.Budget > 0)
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
