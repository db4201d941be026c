package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// keep saves a result with one category and returns its directory.
func keep(t *testing.T, change func(*result.File)) string {
	t.Helper()
	f := &result.File{
		Environment: result.Environment{GOOS: "linux", GOARCH: "amd64", CPU: "C", GOMAXPROCS: 2, GoVersion: "go1.25", Date: time.Now(), Execution: result.ExecutionNative},
		Protocol:    result.Protocol{Benchtime: time.Second, Count: 1, Order: result.OrderInterleaved},
	}
	for _, row := range []struct {
		name string
		ns   float64
	}{{"Main", 50}, {"Baseline", 100}, {"Channel", 40}} {
		f.Rows = append(f.Rows, result.Row{Category: "PingPong", Kind: result.KindLoop, Contestant: row.name, Samples: []result.Sample{{N: 1, NsPerOp: row.ns, Process: 1, Round: 1}}})
	}
	if change != nil {
		change(f)
	}
	dir := t.TempDir()
	if _, err := f.Save(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

const pingPongRow = "| PingPong | undecided: 1.25 of Channel, about 4 processes more | 50.0 | **40.0** | 100 |\n"

func TestTablePrintsTheAnswerOfAFileOrADirectory(t *testing.T) {
	dir := keep(t, nil)
	for _, path := range []string{dir, filepath.Join(dir, "results.json")} {
		got := run(t, t.Context(), everything(), "table", path)
		if got.code != command.ExitOK || !strings.Contains(got.out, pingPongRow) || !strings.HasPrefix(got.out, "\n- ") {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

func TestTableShowsAContestantThatAUserEntered(t *testing.T) {
	got := run(t, t.Context(), everything(), "table", keep(t, func(f *result.File) {
		f.Rows = append(f.Rows, result.Row{Category: "PingPong", Kind: result.KindLoop, Contestant: "my-loop", Samples: []result.Sample{{N: 1, NsPerOp: 35}}})
	}))
	if got.code != command.ExitOK || !strings.Contains(got.out, "of my-loop") || !strings.Contains(got.out, "| my-loop |") {
		t.Errorf("%+v", got)
	}
}

func TestTablePutsSamplesOfOneEnvironmentTogether(t *testing.T) {
	one := keep(t, nil)
	two := keep(t, func(f *result.File) {
		for i := range f.Rows {
			f.Rows[i].Samples[0].NsPerOp *= 3
		}
	})
	got := run(t, t.Context(), everything(), "table", one, two)
	if got.code != command.ExitOK || !strings.Contains(got.out, "| 86.6 | **69.3** | 173 |") {
		t.Errorf("%+v", got)
	}
}

func TestTableRefusesToMixWhatCannotBeCompared(t *testing.T) {
	one := keep(t, nil)
	for want, change := range map[string]func(*result.File){
		"another environment": func(f *result.File) { f.Environment.CPU = "D" },
		"samples of 2s":       func(f *result.File) { f.Protocol.Benchtime = 2 * time.Second },
	} {
		got := run(t, t.Context(), everything(), "table", one, keep(t, change))
		if got.code != command.ExitUsage || !strings.Contains(got.err, want) {
			t.Errorf("%+v", got)
		}
	}
}

func TestTableRewritesTheMarkedRegionOfAFileAndNothingElse(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	const before, after = "# Title\n\n<!-- table:begin -->\n", "<!-- table:end -->\n\ntail\n"
	if err := os.WriteFile(page, []byte(before+"stale\n"+after), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // twice gives the same
		got := run(t, t.Context(), everything(), "table", keep(t, nil), "-w", page)
		if got.code != command.ExitOK || got.out != "" {
			t.Fatalf("%+v", got)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		s := string(text)
		if !strings.HasPrefix(s, before) || !strings.HasSuffix(s, pingPongRow+after) || strings.Contains(s, "stale") {
			t.Errorf("got\n%s", s)
		}
	}
	if info, err := os.Stat(page); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestTableSaysWhichMarksAreMissing(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	dir := keep(t, nil)
	for _, text := range []string{"", "<!-- table:begin -->", "<!-- table:end --> <!-- table:begin -->"} {
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got := run(t, t.Context(), everything(), "table", dir, "-w", page)
		if got.code != command.ExitUsage || !strings.Contains(got.err, "<!-- table:begin -->") || !strings.Contains(got.err, "<!-- table:end -->") {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got := run(t, t.Context(), everything(), "table", "-w", page+"x", dir); got.code != command.ExitUsage {
		t.Errorf("no such page: %+v", got)
	}
}
