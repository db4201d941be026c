package render

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

const (
	chartWidth = 720.0
	barHeight  = 22.0
	chartTop   = 8.0
	axisRoom   = 26.0
	valueRoom  = 86.0
)

// drawDots draws a row for each figure on a logarithmic axis: every sample as a pale dot, the figure as a mark, and its
// interval. Equal distances are equal factors.
func drawDots(c *DotChart) *drawing {
	room, short := nameRoom(c.Bars)
	plot := chartWidth - room - valueRoom
	least, most := math.Inf(1), 0.0
	see := func(v float64) {
		if v > 0 && !math.IsInf(v, 0) {
			least, most = math.Min(least, v), math.Max(most, v)
		}
	}
	for _, b := range c.Bars {
		see(b.Value)
		for _, v := range b.Samples {
			see(v)
		}
	}
	d := &drawing{Title: c.Title, Summary: fmt.Sprintf("Dot plot of %s, %s, on a logarithmic axis", clean(c.Title), c.Unit), Width: chartWidth, Height: chartTop + barHeight*float64(len(c.Bars)) + axisRoom}
	if most == 0 {
		d.text(chartWidth/2, d.Height/2, "middle", "tick", "no figures")
		return d
	}
	least, most = least/1.08, most*1.08
	at := func(v float64) float64 {
		v = math.Min(most, math.Max(least, v))
		return round(room + math.Log(v/least)/math.Log(most/least)*plot)
	}
	bottom := d.Height - axisRoom
	for _, v := range logTicks(least, most) {
		d.line(at(v), chartTop, at(v), bottom, "grid")
		d.text(at(v), bottom+15, "middle", "tick", tickText(v))
	}
	for i, b := range c.Bars {
		y := chartTop + barHeight*float64(i) + barHeight/2
		d.text(room-6, y+4, "end", "name", short(b.Name))
		if !(b.Value > 0) {
			d.text(room+6, y+4, "start", "value", "no figure")
			continue
		}
		hint := fmt.Sprintf("%s: %s", clean(b.Name), Thousands(b.Value, 2))
		if b.Lo > 0 && b.Lo < b.Hi {
			hint += fmt.Sprintf(" (%s to %s)", Thousands(b.Lo, 2), Thousands(b.Hi, 2))
			whisker(d, at(b.Lo), at(b.Hi), y)
		}
		for _, v := range b.Samples {
			if v > 0 {
				d.Shapes = append(d.Shapes, shape{Kind: "dot", X: at(v), Y: round(y), HasSeries: true, Series: b.Series % series, Class: "raw"})
			}
		}
		d.Shapes = append(d.Shapes, shape{Kind: "point", X: at(b.Value), Y: round(y), HasSeries: true, Series: b.Series % series, Hint: hint})
		d.text(chartWidth-4, y+4, "end", "value", Thousands(b.Value, 2))
	}
	return d
}

// logTicks are round figures from least to most, no more than a dozen.
func logTicks(least, most float64) []float64 {
	for _, marks := range [][]float64{{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}, {1, 2, 3, 5}, {1, 3}, {1}} {
		var out []float64
		for e := math.Floor(math.Log10(least)); e <= math.Log10(most)+0.01; e++ {
			for _, m := range marks {
				if v := m * math.Pow(10, e); v >= least && v <= most {
					out = append(out, v)
				}
			}
		}
		if len(out) <= 8 {
			return out
		}
	}
	return nil
}

func whisker(d *drawing, x, x2, y float64) {
	d.line(x, y, x2, y, "err")
	d.line(x, y-4, x, y+4, "err")
	d.line(x2, y-4, x2, y+4, "err")
}

// drawRatios draws bars to both sides of 1 on a logarithmic scale, where twice as fast and twice as slow are as long.
func drawRatios(c *RatioChart) *drawing {
	room, short := nameRoom(c.Bars)
	plot := chartWidth - room - 24
	far := math.Log(1.25)
	for _, b := range c.Bars {
		for _, v := range []float64{b.Value, b.Lo, b.Hi} {
			if v > 0 && !math.IsInf(v, 0) {
				far = math.Max(far, math.Abs(math.Log(v)))
			}
		}
	}
	far = math.Min(far, math.Log(1e4))
	at := func(v float64) float64 {
		l := math.Max(-far, math.Min(far, math.Log(v)))
		return round(room + (l/far+1)/2*plot)
	}
	d := &drawing{Title: c.Title, Summary: fmt.Sprintf("Ratios of %s; left of 1 means %s, right %s", c.Title, c.Left, c.Right), Width: chartWidth, Height: chartTop + 18 + barHeight*float64(len(c.Bars)) + axisRoom}
	top, bottom := chartTop+18, d.Height-axisRoom
	d.text(at(1)-8, chartTop+8, "end", "side", "← "+clean(c.Left))
	d.text(at(1)+8, chartTop+8, "start", "side", clean(c.Right)+" →")
	for _, v := range ratioTicks(far) {
		d.line(at(v), top, at(v), bottom, "grid")
		d.text(at(v), bottom+15, "middle", "tick", ratioText(v))
	}
	d.line(at(1), top, at(1), bottom, "zero")
	for i, b := range c.Bars {
		y := top + barHeight*float64(i)
		d.text(room-6, y+15, "end", "name", short(b.Name))
		if !(b.Value > 0) || math.IsInf(b.Value, 0) {
			d.text(at(1)+8, y+15, "start", "value", "no ratio")
			continue
		}
		x, x2 := math.Min(at(1), at(b.Value)), math.Max(at(1), at(b.Value))
		hint := fmt.Sprintf("%s: %s", clean(b.Name), Ratio(b.Value).Text)
		class := "sure"
		if math.IsNaN(b.Lo) || b.Lo <= 1 && b.Hi >= 1 {
			class = "unsure"
		}
		if !math.IsNaN(b.Lo) {
			hint += fmt.Sprintf(" (%s to %s)", Thousands(b.Lo, 2), Thousands(b.Hi, 2))
		}
		side := 0
		if b.Value > 1 {
			side = 1
		}
		d.Shapes = append(d.Shapes, shape{Kind: "rect", X: x, Y: y + 4, Width: math.Max(x2-x, 0.5), Height: barHeight - 8, HasSeries: true, Series: side, Class: class, Hint: hint})
		if b.Lo > 0 && b.Hi > b.Lo {
			whisker(d, at(b.Lo), at(b.Hi), y+barHeight/2)
		}
	}
	return d
}

func ratioTicks(far float64) []float64 {
	steps := []float64{1, 1.1, 1.2}
	switch {
	case far > math.Log(100):
		steps = []float64{1, 10, 100, 1000, 1e4}
	case far > math.Log(8):
		steps = []float64{1, 3, 10, 30, 100}
	case far > math.Log(2.2):
		steps = []float64{1, 1.5, 2, 4, 8}
	case far > math.Log(1.3):
		steps = []float64{1, 1.25, 1.5, 2}
	}
	var out []float64
	for _, s := range steps {
		if math.Log(s) > far {
			break
		}
		out = append(out, s)
		if s != 1 {
			out = append(out, 1/s)
		}
	}
	return out
}

func ratioText(v float64) string {
	if v < 1 {
		return fmt.Sprintf("1/%.4g", 1/v)
	}
	return fmt.Sprintf("%.4g", v)
}

// drawLines draws a sweep, both axes logarithmic: sizes double from point to point, and times span decades.
func drawLines(c *LineChart) *drawing {
	const left, right, height = 74.0, 16.0, 300.0
	d := &drawing{Title: c.Title, Summary: fmt.Sprintf("Line chart of %s: %s over %s", c.Title, c.YLabel, c.XLabel), Width: chartWidth, Height: height}
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
		d.text(chartWidth/2, height/2, "middle", "tick", "no figures")
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
	x := func(v float64) float64 { return scale(v, minX, maxX, left+12, chartWidth-right-12) }
	y := func(v float64) float64 { return scale(v, minY, maxY, bottom, chartTop) }
	marks := []float64{1, 3}
	if maxY < 30*minY {
		marks = []float64{1, 2, 3, 5}
	}
	for e := math.Floor(math.Log10(minY)); e <= math.Log10(maxY)+0.01; e++ {
		for _, m := range marks {
			if v := m * math.Pow(10, e); v >= minY*0.99 && v <= maxY*1.01 {
				d.line(left, y(v), chartWidth-right, y(v), "grid")
				d.text(left-6, y(v)+4, "end", "tick", tickText(v))
			}
		}
	}
	for _, v := range slices.Sorted(maps.Keys(xs)) {
		d.text(x(v), bottom+16, "middle", "tick", tickText(v))
	}
	d.text((left+chartWidth-right)/2, height-6, "middle", "side", c.XLabel)
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
			d.Shapes = append(d.Shapes, shape{Kind: "point", X: x(p.X), Y: y(p.Y), HasSeries: true, Series: l.Series % series, Hint: fmt.Sprintf("%s, %g: %s", clean(l.Name), p.X, Thousands(p.Y, 2))})
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
