package report

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/report/render"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

func markdown(t *testing.T, r *render.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.Write(&b, r, render.Markdown); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func contains(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(text, w) {
			t.Errorf("the report does not say %q", w)
		}
	}
}

func TestOnePlatformIsReportedInDetail(t *testing.T) {
	r, change := Report([]*parse.Input{madeUp(t, "linux", "amd64", nil)}, ReportOptions{})
	if len(change) > 0 {
		t.Error("a change without an earlier run")
	}
	text := markdown(t, r)
	contains(t, text, "# Tournament on linux/amd64", "## The answer", "- Take Main, unless your program spends its time where Main is behind. It is ahead of every rival in 5 of 6 categories", "## Verdicts", "### Sweep: MicroBatchBudget_Latency",
		"## Categories: promises", "| PromiseAltTwo | – | – | – | – | – | has no Race |", "BenchmarkCancelTimers_Batch/timers_1 (10 timers)",
		"| ShutdownConservation | pass | pass | pass | pass | skip |",
		"ShutdownConservation, Baseline (linux/amd64): skip: its Stop does not wait", "under the race detector", "Take Main by default.", "Try AlternateOne if this is what your program does most: Main takes longer in GCPressure")
	verdicts := column(t, ours(t, r, "Verdicts"), "Verdict")
	if !strings.HasPrefix(verdicts["PingPong"], "ahead: ") || !strings.HasSuffix(verdicts["GCPressure"], " of AlternateOne") {
		t.Errorf("%v", verdicts)
	}
	if _, ok := verdicts["MicroWakeupSyscall_Burst"]; ok || !strings.Contains(text, "- MicroWakeupSyscall_Burst: all 5 contestants are within") {
		t.Error("an excluded category stands among the verdicts, or nobody says why it is excluded")
	}
	if _, ok := verdicts["MicroBatchBudget_Latency/Burst=64"]; ok {
		t.Error("every point of a sweep counts in the ranking")
	}
	if !slices.ContainsFunc(r.Sections, func(s *render.Section) bool {
		return slices.ContainsFunc(s.Blocks, func(b render.Block) bool { _, ok := b.(*render.LineChart); return ok })
	}) {
		t.Error("no line chart of the sweep")
	}
}

func TestSeveralPlatformsAreSetSideBySide(t *testing.T) {
	linux := madeUp(t, "linux", "amd64", nil)
	mac := madeUp(t, "darwin", "arm64", times("AlternateThree", 0.5))
	emulated := madeUp(t, "windows", "amd64", func(f *result.File) {
		f.Environment.Execution, f.Environment.Emulator = result.ExecutionEmulated, "wine"
		times("Main", 30)(f)
		f.Checks = append(f.Checks, result.Check{Suite: "MemoryLeak", Contestant: "Main", Status: result.Fail, Detail: "grew"})
	})
	r, _ := Report([]*parse.Input{linux, mac, emulated}, ReportOptions{})
	text := markdown(t, r)
	contains(t, text, "## Main on each platform", "## ChainedPromise on each platform", "### Across platforms: Main", "darwin/arm64 over linux/amd64",
		"are not ranked against each other", "linux/amd64 and windows/amd64 emulated: one ran native, the other emulated", "| MemoryLeak | FAIL | pass | pass | pass | pass |", "Main fails MemoryLeak on windows/amd64 emulated",
		"Do not adopt Main before its failed correctness suites pass.")
	if strings.Contains(text, "windows/amd64 emulated over") {
		t.Error("an emulated platform is in the sensitivity")
	}
	winners := ours(t, r, "Main on each platform")
	if len(winners.Columns) != 3 {
		t.Errorf("%v: want the category and two real machines", winners.Columns)
	}
	if got := column(t, winners, "linux/amd64")["PingPong"]; !strings.HasPrefix(got, "ahead 0.7") {
		t.Error(got)
	}
	if got := column(t, winners, "darwin/arm64")["PingPong"]; !strings.HasPrefix(got, "behind ") || !strings.HasSuffix(got, "AlternateThree") {
		t.Error(got)
	}
}

func TestPlatformsDifferOnlyWhereOneIsAheadAndAnotherBehind(t *testing.T) {
	const ahead, behind, level, undecided = stats.Ahead, stats.Behind, stats.Level, stats.Undecided
	for want, verdicts := range map[string][]stats.Verdict{
		"–": nil, "ahead": {ahead, ahead}, "ahead on 1 of 2": {ahead, undecided}, "differs": {ahead, level, behind}, "undecided": {undecided, undecided},
		"behind on 1 of 3": {undecided, behind, level}, "level": {level, level},
	} {
		if got := agreement(verdicts); got != want {
			t.Errorf("%v: %s, want %s", verdicts, got, want)
		}
	}
}

func TestTheNarrativeIsAssembledFromFindings(t *testing.T) {
	linux := madeUp(t, "linux", "amd64", nil)
	mac := madeUp(t, "darwin", "arm64", times("AlternateThree", 0.2))
	r, _ := Report([]*parse.Input{linux, mac}, ReportOptions{Narrative: true})
	text := markdown(t, r)
	contains(t, text, "## How far to trust the figures", "## Main and its rivals", "On linux/amd64 its lead is clearest in ", "It is behind in PingPong, where AlternateThree needs", "## Between platforms",
		"Times on linux/amd64 are, by the geometric mean over the rows of both, ", "Of 40 outcomes of correctness suites 38 passed and 0 failed; 2 were skipped and 0 did not apply. 10 of them ran under the race detector.", "## Recommendations")
	if strings.Contains(text, "|---") {
		t.Error("the narrative holds tables")
	}
}

func TestAChangeSinceAnEarlierRunIsShown(t *testing.T) {
	then := madeUp(t, "linux", "amd64", nil)
	now := madeUp(t, "linux", "amd64", func(f *result.File) {
		times("Baseline", 1.5)(f)
		times("AlternateTwo", 0.5)(f)
	})
	r, changes := Report([]*parse.Input{now}, ReportOptions{Baselines: []*parse.Input{then}})
	text := markdown(t, r)
	contains(t, text, "## Change since the earlier run", "regression", "improvement", "BenchmarkPingPong/Baseline is 5")
	change := changes[0]
	p := change.Pairs[0]
	if n, m := len(change.Regressions(p)), len(change.Improvements(p)); n != 13 || m != 13 {
		t.Errorf("%d regressions, %d improvements", n, m)
	}
	if now.Label != "linux/amd64" {
		t.Errorf("the comparison renamed the input to %s", now.Label)
	}
}

func TestAReportOfPlainComponentRowsNeedsNoContestants(t *testing.T) {
	in, err := parse.Read("log.txt", strings.NewReader(bench(100)))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := Report([]*parse.Input{in}, ReportOptions{})
	contains(t, markdown(t, r), "## Component suite", "### Task Submission", "BenchmarkSubmit", "The inputs hold no outcomes of correctness suites.")
}

func TestCompareRanksNothingAcrossEmulation(t *testing.T) {
	native := madeUp(t, "linux", "amd64", nil)
	emulated := madeUp(t, "linux", "arm64", func(f *result.File) { f.Environment.Execution = result.ExecutionEmulated })
	r, _ := Compare([]*parse.Input{native, emulated}, Options{})
	for _, row := range ours(t, r, "All rows").Rows {
		if lower, faster := row[6].Text, row[len(row)-1].Text; lower != "not ranked" || faster != "not ranked" && faster != "one side only" {
			t.Errorf("%s: lower mean %q, faster %q", row[1].Text, lower, faster)
		}
	}
	metrics := column(t, ours(t, r, "Key metrics"), "linux/amd64 / linux/arm64 emulated")
	for name, v := range metrics {
		if counted := strings.HasPrefix(name, "Rows") || strings.HasPrefix(name, "Only"); !counted && v != "not ranked" {
			t.Errorf("%s: %s", name, v)
		}
	}
	for _, s := range r.Sections {
		for _, b := range s.Blocks {
			if _, ok := b.(*render.DotChart); ok {
				t.Errorf("%s draws ratios", s.Title)
			}
		}
	}
}

func TestAnUndecidedCategoryAdvisesNobody(t *testing.T) {
	rows := []result.Row{{Category: "PingPong", Kind: result.KindLoop, Contestant: "Main"}, {Category: "PingPong", Kind: result.KindLoop, Contestant: "Channel"}}
	for i, away := range []float64{0.18, -0.18, 0.1, -0.1, 0} { // Main takes 30 % longer for certain by an interval of its own, and not by the rule's
		rows[0].Samples = append(rows[0].Samples, result.Sample{Process: i + 1, Round: 1, N: 1000, NsPerOp: 130 * math.Exp(away)})
		rows[1].Samples = append(rows[1].Samples, result.Sample{Process: i + 1, Round: 1, N: 1000, NsPerOp: 100})
	}
	answers, err := Answers(&result.File{Rows: rows}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := answers[0]; n.Families[0].Lo <= 1 || n.Decisive[0].Contest.Verdict != stats.Undecided {
		t.Fatalf("%+v", n.Families)
	}
	if lines := answers[0].Lines(); !strings.HasPrefix(lines[0], "No clear choice between Main and Channel.") || lines[2] != "It is behind in no category so far; 1 category has no verdict." {
		t.Errorf("%q", lines)
	}
}
