// Package claims checks the text of a report against its tables.
//
// A file of claims holds the statements of a report about rows: figures, ratios, winners, counts, ranges, trends and causes.
// It names the result files that hold the tables. Rules check each kind of
// statement; they know no report, no category and no contestant.
package claims

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// Schema is the format of a file of claims.
const Schema = "eventloop-claims/1"

// A Document is what reports say, and the tables that they say it of.
type Document struct {
	Schema string `json:"schema"`
	// Tables are result files, by the name that statements have for them. Paths are relative to the file of claims.
	Tables map[string]string `json:"tables"`
	Facts  []Fact            `json:"facts"`
	Pages  []Page            `json:"pages"`

	rows map[string]*group.Table
}

// A Fact is a property that no figure shows.
type Fact struct {
	// Of is a category or a contestant.
	Of string `json:"of"`
	// Does lists the mechanisms that take part in a category, as far as statements name any.
	Does []string `json:"does"`
	// Lacks are mechanisms that a contestant does not have.
	Lacks []string `json:"lacks"`
}

// A Page is one place of a report.
type Page struct {
	Page       string      `json:"page"`
	Statements []Statement `json:"statements"`
}

// A Statement is one thing that a page says.
//
//	figure   Of has the Value
//	ratio    Of takes Value times as long as Over, or so many percent longer (+88%) or shorter (-36%)
//	faster   Of takes less time than Over
//	first    Of has the lowest figure in each category of In; second: the next
//	wins     Of is first in Value categories of the tables In; seconds: second
//	rises    the sweep Of costs more at To than at From; falls: less
//	range    Of, or Of ÷ Over, stays within the Value: "<=1.4", ">=2", "1.5..3"
//	cause    the figures Of come from the Value, a mechanism
//
// References are "table:category/contestant", with a unit in brackets if it is not ns/op. Several tables stand with commas,
// several references with spaces; an asterisk stands for any characters.
type Statement struct {
	Says  string `json:"says"`
	Of    string `json:"of"`
	Over  string `json:"over"`
	In    string `json:"in"`
	From  string `json:"from"`
	To    string `json:"to"`
	Value string `json:"value"`
	// Mode of a range: "" if both ends are reached and nothing is outside, "within" if only the latter is said, "mostly"
	// if half of the figures are within.
	Mode string `json:"mode"`
}

// Open reads a file of claims and its tables.
func Open(path string) (*Document, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var d Document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("%s: schema %q, want %q; is it a file of claims?", path, d.Schema, Schema)
	}
	inputs := make(map[string]*parse.Input)
	for name, file := range d.Tables {
		in, err := parse.Open(filepath.Join(filepath.Dir(path), filepath.FromSlash(file)))
		if err != nil {
			return nil, err
		}
		inputs[name] = in
	}
	if err := d.Use(inputs); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &d, nil
}

// Use has the document checked against these tables, by name.
func (d *Document) Use(inputs map[string]*parse.Input) error {
	d.rows = make(map[string]*group.Table)
	for name, in := range inputs {
		d.rows[name] = group.Match(in)
	}
	for _, p := range d.Pages {
		for i := range p.Statements {
			s := &p.Statements[i]
			if rules[s.Says].check == nil {
				return fmt.Errorf("page %q: no statement is called %q", p.Page, s.Says)
			}
		}
	}
	return nil
}

// An Outcome is what became of the statements of a document.
type Outcome struct {
	Agree, Contradicted, Untestable int
	Findings                        []findings.Finding
}

// Check runs the rules over every statement. Repetitions of one statement on one page count once.
func (d *Document) Check() Outcome {
	var o Outcome
	for _, p := range d.Pages {
		var seen []Statement
		for _, s := range p.Statements {
			if slices.Contains(seen, s) {
				continue
			}
			seen = append(seen, s)
			rule := rules[s.Says]
			switch v := rule.check(d, &s); {
			case v.fault != "":
				o.Contradicted++
				o.Findings = append(o.Findings, findings.Finding{Kind: rule.kind, Severity: findings.Problem, Subject: p.Page, Text: v.fault})
			case v.untestable:
				o.Untestable++
			default:
				o.Agree++
			}
		}
	}
	return o
}

// fact returns the fact about a category or contestant.
func (d *Document) fact(of string) *Fact {
	for i := range d.Facts {
		if d.Facts[i].Of == of {
			return &d.Facts[i]
		}
	}
	return nil
}

// cycle is less than any processor needs for one instruction, in nanoseconds: what takes less did not run.
const cycle = 0.1

// A place is a contestant with its figure in one category.
type place struct {
	contestant string
	ns         float64
}

// standing ranks a category of a table, lowest first.
func (d *Document) standing(table, category string) []place {
	var out []place
	for _, r := range d.rows[table].Rows {
		if r.Category == category && r.Contestant != "" && r.Cells[0].Measured() {
			if _, again := result.ReplicaOf(r.Contestant); again {
				continue
			}
			if v := value(r, ""); v >= cycle {
				out = append(out, place{r.Contestant, v})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y place) int { return cmp.Compare(x.ns, y.ns) })
	return out
}

// Markdown writes an outcome as a sentence and a table with a line for each fault.
func Markdown(o Outcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d statements agree with the tables, %d are contradicted, and for %d the tables lack the rows.\n\n| page | fault |\n|---|---|\n", o.Agree, o.Contradicted, o.Untestable)
	for _, f := range o.Findings {
		fmt.Fprintf(&b, "| %s | %s |\n", f.Subject, strings.ReplaceAll(f.Text, "*", `\*`))
	}
	return b.String()
}
