package render

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/eventloop-go/eventloop/tournament/report/text"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

const (
	chartTop = 8.0
	axisRoom = 26.0
	perRune  = 7.1 // the width of a character
)

// A frame is the geometry of a dot chart. On a narrow screen a name stands above its row instead of beside it.
type frame struct {
	narrow             bool
	width, left, right float64 // of the drawing, and where its plot begins and ends
	row                float64
}

func frameOf(bars []Bar, narrow bool) frame {
	if narrow {
		return frame{true, 350, 10, 350 - 52, 38}
	}
	longest := 0
	for _, b := range bars {
		longest = max(longest, len([]rune(label(b.Name))))
	}
	left := math.Min(366, math.Max(60, float64(longest)*perRune+8))
	return frame{false, 720, left, 720 - 64, 22}
}

// name writes the name of a row, shortened to what fits, and returns where its figure stands.
func (f *frame) name(d *drawing, s string, top float64) (y float64) {
	if f.narrow {
		d.text(f.left, top+13, "start", "name", shortened(s, f.width-f.left))
		return top + 26
	}
	d.text(f.left-6, top+15, "end", "name", shortened(s, f.left-8))
	return top + 11
}

func shortened(s string, room float64) string {
	runes := []rune(label(s))
	if n := int(room / perRune); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return string(runes)
}

// drawDots draws a row for each figure on a logarithmic axis: every sample as a pale dot, the figure as a mark, and its
// interval. Equal distances are equal factors. A chart of ratios has a line at 1.
func drawDots(c *DotChart, narrow bool) *drawing {
	f := frameOf(c.Bars, narrow)
	d := &drawing{Title: c.Title, Summary: fmt.Sprintf("%s (%s)", clean(c.Title), clean(c.unit())), Width: f.width}
	least, most, height := c.extent()
	top := chartTop
	if c.Left != "" {
		top += 18
	}
	d.Height = top + height(f.row) + axisRoom
	if most == 0 {
		d.text(f.width/2, d.Height/2, "middle", "tick", "no figures")
		return d
	}
	at := func(v float64) float64 {
		v = math.Min(most, math.Max(least, v))
		return round(f.left + math.Log(v/least)/math.Log(most/least)*(f.right-f.left))
	}
	bottom := d.Height - axisRoom
	for _, v := range logTicks(least, most, (f.right-f.left)/50) {
		d.line(at(v), top, at(v), bottom, "grid")
		d.text(at(v), bottom+15, "middle", "tick", tickText(v))
	}
	if c.Left != "" {
		d.line(at(1), top, at(1), bottom, "zero")
		if narrow {
			d.text(f.left, chartTop+8, "start", "side", "← "+clean(c.Left))
			d.text(f.right, chartTop+8, "end", "side", clean(c.Right)+" →")
		} else {
			d.text(at(1)-8, chartTop+8, "end", "side", "← "+clean(c.Left))
			d.text(at(1)+8, chartTop+8, "start", "side", clean(c.Right)+" →")
		}
	}
	group := ""
	for _, b := range c.Bars {
		if b.Group != group {
			group = b.Group
			d.text(f.left, top+16, "start", "group", shortened(group, f.width-f.left))
			top += headRow
		}
		y := f.name(d, b.Name, top)
		top += f.row
		if !(b.Value > 0) || math.IsInf(b.Value, 0) {
			d.text(f.left+6, y+4, "start", "value", "no figure")
			continue
		}
		hint := fmt.Sprintf("%s: %s", clean(b.Name), c.figure(b.Value))
		if b.Lo > 0 && b.Lo < b.Hi {
			hint += fmt.Sprintf(" (%s to %s)", c.figure(b.Lo), c.figure(b.Hi))
			d.line(at(b.Lo), y, at(b.Hi), y, "err")
			d.line(at(b.Lo), y-4, at(b.Lo), y+4, "err")
			d.line(at(b.Hi), y-4, at(b.Hi), y+4, "err")
		}
		for _, v := range b.Samples {
			if v > 0 {
				d.Shapes = append(d.Shapes, shape{Kind: "dot", X: at(v), Y: round(y), HasSeries: true, Series: b.Series % series, Class: "raw"})
			}
		}
		mark := shape{Kind: "point", X: at(b.Value), Y: round(y), HasSeries: true, Series: b.Series % series, Hint: hint}
		if c.Left != "" && !(b.Lo > 1 || b.Hi < 1) {
			mark.Class = "unsure"
		}
		d.Shapes = append(d.Shapes, mark)
		d.text(f.width-4, y+4, "end", "value", c.figure(b.Value))
	}
	return d
}

// headRow is the height of the name of a group.
const headRow = 24.0

// extent is the range of the axis, and the height of the rows. Of intervals that are wider than the figures by far the ends are
// cut off, so that one of them does not press all others together.
func (c *DotChart) extent() (least, most float64, height func(row float64) float64) {
	least = math.Inf(1)
	see := func(v float64) {
		if v > 0 && !math.IsInf(v, 0) {
			least, most = math.Min(least, v), math.Max(most, v)
		}
	}
	groups, group := 0, ""
	for _, b := range c.Bars {
		see(b.Value)
		for _, v := range b.Samples {
			see(v)
		}
		if b.Group != group {
			groups, group = groups+1, b.Group
		}
	}
	if most > 0 && c.Left != "" {
		see(1)
	}
	const widest = 2
	low, high := least/widest, most*widest
	for _, b := range c.Bars {
		if !math.IsNaN(b.Lo) && b.Lo > 0 {
			see(math.Max(b.Lo, low))
			see(math.Min(b.Hi, high))
		}
	}
	return least / 1.08, most * 1.08, func(row float64) float64 { return row*float64(len(c.Bars)) + headRow*float64(groups) }
}

func (c *DotChart) unit() string {
	if c.Left != "" {
		return "left of 1: " + c.Left + "; right: " + c.Right
	}
	return c.Unit
}

func (c *DotChart) figure(v float64) string {
	if c.Left != "" {
		return stats.Times(v)
	}
	return text.Thousands(v, 2)
}

// logTicks are round figures from least to most, no more than fit.
func logTicks(least, most, fit float64) []float64 {
	for _, marks := range [][]float64{{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}, {1, 2, 3, 5}, {1, 3}, {1}} {
		var out []float64
		for e := math.Floor(math.Log10(least)); e <= math.Log10(most)+0.01; e++ {
			for _, m := range marks {
				if v := m * math.Pow(10, e); v >= least && v <= most {
					out = append(out, v)
				}
			}
		}
		if float64(len(out)) <= fit {
			return out
		}
	}
	return nil
}

// drawLines draws a sweep, both axes logarithmic: sizes double from point to point, and times span decades.
func drawLines(c *LineChart, narrow bool) *drawing {
	const height = 300.0
	left, right, width := 74.0, 16.0, 720.0
	if narrow {
		left, right, width = 46, 4, 350
	}
	d := &drawing{Title: c.Title, Summary: fmt.Sprintf("Line chart of %s: %s over %s", c.Title, c.YLabel, c.XLabel), Width: width, Height: height}
	minX, maxX, minY, maxY := math.Inf(1), 0.0, math.Inf(1), 0.0
	xs := make(map[float64]bool)
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if p.X > 0 && p.Y > 0 {
				minX, maxX = math.Min(minX, p.X), math.Max(maxX, p.X)
				minY, maxY = math.Min(minY, positiveOr(p.Lo, p.Y)), math.Max(maxY, math.Max(p.Y, finiteOr(p.Hi, 0)))
				xs[p.X] = true
			}
		}
	}
	if len(xs) == 0 {
		d.text(width/2, height/2, "middle", "tick", "no figures")
		return d
	}
	minY, maxY = math.Pow(10, math.Floor(math.Log10(minY)*2)/2), math.Pow(10, math.Ceil(math.Log10(maxY)*2)/2)
	scale := func(v, lo, hi, from, to float64) float64 {
		if hi <= lo {
			return round((from + to) / 2)
		}
		return round(from + (math.Log(v)-math.Log(lo))/(math.Log(hi)-math.Log(lo))*(to-from))
	}
	bottom := height - 40
	x := func(v float64) float64 { return scale(v, minX, maxX, left+12, width-right-12) }
	y := func(v float64) float64 { return scale(v, minY, maxY, bottom, chartTop) }
	marks := []float64{1, 3}
	if maxY < 30*minY {
		marks = []float64{1, 2, 3, 5}
	}
	for e := math.Floor(math.Log10(minY)); e <= math.Log10(maxY)+0.01; e++ {
		for _, m := range marks {
			if v := m * math.Pow(10, e); v >= minY*0.99 && v <= maxY*1.01 {
				d.line(left, y(v), width-right, y(v), "grid")
				d.text(left-6, y(v)+4, "end", "tick", tickText(v))
			}
		}
	}
	last := math.Inf(-1)
	for _, v := range slices.Sorted(maps.Keys(xs)) {
		if x(v)-last >= 34 { // closer ones would overlap
			last = x(v)
			d.text(x(v), bottom+16, "middle", "tick", tickText(v))
		}
	}
	d.text((left+width-right)/2, height-6, "middle", "side", c.XLabel)
	d.text(6, chartTop+4, "start", "side", c.YLabel)
	for _, l := range c.Lines {
		var points []string
		for _, p := range l.Points {
			if p.X > 0 && p.Y > 0 {
				points = append(points, fmt.Sprintf("%g,%g", x(p.X), y(p.Y)))
			}
		}
		if len(points) == 0 {
			continue
		}
		d.Legend = append(d.Legend, legendItem{l.Name, l.Series % series})
		d.Shapes = append(d.Shapes, shape{Kind: "polyline", Points: strings.Join(points, " "), HasSeries: true, Series: l.Series % series})
		for _, p := range l.Points {
			if !(p.X > 0 && p.Y > 0) {
				continue
			}
			if p.Lo > 0 && p.Hi > p.Lo {
				d.line(x(p.X), y(p.Lo), x(p.X), y(p.Hi), "err")
			}
			d.Shapes = append(d.Shapes, shape{Kind: "point", X: x(p.X), Y: y(p.Y), HasSeries: true, Series: l.Series % series, Hint: fmt.Sprintf("%s, %g: %s", clean(l.Name), p.X, text.Thousands(p.Y, 2))})
		}
	}
	return d
}

func finiteOr(v, otherwise float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return otherwise
	}
	return v
}

func positiveOr(v, otherwise float64) float64 {
	if v > 0 {
		return v
	}
	return otherwise
}

func tickText(v float64) string {
	switch {
	case v >= 1e9:
		return fmt.Sprintf("%.4gG", v/1e9)
	case v >= 1e6:
		return fmt.Sprintf("%.4gM", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.4gk", v/1e3)
	}
	return fmt.Sprintf("%.4g", v)
}

// SVG draws a chart as a file that needs nothing else, in both themes. It can be read on a phone.
func SVG(c *DotChart) []byte { return drawDots(c, true).svg() }
