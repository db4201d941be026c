package group

import (
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func read(t *testing.T, name, text string) *parse.Input {
	t.Helper()
	in, err := parse.Read(name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestTimerNamesMatchTheirMeaning(t *testing.T) {
	table := Match(
		read(t, "old.txt", "BenchmarkCancelTimers_Batch/timers_1-2 1 1 ns/op\nBenchmarkCancelTimers_Batch/timers_5-2 1 1 ns/op\nBenchmarkCancelTimer_Individual/timers_:-2 1 1 ns/op\n"),
		read(t, "new.txt", "BenchmarkCancelTimers_Batch/timers_10-2 1 1 ns/op\nBenchmarkCancelTimers_Batch/timers_50-2 1 1 ns/op\nBenchmarkCancelTimer_Individual/timers_100-2 1 1 ns/op\n"))
	if len(table.Rows) != 3 || len(table.Complete()) != 3 {
		t.Fatalf("%d rows, %d complete", len(table.Rows), len(table.Complete()))
	}
	if got := table.Rows[2].Label; got != "BenchmarkCancelTimer_Individual/timers_: (100 timers)" {
		t.Error(got)
	}
	if got := Match(read(t, "x", "BenchmarkElse/timers_1-2 1 1 ns/op\n")).Rows[0].Label; got != "BenchmarkElse/timers_1" {
		t.Errorf("the alias reached a foreign benchmark: %s", got)
	}
}

func TestContestantsAreFoundInEveryWayOfNaming(t *testing.T) {
	for _, c := range []struct {
		text                 string
		category, contestant string
		kind                 result.Kind
	}{
		{"BenchmarkPingPong/Main-2 1 1 ns/op\n", "PingPong", "Main", result.KindLoop},
		{"BenchmarkMicroBatchBudget_Throughput/AlternateTwo/Burst=64-2 1 1 ns/op\n", "MicroBatchBudget_Throughput/Burst=64", "AlternateTwo", result.KindLoop},
		{"BenchmarkChainDepth/10/PromiseAltOne-2 1 1 ns/op\n", "ChainDepth/10", "PromiseAltOne", result.KindPromise},
		{"BenchmarkFanOut_Drained/PromiseAltOne-2 1 1 ns/op\n", "FanOut_Drained", "PromiseAltOne", result.KindTwin},
		{"BenchmarkFanOut_100_Drained/PromiseAltOne-2 1 1 ns/op\n", "FanOut_100_Drained", "PromiseAltOne", KindPromiseTwin},
		{"execution: native\nBenchmarkPingPong/Channel-2 1 1 ns/op\n", "PingPong", "Channel", result.KindLoop},
		{"execution: native\nBenchmarkSubmit/Main-2 1 1 ns/op\n", "Submit", "", result.KindComponent},
		{"BenchmarkSubmit-2 1 1 ns/op\n", "Submit", "", result.KindComponent},
		{"BenchmarkCancelTimers_Comparison/Batch-2 1 1 ns/op\n", "CancelTimers_Comparison/Batch", "", result.KindComponent},
	} {
		r := Match(read(t, "in", c.text)).Rows[0]
		if r.Category != c.category || r.Contestant != c.contestant || r.Kind != c.kind {
			t.Errorf("%s: %q %q %q", c.text, r.Category, r.Contestant, r.Kind)
		}
	}
}

func TestTextAndJSONOfOneRunMatch(t *testing.T) {
	text := read(t, "results.txt", "execution: native\nBenchmarkPingPong/Main-2 1 1 ns/op\nBenchmarkSubmit/Main-2 1 1 ns/op\n")
	file := read(t, "results.json", `{"schema":"eventloop-tournament/1","rows":[
{"category":"PingPong","kind":"loop","contestant":"Main","samples":[{"ns_per_op":4}]},
{"category":"Submit","kind":"component","contestant":"Main","samples":[{"ns_per_op":4}]}]}`)
	if table := Match(text, file); len(table.Rows) != 2 || len(table.Complete()) != 2 {
		t.Errorf("%d rows, %d in both", len(table.Rows), len(table.Complete()))
	}
}

func TestRowsOfOneSideAndDifferingCountsAreNoted(t *testing.T) {
	table := Match(
		read(t, "a", "BenchmarkA-2 1 1 ns/op\nBenchmarkB-2 1 1 ns/op\n"),
		read(t, "b", "BenchmarkC-2 1 1 ns/op\nBenchmarkB-2 1 1 ns/op\nBenchmarkB-2 1 1 ns/op\nBenchmarkC-2 1 1 ns/op\n"))
	if len(table.Rows) != 3 || len(table.Complete()) != 1 {
		t.Fatal(table.Rows)
	}
	var got []string
	for _, i := range table.Issues {
		got = append(got, i.String())
	}
	want := "a:1: one side: BenchmarkA is in a, not in b\n" +
		"a:2: sample count: BenchmarkB has differing sample counts: 1 in a, 2 in b\n" +
		"b:1: one side: BenchmarkC is in b, not in a"
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
}

func TestSweepsAreReadFromTheLastPart(t *testing.T) {
	for category, want := range map[string]Sweep{
		"MicroBatchBudget_Latency/Burst=1024": {"MicroBatchBudget_Latency", "Burst", 1024},
		"MicroCASContention/N=01":             {"MicroCASContention", "N", 1},
		"ChainDepth/10":                       {"ChainDepth", "", 10},
		"PingPong":                            {},
		"CancelTimers_Batch/timers_1":         {},
		"X/99999999999999999999":              {},
	} {
		if got := sweepOf(category); got != want {
			t.Errorf("%s: %+v", category, got)
		}
	}
}
