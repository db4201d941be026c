package command_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// measured are rows of one category: for each contestant the percentile in microseconds of five samples.
func measured(category string, p99 map[string]float64) []result.Row {
	var rows []result.Row
	for name, us := range p99 {
		row := result.Row{Category: category, Kind: result.KindLoad, Contestant: name, Control: name == load.Control.Name}
		for i := range 5 {
			value := us * 1e3 * (1 + 0.01*float64(i))
			row.Samples = append(row.Samples, result.Sample{N: 1_000, NsPerOp: value, Metrics: map[string]float64{
				"p50-ns": value / 2, "p99-ns": value, "p99.9-ns": 2 * value, choose.Sustained: 1, choose.Offered: 50_000, choose.Processor: 10_000,
			}})
		}
		rows = append(rows, row)
	}
	return rows
}

func save(t *testing.T, dir string, rows []result.Row) {
	t.Helper()
	f := &result.File{Schema: result.Schema, Rows: rows}
	if _, err := f.Save(dir); err != nil {
		t.Fatal(err)
	}
}

func TestChooseAnswersFromResultsOnDisk(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, append(measured("Load/cost=10us/rate=50k", map[string]float64{"Main": 100, "Channel": 101, "Baseline": 300, "Direct": 20}),
		measured("Load/cost=0us/rate=100k", map[string]float64{"Main": 10, "Channel": 30})...))
	got := run(t, t.Context(), everything(), "choose", dir)
	for _, want := range []string{"50k tasks a second of 10µs", "Take Main or Channel", "they are level", "Slower: Baseline", "evidence: Load/cost=10us/rate=50k", "Direct: p99", "(control)"} {
		if got.code != command.ExitOK || !strings.Contains(strings.ReplaceAll(got.out, "\n", " "), want) {
			t.Errorf("%q is missing in %+v", want, got)
		}
	}
	got = run(t, t.Context(), everything(), "choose", "-cost", "0", "-rate", "0.1M", "-p99", "15us", dir)
	if got.code != command.ExitOK || !strings.Contains(got.out, "Take Main:") || !strings.Contains(strings.ReplaceAll(got.out, "\n", " "), "Within 15µs in every sample: Main.") {
		t.Errorf("%+v", got)
	}
	got = run(t, t.Context(), everything(), "choose", "-table", dir)
	if got.code != command.ExitOK || strings.Count(got.out, "\n") != 4 || !strings.Contains(got.out, "| Main or Channel (level or undecided) |") {
		t.Errorf("%+v", got)
	}
}

func TestChooseFindsTheNewestResultsThatCanAnswer(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, rows := range [][]result.Row{
		measured("Load/cost=10us/rate=50k", map[string]float64{"Main": 900, "Channel": 10}),
		measured("Load/cost=10us/rate=50k", map[string]float64{"Main": 10, "Channel": 900}),
		{{Category: "PingPong", Kind: result.KindLoop, Contestant: "Main", Samples: []result.Sample{{N: 1, NsPerOp: 1}}}},
	} {
		save(t, filepath.Join("tournament-results", fmt.Sprintf("20260101-00000%d", i)), rows)
	}
	got := run(t, t.Context(), everything(), "choose")
	if got.code != command.ExitOK || !strings.Contains(got.out, "Take Main:") || !strings.Contains(got.out, "20260101-000001") {
		t.Errorf("%+v", got)
	}
}

func TestChooseExplainsWhatItCannotAnswer(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("file", []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	save(t, "closed", []result.Row{{Category: "PingPong", Kind: result.KindLoop, Contestant: "Main", Samples: []result.Sample{{N: 1, NsPerOp: 1}}}})
	for args, want := range map[string]string{
		"choose":                           "choose -measure",
		"choose closed":                    "no open-loop category",
		"choose file":                      "not a tournament result",
		"choose nowhere":                   "no such file",
		"choose -rate fast":                "-rate",
		"choose -cost 5s":                  "-cost",
		"choose -cost 10ns":                "-cost",
		"choose -p99 -1ms":                 "-p99",
		"choose -producers 0":              "-producers",
		"choose -measure -budget 0s":       "-budget",
		"choose -measure closed":           "exclude each other",
		"choose -measure -contestants Foo": `"Foo"`,
	} {
		if got := run(t, t.Context(), everything(), strings.Fields(args)...); got.code != command.ExitUsage || got.out != "" || !strings.Contains(got.err, want) {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

func TestChooseMeasuresWhatIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	got := run(t, t.Context(), everything(), "choose", "-measure", "-cost", "0", "-rate", "40k", "-budget", "2s", "-contestants", "Main,Channel", "-o", dir)
	if got.code != command.ExitOK || !strings.Contains(got.out, "evidence: Load/cost=0us/rate=40k in "+dir) || strings.Contains(got.out, "That is not what was asked") {
		t.Errorf("%+v", got)
	}
	f, err := result.Load(dir)
	if err != nil || len(f.Rows) != 4 || !f.Rows[3].Control || f.Rows[0].Kind != result.KindLoad {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestAControlStandsBesideTheContestantsAndNeverWins(t *testing.T) {
	dir := t.TempDir()
	got := run(t, t.Context(), everything(), "run", "-count", "1", "-benchtime", "3ms", "-only", "^Load/cost=0us/rate=100k$", "-contestants", "Main,Channel", "-o", dir)
	if got.code != command.ExitOK || !strings.Contains(got.out, "Direct") || !strings.Contains(got.out, "open loop") {
		t.Fatalf("%+v", got)
	}
	for line := range strings.Lines(got.out) {
		if fields := strings.Fields(line); len(fields) > 1 && strings.HasPrefix(fields[0], "Load/") && fields[1] == "Direct" {
			t.Errorf("the control wins: %s", line)
		}
	}
}
