// Package render writes one report model as Markdown, HTML, JSON or plain text.
package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// A Format is a way to write a report.
type Format string

// The formats.
const (
	Markdown Format = "md"
	HTML     Format = "html"
	JSON     Format = "json"
	Text     Format = "text"
)

// Formats lists the formats.
var Formats = []Format{Markdown, HTML, JSON, Text}

// Write writes a report in a format.
func Write(w io.Writer, r *Report, f Format) error {
	switch f {
	case Markdown:
		return WriteMarkdown(w, r, nil)
	case HTML:
		return writeHTML(w, r)
	case JSON:
		return writeJSON(w, r)
	case Text:
		return writeText(w, r)
	}
	return fmt.Errorf("unknown format %q; want md, html, json or text", f)
}

// A Report is a title and sections.
type Report struct {
	Title    string
	Subtitle string
	Sections []*Section
}

// A Section is a heading and the blocks below it.
type Section struct {
	Title string
	// Level is 2 for a chapter, 3 for a part of the chapter before it.
	Level  int
	Blocks []Block
}

// Bounds on what a report shows, so that a log of a quarter of a million rows gives a page that a browser can open.
const (
	MaxRows = 5000
	MaxBars = 60
)

// Add appends blocks. It leaves out charts without figures and empty tables, and cuts those that are too long.
func (s *Section) Add(blocks ...Block) {
	for _, b := range blocks {
		switch x := b.(type) {
		case *Table:
			if len(x.Rows) == 0 {
				continue
			}
			if n := len(x.Rows) + x.left; n > MaxRows {
				x.Rows = x.Rows[:MaxRows]
				x.Note = strings.TrimSpace(x.Note + fmt.Sprintf(" The first %s of %s rows; the rest is counted, and left out here.", text.Thousands(MaxRows, 0), text.Thousands(float64(n), 0)))
			}
		case *DotChart:
			if len(x.Bars) == 0 {
				continue
			}
			x.Bars = x.Bars[:min(len(x.Bars), MaxBars)]
		case Folded:
			var inner Section
			inner.Add(x.Blocks...)
			b = Folded{x.Summary, inner.Blocks}
		}
		s.Blocks = append(s.Blocks, b)
	}
}

// Section appends a section and returns it.
func (r *Report) Section(level int, title string) *Section {
	s := &Section{Title: title, Level: level}
	r.Sections = append(r.Sections, s)
	return s
}

// A Block is a part of a section: a [Paragraph], [List], [Table], [DotChart], [LineChart], [Folded] or [FindingList].
type Block interface{ block() }

// A Paragraph is running text.
type Paragraph string

// Paragraphf formats a paragraph.
func Paragraphf(format string, args ...any) Paragraph { return Paragraph(fmt.Sprintf(format, args...)) }

// A List is a list of short texts.
type List []string

// A Table is a table. Its first column that is not Numeric names the row.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]Cell
	Note    string
	left    int // rows beyond the bound
}

// A Column is the head of a column.
type Column struct {
	Name    string
	Numeric bool
}

// NewTable makes a table of columns by name. A name behind # is that of a column of figures.
func NewTable(names ...string) *Table { return new(Table).Columned(names...) }

// Columned appends columns as [NewTable] makes them, and returns the table.
func (t *Table) Columned(names ...string) *Table {
	for _, n := range names {
		name, numeric := strings.CutPrefix(n, "#")
		t.Columns = append(t.Columns, Column{name, numeric})
	}
	return t
}

// Add appends a row. A string is a cell of text, an int a count, a float64 a figure with two decimals; a Cell stands for itself.
func (t *Table) Add(cells ...any) {
	if len(t.Rows) > MaxRows { // nobody will see it
		t.left++
		return
	}
	t.Rows = append(t.Rows, Row(cells...))
}

// Row makes cells as [Table.Add] does.
func Row(cells ...any) []Cell {
	row := make([]Cell, len(cells))
	for i, c := range cells {
		switch x := c.(type) {
		case Cell:
			row[i] = x
		case string:
			row[i] = T(x)
		case int:
			row[i] = Number(float64(x), 0)
		case float64:
			row[i] = Number(x, 2)
		default:
			panic(fmt.Sprintf("a cell of type %T", c))
		}
	}
	return row
}

// A Cell is one cell of a table.
type Cell struct {
	Text string
	// Value is what the cell is sorted by and what JSON holds, NaN if the cell is text only.
	Value float64
	Mark  Mark
}

// A Mark sets a cell off. It never carries meaning that the text lacks.
type Mark string

// The marks.
const (
	Plain Mark = ""
	Best  Mark = "best"
	Good  Mark = "good"
	Bad   Mark = "bad"
	Muted Mark = "muted"
)

// T makes a cell of text.
func T(s string) Cell { return Cell{Text: s, Value: math.NaN()} }

// With returns the cell with a mark.
func (c Cell) With(m Mark) Cell {
	c.Mark = m
	return c
}

// A DotChart shows figures on a logarithmic axis, each with its interval and every sample that it comes from.
type DotChart struct {
	Title string
	Unit  string
	// Left and Right say what ratios below and above 1 mean; they are empty in a chart of other figures.
	Left, Right string
	Bars        []Bar
}

// A Bar is one row of a chart. Lo and Hi are the ends of its interval.
type Bar struct {
	// Group is the heading of this row and of those behind it that have the same.
	Group, Name   string
	Value, Lo, Hi float64
	// Samples are what Value comes from; a dot chart shows all of them.
	Samples []float64
	// Series chooses the colour.
	Series int
}

// A LineChart shows figures over a number, both on logarithmic scales.
type LineChart struct {
	Title          string
	XLabel, YLabel string
	Lines          []Line
}

// A Line is one line of a chart.
type Line struct {
	Name   string
	Points []Point
	// Series chooses the colour.
	Series int
}

// A Point is one point of a line. Lo and Hi are the ends of its error bar.
type Point struct{ X, Y, Lo, Hi float64 }

// Folded hides blocks behind a line that opens them.
type Folded struct {
	Summary string
	Blocks  []Block
}

// A FindingList shows findings.
type FindingList []findings.Finding

func (Paragraph) block()   {}
func (List) block()        {}
func (*Table) block()      {}
func (*DotChart) block()   {}
func (Folded) block()      {}
func (*LineChart) block()  {}
func (FindingList) block() {}
