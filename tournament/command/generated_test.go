package command_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/command"
)

const results = "docs/results/linux-amd64"

// repository makes the root of the repository the working directory, so that paths are what .ci/benchmarks gives.
func repository(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join("..", "..", "go.work")); errors.Is(err, fs.ErrNotExist) {
		t.Skip("this is a module without its repository: the archive of a release has neither documents nor results")
	}
	t.Chdir(filepath.Join("..", ".."))
}

func TestTheTablesInTheDocumentsAreWhatTheCommittedResultsGive(t *testing.T) {
	repository(t)
	for _, c := range []struct {
		page, mark string
		args       []string
	}{
		{"README.md", "table", []string{"-published", results + "/full"}},
		{"docs/benchmarks.md", "table", []string{results}},
		{"docs/benchmarks.md", "core", []string{filepath.Join(results, "core.txt")}},
		{"docs/benchmarks.md", "promise", []string{filepath.Join(results, "promise.txt")}},
		{"docs/benchmarks.md", "depth", []string{filepath.Join(results, "depth.txt")}},
		{"docs/benchmarks.md", "await", []string{filepath.Join(results, "await.txt")}},
		{"docs/programs.md", "programs", []string{filepath.Join(results, "programs.txt")}},
		{"docs/benchmarks.md", "node", []string{filepath.Join(results, "node.txt")}},
	} {
		text, err := os.ReadFile(c.page)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "<!-- "+c.mark+":begin -->\n")
		have, _, ok := strings.Cut(rest, "<!-- "+c.mark+":end -->")
		got := run(t, t.Context(), everything(), append([]string{"table"}, c.args...)...)
		if got.code != command.ExitOK || !ok || have != got.out {
			t.Errorf("the table %q in %s is not what its results give; run .ci/benchmarks pages", c.mark, c.page)
		}
	}
}

func TestTheCommittedReportsAreWhatTheirResultsGive(t *testing.T) {
	repository(t)
	var reports []string
	for _, pattern := range []string{results + "/report.*", results + "/*/report.*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, found...)
	}
	if len(reports) == 0 {
		t.Fatal("no report is committed")
	}
	for _, file := range reports {
		have, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		again := filepath.Join(t.TempDir(), filepath.Base(file))
		if got := run(t, t.Context(), everything(), "report", "-o", again, filepath.Dir(file)); got.code != command.ExitOK {
			t.Fatalf("%+v", got)
		}
		want, err := os.ReadFile(again)
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not what its results give, %v; run .ci/benchmarks pages", file, err)
		}
	}
}
