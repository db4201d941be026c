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
		{"README.md", "table", []string{"-brief", results + "/verdicts"}},
		{"docs/results/linux-amd64/README.md", "table", []string{results}},
		{"docs/results/linux-amd64/README.md", "computing", []string{filepath.Join(results, "computing")}},
		{"docs/results/linux-amd64/README.md", "core", []string{filepath.Join(results, "core.txt")}},
		{"docs/results/linux-amd64/README.md", "promise", []string{filepath.Join(results, "promise.txt")}},
		{"docs/results/linux-amd64/README.md", "depth", []string{filepath.Join(results, "depth.txt")}},
		{"docs/results/linux-amd64/README.md", "await", []string{filepath.Join(results, "await.txt")}},
		{"docs/results/linux-amd64/README.md", "readiness", []string{filepath.Join(results, "readiness.txt")}},
		{"docs/results/linux-amd64/README.md", "echo", []string{filepath.Join(results, "echo.txt")}},
		{"examples/programs/README.md", "programs", []string{filepath.Join(results, "programs.txt")}},
		{"docs/results/linux-amd64/README.md", "node", []string{filepath.Join(results, "node.txt")}},
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
	again := t.TempDir()
	if got := run(t, t.Context(), everything(), "publish", "-pages=false", "-o", again); got.code != command.ExitOK {
		t.Fatalf("%+v", got)
	}
	files := 0
	err := filepath.WalkDir(again, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		rel, err := filepath.Rel(again, path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		have, err := os.ReadFile(filepath.Join("docs", "reports", rel))
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("docs/reports/%s is not what the results give, %v; run .ci/benchmarks pages", rel, err)
		}
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("%d files, %v", files, err)
	}
}

func TestTheFiguresThatPagesCiteAreThoseOfTheResults(t *testing.T) {
	repository(t)
	for _, page := range []string{"README.md", "docs/servers.md", "examples/programs/README.md", "docs/results/linux-amd64/README.md", "docs/findings.md"} {
		have, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		again := filepath.Join(t.TempDir(), "page.md")
		if err := os.WriteFile(again, have, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := run(t, t.Context(), everything(), "cite", again); got.code != command.ExitOK {
			t.Errorf("%s: %s", page, got.err)
		}
		want, err := os.ReadFile(again)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(have, want) || !bytes.Contains(want, []byte("<!--cite: ")) {
			t.Errorf("%s cites other figures than the results have; run .ci/benchmarks pages", page)
		}
	}
}
