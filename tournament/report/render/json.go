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
//	table                title, columns, rows; text is the note below. A row is an array of cells, one for each column
//	dot chart            title, rows; text is the unit, or says what the two sides of 1 mean. A row is a point
//	line chart           title, columns: the names of the axes; rows: points
//	findings             findings with kind, severity, subject, text and evidence
//	folded               title, blocks
//
// A cell has its text as printed and, for a figure, its value without rounding; a share of 2.1 % is 0.021. A point has series, value, x
// in line charts, lo and hi for the ends of an interval, and group, the heading of its row. A severity is info, notice, warning or
// problem, and evidence is a list of figures with name, value and unit.
//
// A figure that does not exist, or that JSON cannot hold, is absent. Fields may be added; a change of meaning changes this name.
const JSONSchema = "eventloop-report/1"

// An object is a part of a report in JSON. A block has its type and the fields of that type.
type object = map[string]any

func writeJSON(w io.Writer, r *Report) error {
	var sections []object
	for _, s := range r.Sections {
		sections = append(sections, object{"title": s.Title, "level": s.Level, "blocks": objects(s.Blocks)})
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(object{"schema": JSONSchema, "title": r.Title, "subtitle": r.Subtitle, "sections": sections})
}

func objects(blocks []Block) []object {
	out := []object{}
	for _, b := range blocks {
		out = append(out, toJSON(b))
	}
	return out
}

// finite makes absent what JSON cannot hold.
func finite(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return v
}

func toJSON(b Block) object {
	var rows []any
	switch x := b.(type) {
	case Paragraph:
		return object{"type": "paragraph", "text": x}
	case List:
		return object{"type": "list", "items": x}
	case *Table:
		var columns []string
		for _, c := range x.Columns {
			columns = append(columns, c.Name)
		}
		for _, row := range x.Rows {
			var cells []object
			for _, c := range row {
				cells = append(cells, object{"text": c.Text, "value": finite(c.Value)})
			}
			rows = append(rows, cells)
		}
		return object{"type": "table", "title": x.Title, "text": x.Note, "columns": columns, "rows": rows}
	case *DotChart:
		for _, b := range x.Bars {
			rows = append(rows, object{"group": b.Group, "series": b.Name, "value": finite(b.Value), "lo": finite(b.Lo), "hi": finite(b.Hi)})
		}
		return object{"type": "dot chart", "title": x.Title, "text": x.unit(), "rows": rows}
	case *LineChart:
		for _, l := range x.Lines {
			for _, p := range l.Points {
				rows = append(rows, object{"series": l.Name, "x": finite(p.X), "value": finite(p.Y), "lo": finite(p.Lo), "hi": finite(p.Hi)})
			}
		}
		return object{"type": "line chart", "title": x.Title, "columns": []string{x.XLabel, x.YLabel}, "rows": rows}
	case Folded:
		return object{"type": "folded", "title": x.Summary, "blocks": objects(x.Blocks)}
	case FindingList:
		fs := slices.Clone(x)
		for i := range fs {
			fs[i].Evidence = slices.DeleteFunc(slices.Clone(fs[i].Evidence), func(f findings.Figure) bool { return finite(f.Value) == nil })
		}
		return object{"type": "findings", "findings": fs}
	}
	return object{"type": "unknown"}
}
