package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// bench is a log of one benchmark with five samples around a time.
func bench(ns float64) string {
	var b strings.Builder
	b.WriteString("goos: linux\ngoarch: amd64\n")
	for i, d := range []float64{0, 0.01, -0.01, 0.005, -0.005} {
		fmt.Fprintf(&b, "BenchmarkSubmit-2 %d %v ns/op 0 B/op 0 allocs/op\nBenchmarkOther-2 %d %v ns/op 0 B/op 0 allocs/op\n", 1000+i, ns*(1+d), 1000+i, 50*(1+d))
	}
	return b.String()
}

func files(t *testing.T, texts ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var out []string
	for i, s := range texts {
		name := filepath.Join(dir, fmt.Sprintf("run%d.txt", i))
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
	}
	return out
}

func run(command func([]string, *bytes.Buffer, *bytes.Buffer) int, args ...string) (code int, stdout, stderr string) {
	var o, e bytes.Buffer
	code = command(args, &o, &e)
	return code, o.String(), e.String()
}

func compare(args []string, o, e *bytes.Buffer) int  { return CompareCommand(args, o, e) }
func reporter(args []string, o, e *bytes.Buffer) int { return ReportCommand(args, o, e) }

func TestCompareWritesTextThatFitsATerminal(t *testing.T) {
	f := files(t, bench(100), bench(130))
	code, out, errs := run(compare, f...)
	if code != 0 || errs != "" || !strings.Contains(out, "Comparison of linux/amd64 (run0) and linux/amd64 (run1)") {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestAReportThatCannotBeWrittenIsAFailureAndNoMisuse(t *testing.T) {
	f := files(t, bench(100), bench(130))
	under := filepath.Join(f[0], "report.md") // below a file, where not even root can write
	for _, args := range [][]string{{"-format", "md"}, {"-format", "html"}} {
		args = append(args, "-o", under)
		if code, _, errs := run(reporter, append(args, f[0])...); code != 1 || !strings.Contains(errs, f[0]) || strings.Count(errs, "\n") != 1 {
			t.Errorf("report %v: exit %d, %s", args, code, errs)
		}
		if code, _, errs := run(compare, append(args, f...)...); code != 1 || !strings.Contains(errs, f[0]) || strings.Count(errs, "\n") != 1 {
			t.Errorf("compare %v: exit %d, %s", args, code, errs)
		}
	}
	results := filepath.Join("..", "..", "docs", "results")
	publish := func(args []string, o, e *bytes.Buffer) int { return PublishCommand(args, o, e) }
	if code, _, errs := run(publish, "-results", results, "-o", f[0]); code != 1 || errs == "" {
		t.Errorf("publish: exit %d, %s", code, errs)
	}
	if code, _, errs := run(publish, "-results", f[0], "-o", t.TempDir()); code != 2 || errs == "" {
		t.Errorf("publish of what is no result: exit %d, %s", code, errs)
	}
}

func TestMisuseSaysWhatToDo(t *testing.T) {
	f := files(t, bench(100), "")
	for _, c := range []struct {
		command func([]string, *bytes.Buffer, *bytes.Buffer) int
		args    []string
		says    string
	}{
		{compare, nil, "want two inputs or more"},
		{compare, f[:1], "want two inputs or more to compare, have 1"},
		{compare, f, "is empty; run the benchmarks again"},
		{compare, []string{f[0], f[0] + "x"}, "no such file or directory"},
		{compare, []string{"-format", "pdf", f[0], f[0]}, "want md, html, json or text"},
		{compare, []string{"-fail-on", "anything", f[0], f[0]}, "want regression=N%"},
		{compare, []string{"-fail-on", "regression=-5%", f[0], f[0]}, "want regression=N%"},
		{compare, []string{"-level", "7", f[0], f[0]}, "want a share between 0 and 1"},
		{compare, []string{"-nonsense"}, "flag provided but not defined"},
		{compare, []string{"-o", "x.pdf", f[0], f[0]}, "there is no format for files in .pdf; the endings are .md, .html"},
		{reporter, []string{"-o", "x.pdf", f[0]}, "or give one with -format"},
		{reporter, []string{"-nonsense"}, "see tournament help report"},
		{reporter, nil, "want the directory of a run"},
		{reporter, []string{t.TempDir()}, "neither results.json nor results.txt"},
		{reporter, []string{"-fail-on", "regression=5%", f[0]}, "-fail-on needs -baseline DIR"},
		{reporter, []string{"-baseline", f[0], f[0], f[0]}, "are both of linux/amd64 native, so that -baseline cannot tell which is which"},
		{reporter, []string{"-baseline", f[1], f[0]}, "is empty"},
	} {
		code, out, errs := run(c.command, c.args...)
		if code != 2 || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%v: exit %d, %q on stdout, %s", c.args, code, out, errs)
		}
		if strings.Contains(errs, "usage:") || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: more than a line:\n%s", c.args, errs)
		}
	}
	if _, err := os.Stat("x.pdf"); err == nil {
		t.Error("x.pdf was written")
	}
	for name, command := range map[string]func([]string, *bytes.Buffer, *bytes.Buffer) int{"compare": compare, "report": reporter} {
		if code, out, errs := run(command, "-h"); code != 0 || errs != "" || !strings.Contains(out, "usage: tournament "+name) || !strings.Contains(out, "-format") {
			t.Errorf("help: exit %d, %s, %s", code, out, errs)
		}
	}
}

// compiled is the result of a platform for which programs were only built.
const compiled = `{"schema": "eventloop-tournament/1", "environment": {"goos": "darwin", "goarch": "arm64", "execution": "compiled only"}, "rows": []}`

func TestAPlatformWhereNothingRanIsNamedAndInNoTable(t *testing.T) {
	f := files(t, bench(100), compiled, bench(130))
	const note = "darwin/arm64 was compiled and vetted only."
	for _, args := range [][]string{{"-format", "md", f[0], f[1]}, {"-format", "md", "-narrative", f[1], f[0]}, {"-format", "md", f[2], f[1], f[0]}} {
		code, out, errs := run(reporter, args...)
		if code != 0 || errs != "" || !strings.Contains(out, note) {
			t.Errorf("%v: exit %d, %s\n%s", args, code, errs, out)
		}
		if strings.Contains(out, "not in darwin/arm64") || strings.Contains(out, "the other compiled only") {
			t.Errorf("%v: it is held against the others:\n%s", args, out)
		}
	}
	code, out, errs := run(compare, "-format", "md", "-fail-on", "regression=5%", f[1], f[0], f[2])
	if code != 1 || !strings.Contains(out, note) || !strings.Contains(errs, "regression: BenchmarkSubmit") {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
	for _, args := range [][]string{{f[1]}, {f[1], f[1]}, {"-baseline", f[1], f[0]}} {
		code, out, errs := run(reporter, args...)
		if code != 2 || out != "" || !strings.Contains(errs, "where something ran, has 0") {
			t.Errorf("report %v: exit %d, %s\n%s", args, code, errs, out)
		}
	}
	if code, out, errs := run(compare, f[0], f[1]); code != 2 || out != "" || !strings.Contains(errs, "needs 2 inputs where something ran, has 1") {
		t.Errorf("compare: exit %d, %s\n%s", code, errs, out)
	}
}

func TestTimesUnderDifferentEmulatorsAreNotRanked(t *testing.T) {
	f := files(t, "execution: emulated\nemulator: wine-8.0\n"+bench(100), "execution: emulated\nemulator: qemu-user 7.2\n"+bench(130), "execution: emulated\nemulator: wine-8.0\n"+bench(130))
	code, _, errs := run(compare, "-fail-on", "regression=5%", f[0], f[1])
	if code != 2 || !strings.Contains(errs, "one was emulated by wine-8.0, the other by qemu-user 7.2") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, _, errs := run(compare, "-fail-on", "regression=5%", f[0], f[2]); code != 1 {
		t.Errorf("under one emulator: exit %d, %s", code, errs)
	}
}

func TestTheFormatFollowsTheNameOfTheFile(t *testing.T) {
	f := files(t, bench(100), bench(130))
	dir := t.TempDir()
	for name, start := range map[string]string{"r.md": "# Comparison", "r.html": "<!DOCTYPE html>", "r.json": "{", "r.txt": "Comparison"} {
		file := filepath.Join(dir, name)
		if code, out, errs := run(compare, "-o", file, f[0], f[1]); code != 0 || out != "" {
			t.Fatal(code, errs)
		}
		data, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(data), start) {
			t.Errorf("%s starts with %.20q, %v", name, data, err)
		}
		if name == "r.json" && !json.Valid(data) {
			t.Error("not JSON")
		}
	}
}

func TestWhatWasNotUsedIsShownWithFileAndLine(t *testing.T) {
	f := files(t, bench(100)+"BenchmarkBroken-2 10 12\nstray line\nBenchmarkMine-2 1 1 ns/op\n", bench(100))
	_, out, _ := run(compare, "-format", "md", f[0], f[1])
	for _, want := range []string{"run0.txt", "missing unit", "stray line", "BenchmarkMine is in", "| 13 |", "| 14 |", "| 15 |"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report does not show %q", want)
		}
	}
}
