package component

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var functions = regexp.MustCompile(`(?m)^func (Benchmark\w+)\(b \*testing\.B\)`)

// parents are the published rows that are sub-benchmarks; rows of one function share theirs.
var parents = map[string][]string{
	"BenchmarkCancelTimer_Individual":  {"timers_10", "timers_50", "timers_100"},
	"BenchmarkCancelTimers_Batch":      {"timers_10", "timers_50", "timers_100"},
	"BenchmarkCancelTimers_Comparison": {"Batch", "Individual"},
}

// twinned are the suffixes of corrected twins.
var twinned = regexp.MustCompile(`_(Executed|Drained|Fired|Only|Handled|Answered|Late|Busy|Freed|PSquare)$`)

func published(t *testing.T) []string {
	text, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

func TestThereIsABenchmarkForEveryPublishedRow(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range functions.FindAllSubmatch(source, -1) {
			all = append(all, string(m[1]))
		}
	}
	var rows []string
	for _, name := range all {
		if of := twinned.ReplaceAllString(name, ""); of != name {
			if !slices.Contains(all, of) {
				t.Errorf("%s is the twin of nothing", name)
			}
			continue
		}
		if parents[name] == nil {
			rows = append(rows, name)
		}
		for _, sub := range parents[name] {
			rows = append(rows, name+"/"+sub)
		}
	}
	want := published(t)
	slices.Sort(rows)
	slices.Sort(want)
	if len(want) != 108 || !slices.Equal(rows, want) {
		for _, name := range want {
			if !slices.Contains(rows, name) {
				t.Errorf("%s is missing", name)
			}
		}
		for _, name := range rows {
			if !slices.Contains(want, name) {
				t.Errorf("%s was not published", name)
			}
		}
	}
}

func TestTheNamesAreThoseOfTheDefinitions(t *testing.T) {
	path := definitions()
	if path == "" {
		t.Skip("COMPONENTS.md, which defines the rows, is not here: set EVENTLOOP_SHARED to its folder")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^\| (Benchmark\S+) \|`).FindAllSubmatch(text, -1) {
		want = append(want, string(m[1]))
	}
	got := published(t)
	for i, name := range got {
		head, sub, found := strings.Cut(name, "/timers_")
		if found {
			got[i] = head + "/timers_" + map[string]string{"10": "1", "50": "5", "100": ":"}[sub]
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("names.txt has %d names and the definitions %d, or in another order", len(got), len(want))
	}
}

// definitions finds COMPONENTS.md, or returns nothing.
func definitions() string {
	if dir := os.Getenv("EVENTLOOP_SHARED"); dir != "" {
		return filepath.Join(dir, "COMPONENTS.md")
	}
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		if path := filepath.Join(dir, "shared", "COMPONENTS.md"); exists(path) {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
