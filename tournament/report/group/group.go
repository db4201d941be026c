// Package group matches the rows of several inputs and sorts them into the groups that reports are made of.
package group

import (
	"fmt"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Table holds the rows of all inputs side by side.
type Table struct {
	Inputs []*parse.Input
	// Rows are in order of first appearance.
	Rows []*Row
	// The issues of the matching: rows that one side lacks, and differing sample counts. Those of each input are kept
	// with the input.
	parse.IssueList
}

// A Row is one benchmark in every input.
type Row struct {
	// Key is the same for all names that mean the same row.
	Key string
	// Name is the name as first published, with "Benchmark".
	Name string
	// Label is Name with the meaning of a misleading one.
	Label string

	Category   string // without "Benchmark" and contestant
	Contestant string // empty in the component suite
	Kind       result.Kind
	Sweep      Sweep // the point of a sweep, if Category is one

	// Index is the place of the row in its table.
	Index int
	// Cells has an entry for each input, nil where the input lacks the row.
	Cells []*parse.Row
}

// Complete reports whether every input has samples of the row.
func (r *Row) Complete() bool {
	for _, c := range r.Cells {
		if !c.Measured() {
			return false
		}
	}
	return true
}

// Match sets the rows of the inputs side by side. It makes the labels of the inputs different from each other.
func Match(inputs ...*parse.Input) *Table {
	parse.Label(inputs)
	t := &Table{Inputs: inputs}
	byKey := make(map[string]*Row)
	for i, in := range inputs {
		for _, r := range in.Rows {
			id := identify(in, r)
			row := byKey[id.Key]
			if row == nil {
				row = new(Row)
				*row = id
				row.Index = len(t.Rows)
				row.Cells = make([]*parse.Row, len(inputs))
				byKey[id.Key] = row
				t.Rows = append(t.Rows, row)
			}
			if have := row.Cells[i]; have != nil {
				t.Note(parse.Duplicate, in.Path, r.Line, "%s means the same row as %s at line %d; the samples were put together", r.Name, have.Name, have.Line)
				merged := *have
				merged.Samples = append(merged.Samples[:len(merged.Samples):len(merged.Samples)], r.Samples...)
				r = &merged
			}
			row.Cells[i] = r
		}
	}
	if len(inputs) > 1 {
		for _, row := range t.Rows {
			t.check(row)
		}
	}
	return t
}

// check notes what keeps a row from being compared on equal terms.
func (t *Table) check(row *Row) {
	var first *parse.Row
	var where *parse.Input
	whole, even := true, true
	for i, c := range row.Cells {
		switch {
		case c == nil:
			whole = false
			continue
		case first == nil:
			first, where = c, t.Inputs[i]
		}
		even = even && len(c.Samples) == len(first.Samples)
	}
	if whole && even {
		return
	}
	var have, lack []string
	counts := ""
	for i, c := range row.Cells {
		label := t.Inputs[i].Label
		if c == nil {
			lack = append(lack, label)
			continue
		}
		have = append(have, label)
		counts += fmt.Sprintf(", %d in %s", len(c.Samples), label)
	}
	if !whole {
		t.Note(parse.OneSided, where.Path, first.Line, "%s is in %s, not in %s", row.Name, strings.Join(have, ", "), strings.Join(lack, ", "))
	}
	if !even {
		t.Note(parse.Uneven, where.Path, first.Line, "%s has differing sample counts: %s", row.Name, counts[2:])
	}
}

// Complete returns the rows that every input has.
func (t *Table) Complete() []*Row {
	var out []*Row
	for _, r := range t.Rows {
		if r.Complete() {
			out = append(out, r)
		}
	}
	return out
}
