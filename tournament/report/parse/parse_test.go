package parse

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func mustRead(t *testing.T, text string) *Input {
	t.Helper()
	in, err := Read("in", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func issues(in *Input, kind IssueKind) []Issue {
	var out []Issue
	for _, i := range in.Issues {
		if i.Kind == kind {
			out = append(out, i)
		}
	}
	return out
}

const clean = `goos: linux
goarch: amd64
pkg: example.com/p
cpu: Some CPU @ 2 GHz
BenchmarkSubmit-8   	 1000000	       33.05 ns/op	       0 B/op	       0 allocs/op
BenchmarkSubmit-8   	 1000100	       34.05 ns/op	       0 B/op	       0 allocs/op
BenchmarkCancelTimers_Batch/timers_:-8 	 100	 344207.6 ns/op	 12426 B/op	 191 allocs/op	 3.5 p99-ns
PASS
ok  	example.com/p	3.1s
`

func TestBenchmarkTextGivesRowsSamplesAndEnvironment(t *testing.T) {
	in := mustRead(t, clean)
	if len(in.Rows) != 2 || in.Env.GOOS != "linux" || in.Env.GOMAXPROCS != 8 || in.Label != "linux/amd64" || in.Env.CPU != "Some CPU @ 2 GHz" {
		t.Fatalf("%+v", in)
	}
	if r := in.Rows[0]; r.Name != "BenchmarkSubmit" || r.Procs != 8 || r.Line != 5 || len(r.Samples) != 2 || r.Samples[1].Ns != 34.05 || !r.Samples[1].HasMem {
		t.Errorf("%+v", r)
	}
	if r := in.Rows[1]; r.Name != "BenchmarkCancelTimers_Batch/timers_:" || r.Samples[0].Allocs != 191 || r.Metrics["p99-ns"][0] != 3.5 {
		t.Errorf("%+v", r)
	}
	if in.Counts[Noise]+in.Counts[Unparsable] != 0 {
		t.Errorf("issues in a clean log: %v", in.Issues)
	}
	if in.Lines != 9 {
		t.Errorf("%d lines", in.Lines)
	}
}

func TestLogNoiseBetweenNameAndFiguresIsRepaired(t *testing.T) {
	in := mustRead(t, "goos: linux\n"+
		"BenchmarkPingPong/AlternateOne-2   \t2026/01/18 19:00:34 [alternateone] shutting down\n"+
		"2026/01/18 19:00:34 [alternateone] drained: 3\n"+
		" 1000000\t       247.2 ns/op\t      26 B/op\t       1 allocs/op\n"+
		"shutdown completeBenchmarkPingPong/Main-2 \t 2000\t 74.07 ns/op\n"+
		"BenchmarkPingPong/Baseline-2 \tlevel=info msg=stop 500\t 108.1 ns/op\t 64 B/op\t 3 allocs/op\n"+
		"state: running\n")
	if len(in.Rows) != 3 {
		t.Fatalf("%d rows, issues %v", len(in.Rows), in.Issues)
	}
	for i, want := range []float64{247.2, 74.07, 108.1} {
		if got := in.Rows[i].Samples[0].Ns; got != want {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
	if in.Rows[0].Samples[0].N != 1000000 || in.Rows[0].Samples[0].Allocs != 1 {
		t.Errorf("%+v", in.Rows[0].Samples[0])
	}
	if got := issues(in, Recovered); len(got) != 3 || got[0].Line != 4 || got[1].Line != 5 || got[2].Line != 6 {
		t.Errorf("recovered: %v", got)
	}
	if in.Counts[Noise] != 2 {
		t.Errorf("noise %d, want 2: %v", in.Counts[Noise], in.Issues)
	}
}

func TestWhatCannotBeUsedIsReportedWithItsLine(t *testing.T) {
	good := "BenchmarkGood-2 10 5 ns/op\n"
	for _, c := range []struct {
		name, text string
		kind       IssueKind
		line       int
	}{
		{"missing unit", good + "BenchmarkX-2 10 12\n", Unparsable, 2},
		{"missing figures", good + "BenchmarkX-2 10\n", Unparsable, 2},
		{"count too large", good + "BenchmarkX-2 99999999999999999999 12 ns/op\n", Unparsable, 2},
		{"not a number", good + "BenchmarkX-2 10 NaN ns/op\n", Unparsable, 2},
		{"infinite", good + "BenchmarkX-2 10 +Inf ns/op\n", Unparsable, 2},
		{"negative", good + "BenchmarkX-2 10 -3 ns/op\n", Unparsable, 2},
		{"absurd", good + "BenchmarkX-2 10 1e300 ns/op\n", Unparsable, 2},
		{"other unit only", good + "BenchmarkX-2 10 3 MB/s\n", Unparsable, 2},
		{"figures without a name", good + "\n10 3 ns/op\n", Unparsable, 3},
		{"name without figures", good + "BenchmarkX-2  \tlog line\n" + good, Unparsable, 2},
		{"cut after the name", good + "BenchmarkX-2   \t", Truncated, 2},
		{"cut inside the figures", good + "BenchmarkX-2 10 12.1 ns/op 3 B/o", Truncated, 2},
		{"failure", good + "--- FAIL: BenchmarkX\n", Failed, 2},
		{"panic", good + "panic: boom\n", Failed, 2},
		{"very long line", good + "BenchmarkX-2 " + strings.Repeat("9", MaxLine) + "\n", Unparsable, 2},
		{"prose", good + "Benchmarking the loop\n", Noise, 2},
		{"stray configuration", good + "level: 3\n", Noise, 2},
		{"uneven counts", good + good + "BenchmarkX-2 10 12 ns/op\nBenchmarkY-2 10 12 ns/op\nBenchmarkY-2 10 13 ns/op\n", Uneven, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := mustRead(t, c.text)
			got := issues(in, c.kind)
			if len(got) != 1 || got[0].Line != c.line {
				t.Errorf("want one %q at line %d, have %v", c.kind, c.line, in.Issues)
			}
			if len(in.Rows) == 0 || in.Rows[0].Name != "BenchmarkGood" {
				t.Error("the good row was lost")
			}
		})
	}
}

func TestASampleReadTwiceIsReportedAndKept(t *testing.T) {
	in := mustRead(t, "BenchmarkA-2 100 5.5 ns/op\nBenchmarkA-2 101 5.6 ns/op\nBenchmarkA-2 100 5.5 ns/op\n")
	if got := issues(in, Duplicate); len(got) != 1 || got[0].Line != 3 || len(in.Rows[0].Samples) != 3 {
		t.Errorf("%v", in.Issues)
	}
}

func TestRowsOfSeveralPackagesAndProcessorCountsStayApart(t *testing.T) {
	in := mustRead(t, "pkg: a\nBenchmarkX-2 1 1 ns/op\npkg: b\nBenchmarkX-2 1 2 ns/op\nBenchmarkY 1 3 ns/op\nBenchmarkY-4 1 4 ns/op\n")
	var names []string
	for _, r := range in.Rows {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); got != "a.BenchmarkX b.BenchmarkX BenchmarkY-1 BenchmarkY-4" {
		t.Error(got)
	}
	if in.Env.GOMAXPROCS != 0 {
		t.Errorf("GOMAXPROCS %d from a file that has several", in.Env.GOMAXPROCS)
	}
}

func TestUnreadableInputsSayWhatToDo(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "in: is empty; run the benchmarks again"},
		{"blank", "\n\n", "holds no benchmark result; run go test -bench"},
		{"prose", "hello\nworld\n", "holds no benchmark result"},
		{"only broken rows", "x\nBenchmarkX-2 10 12\n", "in:2: holds no usable benchmark result"},
		{"UTF-16", "\xff\xfeB\x00", "UTF-16"},
		{"compressed", "\x1f\x8b\x08", "gunzip"},
		{"test2json", `{"Time":"x","Action":"output","Package":"p"}` + "\n", "without -json"},
		{"JSON array", `[{"a":1}]`, "is a JSON array"},
		{"truncated JSON", "{\n \"benchmarks\": [\n  {\"name\": \"B", "in:3: ends in the middle"},
		{"broken JSON", "{\n \"benchmarks\": [\n  {\"name\" \"B\"}]}", "in:3: not JSON"},
		{"text behind JSON", "{\"benchmarks\":[]}\n}", "in:2: not JSON"},
		{"other JSON", `{"a":1}`, "neither a tournament result"},
		{"no benchmarks", `{"benchmarks":[]}`, "holds no benchmark"},
		{"benchmarks of a wrong type", "{\n\"benchmarks\":3}", `in:2: "benchmarks" must be an array`},
		{"figure of a wrong type", "{\"benchmarks\":[\n{\"name\":\"BenchmarkA\",\"runs\":[{\"ns_op\":\"fast\"}]}]}", "in:2: in the entry that starts here"},
		{"entry without a name", "{\"benchmarks\":[\n\n{\"runs\":[]}]}", "in:3: the entry that starts here has no name"},
		{"other schema", "{\n\"schema\":\"x/9\"}", `in:2: the schema is "x/9"`},
		{"empty result", `{"schema":"eventloop-tournament/1"}`, "neither rows nor checks"},
		{"row without a category", "{\"schema\":\"eventloop-tournament/1\",\"rows\":[\n{}]}", "in:2: the row that starts here has no category"},
		{"unknown status", "{\"schema\":\"eventloop-tournament/1\",\"checks\":[\n{\"suite\":\"s\",\"contestant\":\"c\",\"status\":\"maybe\"}]}", "want pass, fail, skip or n/a"},
		{"deep nesting", strings.Repeat(`{"a":`, 20000), "not JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read("in", strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%T is not an *Error", err)
			}
		})
	}
}

func TestPublishedJSONKeepsAbsentFiguresApartFromZero(t *testing.T) {
	in := mustRead(t, `{"platform":"darwin","goos":"darwin","goarch":"arm64","timestamp":"2026-02-10","benchmarks":[
{"name":"BenchmarkA-10","runs":[{"ns_op":1,"b_op":0,"allocs_op":0},{"ns_op":3},{"b_op":1}],"statistics":{"ns_op":{"mean":9}}},
{"name":"BenchmarkA-10","runs":[{"ns_op":5,"b_op":0,"allocs_op":0}]},
{"name":"BenchmarkB-10","runs":[{"ns_op":2}],"statistics":{"ns_op":{"mean":9}}}]}`)
	a := in.Rows[0]
	if len(a.Samples) != 3 || !a.Samples[0].HasMem || a.Samples[1].HasMem || a.Samples[2].Ns != 5 || a.Procs != 10 {
		t.Errorf("%+v", a)
	}
	for kind, line := range map[IssueKind]int{Unparsable: 2, Duplicate: 3, Doubtful: 4} {
		if got := issues(in, kind); len(got) != 1 || got[0].Line != line {
			t.Errorf("%s: %v", kind, in.Issues)
		}
	}
	if in.Label != "darwin" || in.Env.GOMAXPROCS != 10 || in.Env.Date.IsZero() {
		t.Errorf("%+v", in)
	}
}

func TestADirectoryIsReadFromItsResults(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "neither results.json nor results.txt") {
		t.Error(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("results.txt", clean)
	in, err := Open(dir)
	if err != nil || in.Format != FormatText {
		t.Fatal(in, err)
	}
	write("results.json", `{"schema":"eventloop-tournament/1","environment":{"goos":"linux","goarch":"arm64","execution":"emulated"},"rows":[
{"category":"PingPong","kind":"loop","contestant":"Main","samples":[{"n":3,"ns_per_op":4,"metrics":{"p99-ns":7}}]},
{"category":"Submit","kind":"component","contestant":"Main","samples":[{"n":3,"ns_per_op":4}]},
{"category":"Race_100","kind":"promise","contestant":"X","not_applicable":"has no Race"},
{"category":"Race_100","kind":"promise","contestant":"Y","error":"boom"}],
"checks":[{"suite":"S","contestant":"Main","status":"pass"}]}`)
	in, err = Open(dir)
	if err != nil || in.Format != FormatTournament || in.Label != "linux/arm64 emulated" {
		t.Fatal(in, err)
	}
	if in.Counts[NotRead] != 1 || in.Counts[Failed] != 1 || len(in.Checks) != 1 {
		t.Error(in.Issues)
	}
	if in.Rows[0].Name != "BenchmarkPingPong/Main" || in.Rows[1].Name != "BenchmarkSubmit" || in.Rows[0].Metrics["p99-ns"][0] != 7 {
		t.Errorf("%+v", in.Rows)
	}
	if _, err := Open(filepath.Join(dir, "absent")); err == nil || !strings.Contains(err.Error(), "no such file or directory; give") {
		t.Error(err)
	}
}

func TestLabelsAreMadeDifferent(t *testing.T) {
	ins := []*Input{{Label: "linux/amd64", Path: "old/results.json"}, {Label: "linux/amd64", Path: "new/results.json"}, {Label: "w", Path: "w"}}
	Label(ins)
	if ins[0].Label != "linux/amd64 (old)" || ins[1].Label != "linux/amd64 (new)" || ins[2].Label != "w" {
		t.Error(ins[0].Label, ins[1].Label, ins[2].Label)
	}
}

func TestMoreDifferentRowsThanAReportCanShowAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a quarter of a million rows, which -short asked to leave out")
	}
	var b bytes.Buffer
	for i := range MaxRows + 1 {
		fmt.Fprintf(&b, "BenchmarkX/%d 1 1 ns/op\n", i)
	}
	_, err := Read("in", &b)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("in:%d: more than %d", MaxRows+1, MaxRows)) {
		t.Error(err)
	}
}
