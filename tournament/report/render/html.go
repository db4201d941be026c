package render

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

//go:embed assets
var assets embed.FS

var page = template.Must(template.New("page.tmpl").Funcs(template.FuncMap{
	"clean":  clean,
	"soft":   soft,
	"num":    sortKey,
	"figure": evidence,
	"long":   func(s string) bool { return len(s) > 24 },
	"kind":   func(b Block) string { return fmt.Sprintf("%T", b) },
	"filter": func(t *Table) bool { return len(t.Rows) > 5 },
	"bars":   func(c *DotChart) []*drawing { return []*drawing{drawDots(c, false), drawDots(c, true)} },
	"lines":  func(c *LineChart) []*drawing { return []*drawing{drawLines(c, false), drawLines(c, true)} },
	"size":   func(i int) string { return [...]string{"wide", "narrow"}[i] },
}).ParseFS(assets, "assets/page.tmpl"))

// pageData is what the page's template draws on. Style and script are our own files and need no escaping; everything
// else is escaped by the template.
type pageData struct {
	*Report
	Style  template.CSS
	Script template.JS
	Parts  []pageSection
}

type pageSection struct {
	*Section
	ID string
}

// writeHTML writes one file that needs nothing else: no network, no fonts, no images.
func writeHTML(w io.Writer, r *Report) error {
	data := pageData{Report: r, Style: template.CSS(asset("style.css")), Script: template.JS(asset("script.js"))}
	for i, s := range r.Sections {
		data.Parts = append(data.Parts, pageSection{s, "s" + strconv.Itoa(i+1)})
	}
	return page.Execute(w, data)
}

func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	return string(data)
}

// evidence prints a figure whose size is not known beforehand: whole figures as they are, others with four digits.
func evidence(v float64) string {
	switch {
	case v == math.Trunc(v):
		return text.Thousands(v, 0)
	case math.Abs(v) >= 1000:
		return text.Thousands(v, 1)
	}
	return stats.Significant(v, 4)
}

// keyColumn is the column that names the rows.
func keyColumn(t *Table) int {
	for i, c := range t.Columns {
		if !c.Numeric {
			return i
		}
	}
	return 0
}

// soft splits a long name where a browser may break it, so that it does not break it anywhere.
func soft(s string) []string {
	const longest = 16
	parts := []string{""}
	for i, word := range strings.Split(clean(s), " ") {
		if i > 0 {
			parts[len(parts)-1] += " "
		}
		runes := []rune(word)
		start := 0
		for i := 1; i < len(runes) && len(runes) > longest; i++ {
			mark := strings.ContainsRune("/_=.:", runes[i-1])
			hump := unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1])
			if (mark || hump) && i-start > 3 {
				parts[len(parts)-1] += string(runes[start:i])
				parts, start = append(parts, ""), i
			}
		}
		parts[len(parts)-1] += string(runes[start:])
	}
	return parts
}

// sortKey is what a cell is sorted by, empty for a cell that sorts by its text. Cells without a figure sort last.
func sortKey(c Cell) string {
	switch {
	case math.IsNaN(c.Value):
		return ""
	case math.IsInf(c.Value, 0):
		return "1e308"
	}
	return strconv.FormatFloat(c.Value, 'g', 9, 64) // more digits would differ from processor to processor
}

// A drawing is the geometry of a chart. Text stays text, so that the template escapes it.
type drawing struct {
	Title, Summary string
	Width, Height  float64
	Shapes         []shape
	Legend         []legendItem
}

type legendItem struct {
	Name   string
	Series int
}

// A shape is a rectangle, a line, a polyline, a point or a text.
type shape struct {
	Kind           string
	X, Y, X2, Y2   float64
	Width, Height  float64
	Class, Points  string
	Text, Anchor   string
	Hint           string
	Series         int
	HasSeries, Row bool
}

// series is the number of colours there are.
const series = 16

func (d *drawing) text(x, y float64, anchor, class, s string) {
	d.Shapes = append(d.Shapes, shape{Kind: "text", X: x, Y: y, Anchor: anchor, Class: class, Text: clean(s)})
}

func (d *drawing) line(x, y, x2, y2 float64, class string) {
	d.Shapes = append(d.Shapes, shape{Kind: "line", X: x, Y: y, X2: x2, Y2: y2, Class: class})
}

func label(s string) string { return strings.TrimPrefix(clean(s), "Benchmark") }

func round(v float64) float64 { return math.Round(v*10) / 10 }
