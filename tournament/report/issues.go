package report

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// issues shows what was not used, repaired or doubtful in the inputs and their baselines: counts, and the first of each kind with file
// and line, of which a digest has a few.
func (b *builder) issues() {
	s := b.report.Section(2, "What was not used, repaired or doubtful")
	lines := 0
	lists := []parse.IssueList{b.IssueList}
	add := func(in *parse.Input) {
		lines += in.Lines
		lists = append(lists, in.IssueList)
	}
	for _, in := range b.Inputs {
		add(in)
	}
	for _, old := range b.since {
		lists = append(lists, old.IssueList)
		add(old.Inputs[old.Pairs[0].A])
	}
	most := 40
	switch {
	case b.digest && len(b.Inputs) > 3:
		most = 0
	case b.digest:
		most = 1
	}
	var counts []string
	where := render.NewTable("Kind", "File", "What", "#Line")
	for _, kind := range parse.IssueKinds {
		total, listed := 0, 0
		for _, l := range lists {
			total += l.Counts[kind]
			for _, i := range l.Issues {
				if i.Kind != kind || listed == most {
					continue
				}
				listed++
				line := render.T("whole file")
				if i.Line > 0 {
					line = render.Cell{Text: fmt.Sprint(i.Line), Value: float64(i.Line)}
				}
				where.Add(string(kind), i.File, i.Text, line)
			}
		}
		if total > 0 {
			counts = append(counts, fmt.Sprintf("%s %s", text.Thousands(float64(total), 0), kind))
		}
	}
	if counts == nil {
		s.Add(render.Paragraphf("Nothing: every one of the %s lines was understood, and every row has its counterpart.", text.Thousands(float64(lines), 0)))
		return
	}
	s.Add(render.Paragraphf("Of %s lines read: %s.", text.Thousands(float64(lines), 0), text.List(counts, 0)))
	if !b.prose {
		s.Add(where)
	}
}
