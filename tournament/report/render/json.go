package render

import (
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
)

// JSONSchema names the format of a report written as JSON. It is one object with a title, a subtitle and sections. A section has a
// title, a level (2 for a chapter, 3 for a part of one) and blocks. The type of a block decides which other fields it has:
//
//	paragraph            text
//	list                 items: texts
//	table, heat map      title, columns, rows; text is the note below. A row is an array of cells, one for each column
//	dot chart            title, rows; text is the unit. A row is a point
//	ratio chart          title, columns: the names of the two sides; rows: points
//	line chart           title, columns: the names of the axes; rows: points
//	findings             findings with kind, severity, subject, text and evidence
//	folded               rows: blocks
//
// A cell has its text as printed and, for a figure, its value without rounding; a share of 2.1 % is 0.021. A point has series, value, x
// in line charts, lo and hi for the ends of an interval, and group, the heading of its row. A severity is info, notice, warning or
// problem, and evidence is a list of figures with name, value and unit.
//
// A figure that does not exist, or that JSON cannot hold, is absent. Fields may be added; a change of meaning changes this name.
const JSONSchema = "eventloop-report/1"

type jsonReport struct {
	Schema   string        `json:"schema"`
	Title    string        `json:"title"`
	Subtitle string        `json:"subtitle,omitempty"`
	Sections []jsonSection `json:"sections"`
}

type jsonSection struct {
	Title  string      `json:"title"`
	Level  int         `json:"level"`
	Blocks []jsonBlock `json:"blocks"`
}

// A jsonBlock has its Type and the fields of that type.
type jsonBlock struct {
	Type     string             `json:"type"`
	Title    string             `json:"title,omitempty"`
	Text     string             `json:"text,omitempty"`
	Items    []string           `json:"items,omitempty"`
	Columns  []string           `json:"columns,omitempty"`
	Rows     []any              `json:"rows,omitempty"`
	Findings []findings.Finding `json:"findings,omitempty"`
}

type jsonCell struct {
	Text  string   `json:"text"`
	Value *float64 `json:"value,omitempty"`
}

type jsonPoint struct {
	Group  string   `json:"group,omitempty"`
	Series string   `json:"series"`
	X      *float64 `json:"x,omitempty"`
	Value  *float64 `json:"value"`
	Lo     *float64 `json:"lo,omitempty"`
	Hi     *float64 `json:"hi,omitempty"`
}

// finite makes absent what JSON cannot hold.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func writeJSON(w io.Writer, r *Report) error {
	out := jsonReport{Schema: JSONSchema, Title: r.Title, Subtitle: r.Subtitle}
	for _, s := range r.Sections {
		js := jsonSection{Title: s.Title, Level: s.Level, Blocks: []jsonBlock{}}
		for _, b := range s.Blocks {
			js.Blocks = append(js.Blocks, toJSON(b))
		}
		out.Sections = append(out.Sections, js)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}

func toJSON(b Block) jsonBlock {
	switch x := b.(type) {
	case Paragraph:
		return jsonBlock{Type: "paragraph", Text: string(x)}
	case List:
		return jsonBlock{Type: "list", Items: x}
	case *Table:
		return jsonTable("table", x)
	case *HeatMap:
		return jsonTable("heat map", x.table())
	case *DotChart:
		if x.Left != "" {
			return jsonBlock{Type: "ratio chart", Title: x.Title, Columns: []string{x.Left, x.Right}, Rows: jsonBars(x.Bars)}
		}
		return jsonBlock{Type: "dot chart", Title: x.Title, Text: x.Unit, Rows: jsonBars(x.Bars)}
	case *LineChart:
		j := jsonBlock{Type: "line chart", Title: x.Title, Columns: []string{x.XLabel, x.YLabel}}
		for _, l := range x.Lines {
			for _, p := range l.Points {
				j.Rows = append(j.Rows, jsonPoint{"", l.Name, finite(p.X), finite(p.Y), finite(p.Lo), finite(p.Hi)})
			}
		}
		return j
	case Folded:
		j := jsonBlock{Type: "folded", Title: x.Summary}
		for _, inner := range x.Blocks {
			j.Rows = append(j.Rows, toJSON(inner))
		}
		return j
	case FindingList:
		fs := slices.Clone(x)
		for i := range fs {
			fs[i].Evidence = slices.DeleteFunc(slices.Clone(fs[i].Evidence), func(f findings.Figure) bool { return finite(f.Value) == nil })
		}
		return jsonBlock{Type: "findings", Findings: fs}
	}
	return jsonBlock{Type: "unknown"}
}

func jsonTable(kind string, t *Table) jsonBlock {
	j := jsonBlock{Type: kind, Title: t.Title, Text: t.Note}
	for _, c := range t.Columns {
		j.Columns = append(j.Columns, c.Name)
	}
	for _, row := range t.Rows {
		cells := make([]jsonCell, len(row))
		for i, c := range row {
			cells[i] = jsonCell{c.Text, finite(c.Value)}
		}
		j.Rows = append(j.Rows, cells)
	}
	return j
}

func jsonBars(bars []Bar) []any {
	var out []any
	for _, b := range bars {
		out = append(out, jsonPoint{Group: b.Group, Series: b.Name, Value: finite(b.Value), Lo: finite(b.Lo), Hi: finite(b.Hi)})
	}
	return out
}
