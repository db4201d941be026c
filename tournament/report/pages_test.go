package report

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
)

// published makes the project's reports from the committed results, by name.
func published(t *testing.T, digest bool) map[string]*render.Report {
	t.Helper()
	results := filepath.Join("..", "..", "docs", "results")
	if _, err := os.Stat(results); err != nil {
		t.Skip("this is a module without its repository: the archive of a release has no results")
	}
	out := make(map[string]*render.Report)
	for _, p := range publications {
		r, err := p.report(results, digest)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		out[p.name] = r
	}
	return out
}

var letters = regexp.MustCompile(`[\p{L}\d]`)

// words counts those of a text that have a letter or a digit.
func words(s string) int {
	return len(slices.DeleteFunc(strings.Fields(s), func(w string) bool { return !letters.MatchString(w) }))
}

func TestEachKindOfReportKeepsItsLength(t *testing.T) {
	for name, r := range published(t, true) {
		if most := map[string]int{"executive-summary": 1500, "narrative": 1200, "platform-analysis": 1500, "evaluation": 4000, "platform-comparison": 6000}[name]; words(markdown(t, r)) > most {
			t.Errorf("%s has %d words, more than %d", name, words(markdown(t, r)), most)
		}
	}
	for name, r := range published(t, false) {
		var b bytes.Buffer
		if err := render.Write(&b, r, render.HTML); err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(b.String(), "</style>")
		body, _, _ = strings.Cut(body, "<script>")
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(regexp.MustCompile(`(?s)<svg.*?</svg>|<nav.*?</nav>|<details>.*?</details>`).ReplaceAllString(body, ""), " ")
		if most := map[string]int{"executive-summary": 1500, "narrative": 1200}[name]; most > 0 && words(text) > most {
			t.Errorf("the page of the %s has %d words, more than %d", name, words(text), most)
		}
	}
}

func TestEveryPageStartsWithTheAnswerAndAPlot(t *testing.T) {
	for name, r := range published(t, false) {
		first := r.Sections[0]
		if first.Title != "The answer" {
			t.Errorf("%s starts with %q", name, first.Title)
			continue
		}
		lines, ok := first.Blocks[0].(render.List)
		if !ok || len(lines) != 5 {
			t.Errorf("%s: the answer has not five lines but %v", name, first.Blocks[0])
		}
		if name != "platform-comparison" && !strings.HasPrefix(lines[0], "Take Main") && !strings.HasPrefix(lines[0], "No clear choice") {
			t.Errorf("%s does not say first whom to take: %s", name, lines[0])
		}
		if _, ok := first.Blocks[len(first.Blocks)-1].(*render.DotChart); !ok {
			t.Errorf("%s: no plot follows the lines", name)
		}
	}
}

func TestExcludedCategoriesStandInOnePlace(t *testing.T) {
	results := filepath.Join("..", "..", "docs", "results", "linux-amd64", "full")
	if _, err := os.Stat(results); err != nil {
		t.Skip("this is a module without its repository: the archive of a release has no results")
	}
	in, err := parse.Open(results)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := Report([]*parse.Input{in}, ReportOptions{Digest: true})
	var excluded render.List
	rest := &render.Report{}
	for _, s := range r.Sections {
		if s.Title == "Excluded categories" {
			excluded = s.Blocks[1].(render.List)
			continue
		}
		rest.Sections = append(rest.Sections, s)
	}
	if len(excluded) == 0 {
		t.Fatal("nothing is excluded")
	}
	text := markdown(t, rest)
	for _, line := range excluded {
		category, reason, ok := strings.Cut(line, ": ")
		if !ok || reason == "" {
			t.Errorf("%q gives no reason", line)
		}
		if regexp.MustCompile(regexp.QuoteMeta(category) + `($|[^\w/])`).MatchString(text) {
			t.Errorf("%s is excluded and stands elsewhere, too", category)
		}
	}
}

// jargon are words that readers do not know in our sense.
var jargon = regexp.MustCompile(`(?i)\b(again|anew|floor|void|told apart|level below|twins?)\b`)

func TestReportsUsePlainWords(t *testing.T) {
	for _, digest := range []bool{true, false} {
		for name, r := range published(t, digest) {
			// A directory of results has such a name, and results say what an operation was in the words of their time.
			for line := range strings.Lines(markdown(t, r)) {
				if m := jargon.FindString(line); m != "" && !strings.Contains(line, "-again") && !strings.HasPrefix(line, "One operation: ") {
					t.Errorf("%s says %q: %.200s", name, m, line)
				}
			}
		}
	}
}
