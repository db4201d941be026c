package render

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strings"
)

// palette finds the colours of the page's style, so that a contestant has one colour in all forms.
var palette = regexp.MustCompile(`--s(\d+): (#[0-9a-f]{6});`)

// svgStyle is the style of a plot in a file of its own: both themes, as the viewer prefers.
var svgStyle = func() template.CSS {
	css := asset("style.css")
	light, dark, _ := strings.Cut(css, "prefers-color-scheme: dark")
	dark, _, _ = strings.Cut(dark, "[data-theme")
	var b strings.Builder
	b.WriteString("text{font:12px system-ui,sans-serif;fill:#1d2126}.tick,.side{fill:#5b626b;font-size:11px}.paper{fill:#ffffff}" +
		".grid{stroke:#d9dde2}.zero,.err{stroke:#5b626b}.raw{opacity:.45}.unsure{opacity:.45}.group{font-weight:600}polyline{fill:none;stroke-width:2}")
	for _, m := range palette.FindAllStringSubmatch(light, series) {
		fmt.Fprintf(&b, ".c%s{fill:%s}polyline.c%s{fill:none;stroke:%s}", m[1], m[2], m[1], m[2])
	}
	b.WriteString("@media (prefers-color-scheme: dark){text{fill:#e6e9ee}.tick,.side{fill:#a3a8b0}.paper{fill:#15181c}.grid{stroke:#343a42}.zero,.err{stroke:#a3a8b0}")
	for _, m := range palette.FindAllStringSubmatch(dark, series) {
		fmt.Fprintf(&b, ".c%s{fill:%s}polyline.c%s{fill:none;stroke:%s}", m[1], m[2], m[1], m[2])
	}
	b.WriteString("}")
	return template.CSS(b.String())
}()

type svgKey struct {
	legendItem
	X, Y, TextX, TextY float64
}

// svg writes a drawing as a file that needs nothing else, its legend below it.
func (d *drawing) svg() []byte {
	const column, line = 180.0, 18.0
	data := struct {
		*drawing
		Style template.CSS
		Keys  []svgKey
		Full  float64
	}{drawing: d, Style: svgStyle, Full: d.Height}
	perLine := int(d.Width / column)
	for i, item := range d.Legend {
		x, y := 8+column*float64(i%perLine), d.Height+4+line*float64(i/perLine)
		data.Keys = append(data.Keys, svgKey{item, x, y, x + 15, y + 10})
		data.Full = y + line
	}
	var b bytes.Buffer
	if err := page.ExecuteTemplate(&b, "svg", data); err != nil {
		panic(err) // the template is our own, and a buffer takes everything
	}
	return b.Bytes()
}
