package findings

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/stats"
)

// A line is a made-up row: five samples around a time, spread by a share of it.
type line struct {
	name          string
	ns            float64
	spread        float64
	bytes, allocs float64
}

func input(t *testing.T, label, header string, lines ...line) *parse.Input {
	t.Helper()
	var b strings.Builder
	b.WriteString(header)
	for _, l := range lines {
		for i, d := range []float64{0, 1, -1, 0.5, -0.5} {
			name := l.name
			if !strings.HasSuffix(name, "-16") {
				name += "-8"
			}
			fmt.Fprintf(&b, "Benchmark%s\t%d\t%v ns/op\t%v B/op\t%v allocs/op\n", name, 1000+i, l.ns*(1+l.spread*d), l.bytes, l.allocs)
		}
	}
	in, err := parse.Read(label, strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	in.Label = label
	return in
}

func analyse(o Options, ins ...*parse.Input) *Analysis { return Analyse(group.Match(ins...), o) }

func of(a *Analysis, kind Kind) []Finding {
	var out []Finding
	for _, f := range Find(a) {
		if f.Kind == kind {
			out = append(out, f)
		}
	}
	return out
}

// one expects exactly one finding of a kind and checks its subject and words of its text.
func one(t *testing.T, a *Analysis, kind Kind, subject string, words ...string) Finding {
	t.Helper()
	fs := of(a, kind)
	if len(fs) != 1 {
		t.Fatalf("%d findings of kind %q: %v", len(fs), kind, fs)
	}
	if fs[0].Subject != subject {
		t.Errorf("subject %q, want %q", fs[0].Subject, subject)
	}
	for _, w := range words {
		if !strings.Contains(fs[0].Text, w) {
			t.Errorf("%q does not say %q", fs[0].Text, w)
		}
	}
	return fs[0]
}

func none(t *testing.T, a *Analysis, kind Kind) {
	t.Helper()
	if fs := of(a, kind); len(fs) > 0 {
		t.Errorf("found %v", fs)
	}
}

func loops(category string, main, one, two float64) []line {
	return []line{
		{category + "/Main", main, 0.01, 24, 1}, {category + "/AlternateOne", one, 0.01, 24, 1}, {category + "/Baseline", two, 0.01, 24, 1},
	}
}

func concat(ls ...[]line) (out []line) {
	for _, l := range ls {
		out = append(out, l...)
	}
	return out
}

func TestAFieldCountsVerdictsOfWhatIsNotExcluded(t *testing.T) {
	a := analyse(Options{}, input(t, "x", "", concat(
		loops("PingPong_Exact", 100, 150, 200), loops("BurstSubmit_Exact", 50, 150, 90), loops("GCPressure_Exact", 300, 100, 200),
		loops("MultiProducer_Exact", 100.1, 100, 250), loops("Wait_Exact", 100.1, 100, 100.2))...)) // AlternateOne is first in MultiProducer by a tenth of the noise
	f := a.Fields(0)[0]
	if f.Subject != "Main" || len(f.With(stats.Ahead)) != 2 || len(f.With(stats.Behind)) != 1 || len(f.With(stats.Level)) != 1 || len(f.Excluded) != 1 {
		t.Errorf("%+v", f)
	}
	if f.Families[0].Name != "AlternateOne" || f.Families[0].Categories != 4 {
		t.Errorf("%+v", f.Families)
	}
}

func TestAllInputsAreAboutTheSubjectsOfTheFirst(t *testing.T) {
	here := input(t, "here", "", loops("PingPong", 100, 150, 200)...)
	there := input(t, "there", "", line{"PingPong/Baseline", 90, 0.01, 0, 0}, line{"PingPong/Main", 100, 0.01, 0, 0}, line{"Burst/AlternateOne", 90, 0.01, 0, 0}, line{"Burst/Baseline", 100, 0.01, 0, 0})
	a := analyse(Options{}, here, there)
	var got []string
	for _, s := range a.Standings {
		got = append(got, s.Category+": "+s.Contest.Subject)
	}
	if text := strings.Join(got, ", "); text != "PingPong: Main, PingPong: Main, Burst: AlternateOne" {
		t.Error(text)
	}
}

func TestCorrectedTwinsOfLoopsAndOfPromisesAreRankedApart(t *testing.T) {
	twin := func(category string, names ...string) (out []line) {
		for i, n := range names {
			out = append(out, line{category + "/" + n, 100 * float64(1+i), 0.01, 0, 0})
		}
		return out
	}
	a := analyse(Options{}, input(t, "x", "", concat(twin("BurstSubmit_Exact", "Main", "AlternateOne"), twin("Race_100_Drained", "ChainedPromise", "PromiseAltOne"))...))
	fs := a.Fields(0)
	if len(fs) != 2 || fs[0].Subject != "Main" || fs[1].Subject != "ChainedPromise" {
		t.Errorf("%v", fs)
	}
}

func TestAnEmulatedPlatformIsNeverRankedAgainstARealOne(t *testing.T) {
	native := input(t, "native", "execution: native\n", loops("PingPong", 100, 100, 150)...)
	emulated := input(t, "emulated", "execution: emulated\n", loops("PingPong", 1000, 5000, 1600)...)
	a := analyse(Options{Earlier: true}, native, emulated)
	if a.Pairs[0].Incomparable != "one ran native, the other emulated" {
		t.Error(a.Pairs[0].Incomparable)
	}
	for _, k := range []Kind{Regression} {
		none(t, a, k)
	}
	f := of(a, Confound)[0]
	if f.Subject != "execution" || f.Severity != Problem {
		t.Errorf("%+v", f)
	}
}

func sweep(contestant string, ns ...float64) []line {
	var out []line
	for i, v := range ns {
		out = append(out, line{fmt.Sprintf("MicroBatchBudget_Latency/Burst=%d/%s", 64<<i, contestant), v, 0.01, 0, 0})
	}
	return out
}

func TestInverseScalingIsARiseBehindTheBestPoint(t *testing.T) {
	a := analyse(Options{}, input(t, "x", "", concat(
		sweep("AlternateThree", 759, 409, 238, 372, 401), // the published case
		sweep("Main", 53, 50, 48, 47, 46),
		sweep("Baseline", 135, 127, 128, 123, 140))...)) // a rise below a quarter
	one(t, a, InverseScale, "AlternateThree", "as Burst of MicroBatchBudget_Latency grows", "238 ns at 256", "401 ns at 1024", "1.68×")
	none(t, analyse(Options{}, input(t, "x", "", concat(sweep("AlternateThree", 759, 409, 238, 280, 280))...)), InverseScale)
	depth := []line{{"ChainDepth/1/ChainedPromise", 10, 0.01, 0, 0}, {"ChainDepth/10/ChainedPromise", 100, 0.01, 0, 0}, {"ChainDepth/100/ChainedPromise", 1000, 0.01, 0, 0}}
	none(t, analyse(Options{}, input(t, "x", "", depth...)), InverseScale)
}

func TestConvergenceOfAllContestantsIsFlaggedAndNamesNoWinner(t *testing.T) {
	a := analyse(Options{}, input(t, "linux", "", concat(loops("MicroWakeupSyscall_Burst", 19658, 19672, 19610), loops("PingPong", 100, 150, 200))...))
	one(t, a, Convergence, "MicroWakeupSyscall_Burst", "all 3 contestants are within 0.3%", "so it measures something they share")
	for _, s := range a.Standings {
		if s.Category == "MicroWakeupSyscall_Burst" && s.Winner() != nil {
			t.Error("a converged category has a winner")
		}
	}
	none(t, analyse(Options{}, input(t, "x", "", loops("PingPong", 100, 103, 100)...)), Convergence)
}

func TestResultsTooGoodToBeTrueAreFlagged(t *testing.T) {
	race := []line{
		{"Race_100/PromiseAltTwo", 0.00004, 0.01, 0, 0}, {"Race_100/PromiseAltOne", 4590, 0.01, 6464, 101}, {"Race_100/ChainedPromise", 38885, 0.01, 42073, 604},
	}
	a := analyse(Options{}, input(t, "x", "", race...))
	if f := one(t, a, TooGood, "BenchmarkRace_100/PromiseAltTwo", "less than one processor cycle", "left out of rankings"); f.Severity != Problem {
		t.Error(f.Severity)
	}
	if s := a.Standings[0]; s.First().Contestant != "PromiseAltOne" || s.Entries[2].Place != 0 {
		t.Error("a figure of nothing was ranked")
	}
	one(t, analyse(Options{}, input(t, "x", "", line{"LatencyDirectCall", 0.30, 0.001, 0, 0}, line{"LatencyStateLoad", 0.25, 0.001, 0, 0}, line{"Submit", 30, 0.01, 0, 0})),
		TooGood, "BenchmarkLatencyStateLoad", "less than the 0.3 ns of an empty call")
	race[0].ns = 3000
	one(t, analyse(Options{}, input(t, "x", "", race...)), TooGood, "BenchmarkRace_100/PromiseAltTwo", "does not allocate, where every rival needs 101 allocations")
	race[0].allocs = 1
	none(t, analyse(Options{}, input(t, "x", "", race...)), TooGood)
}

func TestGrowingMemoryIsFlagged(t *testing.T) {
	one(t, analyse(Options{}, input(t, "x", "", line{"QueueMicrotask", 57, 0.01, 44, 0}, line{"Submit", 30, 0.01, 0, 0})), MemoryGrowth, "x",
		"1 row shows bytes with less than one allocation for two operations: BenchmarkQueueMicrotask")
	none(t, analyse(Options{}, input(t, "x", "", line{"QueueMicrotask", 57, 0.01, 0, 0}, line{"Submit", 30, 0.01, 24, 1})), MemoryGrowth)
}

func TestConfoundsAreFoundInWhatTheInputsSay(t *testing.T) {
	arm := input(t, "arm", "goos: linux\ngoarch: arm64\ncpu: M\n", line{"A", 10, 0.01, 0, 0})
	amd := input(t, "amd", "goos: windows\ngoarch: amd64\ncpu: I\ngo: go1.26\n", line{"A-16", 10, 0.01, 0, 0})
	got := make(map[string]string)
	for _, f := range of(analyse(Options{}, arm, amd), Confound) {
		got[f.Subject] = f.Text
	}
	for subject, words := range map[string]string{
		"architecture": "arm64 (arm) and amd64 (amd)", "GOMAXPROCS": "8 (arm) and 16 (amd)", "processor": "M (arm) and I (amd)",
		"not stated": "Go version",
	} {
		if !strings.Contains(got[subject], words) {
			t.Errorf("%s: %q", subject, got[subject])
		}
	}
	if len(got) != 4 {
		t.Errorf("%v", got)
	}
	none(t, analyse(Options{}, arm), Confound)
}

func TestRegressionsNeedSizeAndSignificance(t *testing.T) {
	then := input(t, "then", "", line{"Slower", 100, 0.01, 0, 0}, line{"ABit", 100, 0.001, 0, 0}, line{"Noisy", 100, 0.4, 0, 0}, line{"Faster", 100, 0.01, 0, 0})
	now := input(t, "now", "", line{"Slower", 120, 0.01, 0, 0}, line{"ABit", 103, 0.001, 0, 0}, line{"Noisy", 130, 0.4, 0, 0}, line{"Faster", 80, 0.01, 0, 0})
	a := analyse(Options{Earlier: true}, then, now)
	one(t, a, Regression, "BenchmarkSlower", "20.0% slower than in then", "100 ns then, 120 ns now")
	one(t, a, Improvement, "BenchmarkFaster", "25.0% faster")
	none(t, analyse(Options{}, then, now), Regression)
	none(t, analyse(Options{}, then, now), Improvement)
	none(t, analyse(Options{Earlier: true}, then, then), Regression)
	none(t, analyse(Options{Earlier: true}, then, then), Improvement)
	if fs := of(analyse(Options{Earlier: true, Threshold: 0.02}, then, now), Regression); len(fs) != 2 {
		t.Errorf("with a lower threshold: %v", fs)
	}
}

func TestFailedChecksAreProblems(t *testing.T) {
	in := input(t, "x", "", line{"A", 10, 0.01, 0, 0})
	in.Checks = []result.Check{
		{Suite: "ShutdownConservation_Stress", Contestant: "AlternateOne", Status: result.Fail, Race: true, Detail: "lost 3 of 6,659"},
		{Suite: "MemoryLeak", Contestant: "AlternateOne", Status: result.Skip, Detail: "known"},
	}
	if f := one(t, analyse(Options{}, in), FailedCheck, "AlternateOne", "under the race detector", "lost 3 of 6,659"); f.Severity != Problem {
		t.Error(f.Severity)
	}
	in.Checks = in.Checks[1:]
	none(t, analyse(Options{}, in), FailedCheck)
}

func TestAContestantThatCannotTakePartIsAbsentWithItsReason(t *testing.T) {
	in, err := parse.Read("x", strings.NewReader(`{"schema":"eventloop-tournament/1","rows":[
{"category":"Race_100","kind":"promise","contestant":"A","samples":[{"ns_per_op":4},{"ns_per_op":4.1}]},
{"category":"Race_100","kind":"promise","contestant":"B","not_applicable":"has no Race"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	s := analyse(Options{}, in).Standings[0]
	if len(s.Entries) != 1 || len(s.Absent) != 1 || s.Absent[0].Why != "has no Race" {
		t.Errorf("%+v", s)
	}
}

func TestOnlyOnePointOfASweepCountsInRankings(t *testing.T) {
	a := analyse(Options{}, input(t, "x", "", concat(sweep("Main", 5, 4, 3, 2, 1), sweep("Baseline", 9, 9, 9, 9, 9))...))
	if f := a.Fields(0)[0]; len(f.Decisive) != 1 || len(f.With(stats.Ahead)) != 1 || f.Families[0].Categories != 1 {
		t.Errorf("%+v", f)
	}
}
