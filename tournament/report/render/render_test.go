package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/tournament/report/findings"
	"github.com/eventloop-go/eventloop/tournament/report/text"
)

// evil does harm wherever it is not escaped: in HTML, in Markdown, in a terminal, and by turning text around.
const evil = "<script>alert(1)</script>|**b**`c`[l](javascript:x)\x1b[31m\u202e&\"'\n# head"

func sample() *Report {
	r := &Report{Title: "Title " + evil, Subtitle: evil}
	s := r.Section(2, "Section "+evil)
	s.Add(Paragraph(evil), List{evil, "plain"})
	s.Add(&Table{Title: evil, Columns: NewTable("Benchmark", evil, "#ns/op").Columns, Note: evil, Rows: [][]Cell{
		{T("BenchmarkA"), T(evil), Number(1234.5, 2).With(Best)}, {T("BenchmarkB"), T("x"), Number(math.NaN(), 2)}, {T("BenchmarkC"), T("x"), Ratio(math.Inf(1))},
	}})
	s.Add(&DotChart{Title: evil, Unit: "ns/op", Bars: []Bar{{Name: evil, Value: 3, Lo: 2, Hi: 4}, {Name: "zero"}, {Name: "nan", Value: 1, Lo: math.NaN(), Hi: math.NaN()}}})
	s.Add(&DotChart{Title: evil, Left: evil, Right: "b", Bars: []Bar{{Name: evil, Value: 0.5, Lo: 0.4, Hi: 0.6}, {Name: "none", Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}, {Name: "inf", Value: math.Inf(1)}}})
	s.Add(&LineChart{Title: evil, XLabel: evil, YLabel: "y", Lines: []Line{{Name: evil, Points: []Point{{1, 2, 1, 3}, {10, 20, 0, 0}}}, {Name: "empty"}}})
	s.Add(&LineChart{Title: "nothing"})
	s.Add(FindingList{{Kind: findings.TooGood, Severity: findings.Problem, Subject: evil, Text: evil, Evidence: []findings.Figure{{Name: evil, Value: math.NaN()}, {Name: "x", Value: 1}}}})
	return r
}

func rendered(t *testing.T, f Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, sample(), f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestNoFormatLetsHostileNamesThrough(t *testing.T) {
	for _, f := range Formats {
		s := rendered(t, f)
		for _, r := range s {
			if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) && f != JSON {
				t.Errorf("%s holds the control character %U", f, r)
				break
			}
		}
		switch f {
		case HTML:
			if strings.Contains(s, "<script>alert") || strings.Count(s, "<script>") != 1 {
				t.Error("HTML holds a script that is not ours")
			}
		case Markdown:
			if strings.Contains(s, "<script>") || strings.Contains(strings.ReplaceAll(s, `\]`, ""), "](javascript") || strings.Contains(s, "**b**") {
				t.Error("Markdown holds markup from a name")
			}
		}
	}
}

func TestMarkdownTablesKeepTheirShape(t *testing.T) {
	for line := range strings.Lines(rendered(t, Markdown)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if bars != 4 && bars != 3 {
			t.Errorf("%d columns in %s", bars-1, line)
		}
	}
}

func TestTextFitsEightyColumns(t *testing.T) {
	r := sample()
	wide := NewTable("#Nr", "Benchmark", "Faster", "Remark")
	for range 12 {
		wide.Columned("#linux/amd64 ns/op")
	}
	row := []Cell{Number(1, 0), T("BenchmarkPromiseHandlerTracking_Parallel_Optimized/AlternateThree/" + strings.Repeat("x", 100)), T("linux/amd64 emulated"), T(strings.Repeat("many words ", 30))}
	for range 12 {
		row = append(row, Number(3570868.6, 2))
	}
	wide.Rows = [][]Cell{row}
	r.Sections[0].Add(wide)
	var b bytes.Buffer
	if err := Write(&b, r, Text); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if got := strings.Count(b.String(), "3,570,868.60"); got != 12 {
		t.Errorf("%d of 12 figures are shown", got)
	}
}

func TestJSONIsValidAndKeepsFigures(t *testing.T) {
	var got struct {
		Schema   string
		Sections []struct {
			Blocks []struct {
				Type string
				Rows []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(rendered(t, JSON)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != JSONSchema {
		t.Error(got.Schema)
	}
	var types []string
	for _, b := range got.Sections[0].Blocks {
		types = append(types, b.Type)
		if b.Type == "table" && !strings.Contains(string(b.Rows[0]), "1234.5") {
			t.Errorf("the figure is lost: %s", b.Rows[0])
		}
	}
	if s := strings.Join(types, ", "); s != "paragraph, list, table, dot chart, dot chart, line chart, line chart, findings" {
		t.Error(s)
	}
}

func TestThePageNeedsNothingElse(t *testing.T) {
	s := rendered(t, HTML)
	for _, word := range []string{"http:", "https:", "src=", "@import", "url("} {
		if strings.Contains(s, word) {
			t.Errorf("the page holds %q", word)
		}
	}
	if strings.Contains(s, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
	if strings.Contains(s, "NaN\"") {
		t.Error("a drawing holds a coordinate that is no number")
	}
}

func TestReportsAreTheSameEveryTime(t *testing.T) {
	for _, f := range Formats {
		if first, second := rendered(t, f), rendered(t, f); first != second {
			t.Errorf("%s differs from run to run", f)
		}
	}
}

func TestAnUnknownFormatIsNamed(t *testing.T) {
	if err := Write(&bytes.Buffer{}, sample(), "pdf"); err == nil || !strings.Contains(err.Error(), `unknown format "pdf"`) {
		t.Error(err)
	}
}

func TestFiguresAreFormattedForReading(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Number(3570868.6, 2).Text, "3,570,868.60"}, {Number(-1234, 0).Text, "-1,234"}, {Number(999.995, 2).Text, "1,000.00"}, {Number(0.3, 2).Text, "0.30"},
		{Number(math.NaN(), 2).Text, "–"}, {Percent(0.0937).Text, "9.4%"}, {Ratio(0.364).Text, "0.36×"},
		{text.Thousands(math.Inf(1), 0), "+Inf"}, {text.Thousands(1e300, 0), "1e+300"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestAPlotInAFileShowsEverySampleAndEscapesNames(t *testing.T) {
	r := &Report{Title: "x"}
	r.Section(2, "y").Add(Folded{Summary: "more", Blocks: []Block{&DotChart{Title: "A/b <i>", Unit: "ns/op", Bars: []Bar{
		{Name: `<script>"&`, Value: 120, Lo: 100, Hi: 150, Samples: []float64{100, 120, 150}}, {Name: "none"},
	}}}})
	var b strings.Builder
	var name, svg string
	if err := WriteMarkdown(&b, r, func(n string, data []byte) (string, error) {
		name, svg = n, string(data)
		return "plots/" + n, nil
	}); err != nil {
		t.Fatal(err)
	}
	if name != "01-a-b--i.svg" || !strings.Contains(b.String(), "](plots/01-a-b--i.svg)") || !strings.Contains(b.String(), "<details><summary>more</summary>") {
		t.Errorf("%q in %s", name, b.String())
	}
	if strings.Count(svg, `raw"`) != 3 || strings.Contains(svg, "<script>") || !strings.Contains(svg, "no figure") || !strings.Contains(svg, "prefers-color-scheme: dark") {
		t.Errorf("%s", svg)
	}
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Error(err)
	}
}
