package report

import (
	"fmt"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// issuesShown bounds the issues of one kind that are listed; all are counted.
const issuesShown = 40

// issueLists returns the issues of the matching and of every input, those of baselines too.
func (b *builder) issueLists() []parse.IssueList {
	lists := []parse.IssueList{b.IssueList}
	for _, in := range b.Inputs {
		lists = append(lists, in.IssueList)
	}
	for _, old := range b.since {
		lists = append(lists, old.IssueList, old.Inputs[old.Pairs[0].A].IssueList)
	}
	return lists
}

// issueCounts returns the number of lines read, and of issues by kind.
func (b *builder) issueCounts() (lines int, counts map[parse.IssueKind]int) {
	counts = make(map[parse.IssueKind]int)
	for _, in := range b.Inputs {
		lines += in.Lines
	}
	for _, old := range b.since {
		lines += old.Inputs[old.Pairs[0].A].Lines
	}
	for _, l := range b.issueLists() {
		for kind, n := range l.Counts {
			counts[kind] += n
		}
	}
	return lines, counts
}

// digestIssues is how many a digest names.
const digestIssues = 3

// firstIssues names a few, the gravest kinds first.
func (b *builder) firstIssues() (lines render.List) {
	for _, kind := range parse.IssueKinds {
		for _, l := range b.issueLists() {
			for _, i := range l.Issues {
				if i.Kind == kind && len(lines) < digestIssues {
					lines = append(lines, fmt.Sprintf("%s, line %d: %s", i.File, i.Line, i.Text))
				}
			}
		}
	}
	return lines
}

// issues shows what was not used, repaired or doubtful in the inputs, with file and line.
func (b *builder) issues() {
	s := b.report.Section(2, "What was not used, repaired or doubtful")
	lines, totals := b.issueCounts()
	if len(totals) == 0 {
		s.Add(render.Paragraphf("Nothing: every one of the %s lines was understood, and every row has its counterpart.", text.Thousands(float64(lines), 0)))
		return
	}
	if b.digest {
		s.Add(render.Paragraph(b.issuesInWords()))
		if examples := b.firstIssues(); examples != nil && len(b.Inputs) <= fewInputs {
			s.Add(render.Paragraph("The first of them:"), examples)
		}
		return
	}
	counts := &render.Table{Columns: append(render.Words("Kind"), render.Numbers("Count")...)}
	examples := &render.Table{Title: "Where", Columns: append(render.Words("Kind", "File", "What"), render.Numbers("Line")...)}
	for _, kind := range parse.IssueKinds {
		if totals[kind] == 0 {
			continue
		}
		counts.Rows = append(counts.Rows, []render.Cell{render.T(string(kind)), render.Int(totals[kind])})
		listed := 0
		for _, l := range b.issueLists() {
			for _, i := range l.Issues {
				if i.Kind != kind || listed == issuesShown {
					continue
				}
				listed++
				line := render.T("whole file")
				if i.Line > 0 {
					line = render.Cell{Text: fmt.Sprint(i.Line), Value: float64(i.Line)}
				}
				examples.Rows = append(examples.Rows, []render.Cell{render.T(string(kind)), render.T(i.File), render.T(i.Text), line})
			}
		}
		if more := totals[kind] - listed; more > 0 {
			examples.Rows = append(examples.Rows, []render.Cell{render.T(string(kind)), render.T(""), render.T(fmt.Sprintf("and %s more", text.Thousands(float64(more), 0))), render.T("")})
		}
	}
	s.Add(render.Paragraphf("Of %s lines read:", text.Thousands(float64(lines), 0)), counts, examples)
}
