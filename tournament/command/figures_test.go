package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestATableOfBenchmarkOutputHasMediansOfEveryUnit(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "core.txt")
	page := filepath.Join(dir, "page.md")
	write := func(path, content string) {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(text, `goos: linux
goarch: amd64
cpu: Some CPU
BenchmarkSubmit-2	100	20.0 ns/op	0 B/op	0 allocs/op
BenchmarkSubmit-2	100	24.0 ns/op	0 B/op	0 allocs/op
BenchmarkSubmit-2	100	31.0 ns/op	0 B/op	0 allocs/op
BenchmarkMillion-2	1	72.5 B/timer
`)
	write(page, "before\n<!-- core:begin -->\nold\n<!-- core:end -->\nafter\n")
	var out, errs strings.Builder
	if code := new(Tournament).Main(context.Background(), []string{"table", "-mark", "core", "-w", page, text}, &out, &errs); code != ExitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"before\n<!-- core:begin -->\n", "linux/amd64, Some CPU. Medians",
		"| Submit-2 | 24 (20 … 31) ns | 0 B, 0 allocs |  |\n",
		"| Million-2 |  |  | 72.5 B/timer |\n",
		"<!-- core:end -->\nafter\n",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(string(got), "old") {
		t.Error("the old table is still there")
	}
}

func TestATableOfNothingSaysWhatToGive(t *testing.T) {
	var out, errs strings.Builder
	code := new(Tournament).Main(context.Background(), []string{"table", filepath.Join(t.TempDir(), "none.txt")}, &out, &errs)
	if code != ExitUsage || !strings.Contains(errs.String(), "go test -bench") {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
}

func TestReportsAreReachedFromTheCommand(t *testing.T) {
	for _, name := range []string{"compare", "report"} {
		var out, errs strings.Builder
		if code := new(Tournament).Main(context.Background(), []string{name}, &out, &errs); code != ExitUsage || errs.Len() == 0 {
			t.Errorf("%s without inputs: exit %d: %s", name, code, errs.String())
		}
	}
}
