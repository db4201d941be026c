package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
)

// shared finds the directory with the published data and reports, which is no part of the repository.
func shared(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("EVENTLOOP_SHARED"); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, "data", "darwin.json")); err != nil {
			t.Fatalf("EVENTLOOP_SHARED is set, but %v", err)
		}
		return dir
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		candidate := filepath.Join(dir, "shared")
		if _, err := os.Stat(filepath.Join(candidate, "data", "darwin.json")); err == nil {
			return candidate
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Skip("the published data is not part of the repository; put it in a directory \"shared\" beside the checkout, or set EVENTLOOP_SHARED to it")
		}
		dir = parent
	}
}

func open(t *testing.T, names ...string) []*parse.Input {
	t.Helper()
	dir := shared(t)
	var out []*parse.Input
	for _, n := range names {
		in, err := parse.Open(filepath.Join(dir, "data", n))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, in)
	}
	return out
}

// A published document is split into its tables by the heading above them.
type mdTable struct {
	heading string
	rows    [][]string
}

func readPublished(t *testing.T, name string) (tables []mdTable, text string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(shared(t), "reference", name))
	if err != nil {
		t.Fatal(err)
	}
	heading, inTable := "", false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			heading, inTable = strings.TrimLeft(line, "# "), false
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case !inTable:
			tables, inTable = append(tables, mdTable{heading: heading}), true
		case !strings.HasPrefix(strings.Trim(line, "| "), "--") && !strings.HasPrefix(strings.Trim(line, "| "), ":-"):
			var cells []string
			for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
				cells = append(cells, strings.TrimSpace(c))
			}
			tables[len(tables)-1].rows = append(tables[len(tables)-1].rows, cells)
		}
	}
	return tables, string(data)
}

func find(t *testing.T, tables []mdTable, heading string) [][]string {
	t.Helper()
	for _, x := range tables {
		if strings.HasPrefix(x.heading, heading) {
			return x.rows
		}
	}
	t.Fatalf("the published comparison has no table under %q", heading)
	return nil
}

// ours finds a table of our report by the heading of its section.
func ours(t *testing.T, r *render.Report, heading string) *render.Table {
	t.Helper()
	for _, s := range r.Sections {
		if s.Title != heading {
			continue
		}
		for _, b := range s.Blocks {
			if x, ok := b.(*render.Table); ok {
				return x
			}
		}
	}
	t.Fatalf("our comparison has no table under %q", heading)
	return nil
}

// column returns the texts of a column by the name of the row.
func column(t *testing.T, x *render.Table, name string) map[string]string {
	t.Helper()
	at := slices.IndexFunc(x.Columns, func(c render.Column) bool { return c.Name == name })
	key := slices.IndexFunc(x.Columns, func(c render.Column) bool { return !c.Numeric })
	if at < 0 {
		t.Fatalf("no column %q in %v", name, x.Columns)
	}
	out := make(map[string]string)
	for _, row := range x.Rows {
		label, _, _ := strings.Cut(row[key].Text, " (")
		out[label] = row[at].Text
	}
	return out
}

const comparison = "platform-comparison-2026-02-10.md"

// side gives the input that a published cell names in words and pictures.
func side(s string) string {
	switch {
	case strings.Contains(s, "Darwin"), strings.Contains(s, "🍎"):
		return "darwin"
	case strings.Contains(s, "Linux"), strings.Contains(s, "🐧"):
		return "linux"
	}
	return s
}

func factor(s string) string { return strings.ReplaceAll(s, "x", "×") }
