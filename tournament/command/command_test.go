package command_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/contestants/poller"
	"github.com/eventloop-go/eventloop/tournament/contestants/product"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// An outcome is what a command line led to.
type outcome struct {
	code     int
	out, err string
}

func run(t *testing.T, ctx context.Context, tour command.Tournament, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	code := tour.Main(ctx, args, &out, &err)
	return outcome{code, out.String(), err.String()}
}

func everything() command.Tournament {
	return command.Tournament{
		Contestants: contestants.All(), Workloads: workload.All(), Loads: load.All(),
		Designs: promises.All(), Promises: workload.AllPromises(),
	}
}

func TestWhatCannotBeDoneIsExplainedWithExitCodeTwo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string
		want []string
	}{
		{"", []string{"run, check, choose, list, table", "tournament run", "tournament help"}},
		{"fly", []string{`no command "fly"`, "run, check, choose, list, table", "tournament help"}},
		{"help fly", []string{`no command "fly"`}},
		{"run -fast", []string{"-fast", "tournament help run"}},
		{"run -count many", []string{"many", "tournament help run"}},
		{"run -count 0", []string{"-count 0", "5 or more"}},
		{"run -processes 0", []string{"-processes 0", "5 or more"}},
		{"run -budget 2", []string{"tournament help run"}},
		{"run -budget 2ms", []string{"-budget 2ms", "such as 2m"}},
		{"run -level 10", []string{"-level 10", "such as 0.1"}},
		{"run -benchtime 0s", []string{"-benchtime 0s", "500ms"}},
		{"run -benchtime 5h", []string{"-benchtime 5h0m0s", "1h0m0s"}},
		{"run -benchtime soon", []string{"soon", "tournament help run"}},
		{"run -processes 3 -count 3", []string{"exclude each other"}},
		{"run PingPong", []string{"-only PingPong"}},
		{"run -only (", []string{"-only", "regular expression"}},
		{"run -only Nothing", []string{"Nothing", "PingPongLatency", "MicroBatchBudget_Latency/Burst=1024"}},
		{"run -contestants Main,Foo", []string{`"Foo"`, "Main, AlternateOne, AlternateTwo, AlternateThree, Baseline, Channel", "ChainedPromise, PromiseAltOne"}},
		{"run -contestants Main -only FanOut", []string{"none of the contestants Main", "FanOut", "tournament list"}},
		{"check Goja", []string{"-suites Goja"}},
		{"check -suites (", []string{"-suites", "regular expression"}},
		{"check -suites Nothing", []string{"Nothing", "RaceWakeup"}},
		{"check -suites _Long", []string{"ShutdownConservation_Long takes minutes", "-long"}},
		{"check -contestants ChainedPromise", []string{"suites are for loops"}},
		{"check -contestants Foo", []string{`"Foo"`}},
		{"list all", []string{`"all"`}},
		{"table", []string{"results.json", "tournament run"}},
		{"table " + file + "x", []string{"no such file", "tournament run"}},
		{"table " + file, []string{"not a tournament result"}},
	} {
		got := run(t, t.Context(), everything(), strings.Fields(test.args)...)
		if got.code != command.ExitUsage || got.out != "" {
			t.Errorf("%q: exit code %d, output %q", test.args, got.code, got.out)
		}
		for _, want := range test.want {
			if !strings.Contains(got.err, want) {
				t.Errorf("%q: %q is missing in %s", test.args, want, got.err)
			}
		}
	}
}

func TestHelpIsOutputAndNoError(t *testing.T) {
	for args, want := range map[string]string{
		"help":       "usage: tournament COMMAND",
		"-h":         "usage: tournament COMMAND",
		"help run":   "-contestants LIST",
		"run -h":     "-only REGEXP",
		"check -h":   "-suites REGEXP",
		"list -help": "categories and contestants",
		"table --h":  "-w FILE",
	} {
		got := run(t, t.Context(), everything(), strings.Fields(args)...)
		if args == "table --h" {
			got = run(t, t.Context(), everything(), "table", "--help")
		}
		if got.code != command.ExitOK || !strings.Contains(got.out, want) || got.err != "" {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

func TestListShowsContestantsAndCategories(t *testing.T) {
	got := run(t, t.Context(), everything(), "list")
	if got.code != command.ExitOK {
		t.Fatal(got)
	}
	wants := []string{"can: tasks, priority lane, microtasks, timers", "corrects BurstSubmit", "may lose an accepted task"}
	for _, c := range contestants.All() {
		wants = append(wants, "\n  "+c.Name+"\n")
	}
	for _, w := range workload.All() {
		wants = append(wants, "\n  "+w.Name+"\n")
	}
	for _, d := range promises.All() {
		wants = append(wants, "\n  "+d.Name+"\n")
	}
	for _, w := range workload.AllPromises() {
		wants = append(wants, "\n  "+w.Name+"\n")
	}
	wants = append(wants, "can: then, race", "corrects FanOut_100", "published promise categories")
	for _, want := range wants {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// short is a tournament of categories that cost little.
func short() command.Tournament {
	return command.Tournament{
		Contestants: contestants.All(),
		Workloads:   []workload.Workload{workload.PingPong, workload.BurstSubmit, workload.BurstSubmitExact},
	}
}

func TestARunPrintsWinnersAndKeepsItsFigures(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	got := run(t, t.Context(), short(), "run", "-count", "1", "-benchtime", "3ms", "-seed", "5", "-only", "Burst", "-contestants", "channel, main", "-o", dir)
	if got.code != command.ExitOK {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"BurstSubmit", "BurstSubmit_Exact", "Main has the lowest time in ", "Excluded:", "the same operations as BurstSubmit_Exact", "undecided: ", "results.txt", "results.json"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	if strings.Contains(got.out, "Baseline") || strings.Contains(got.out, "PingPong") {
		t.Errorf("more than was asked for:\n%s", got.out)
	}
	if !strings.Contains(got.err, "round 1 of 1") || strings.Contains(got.err, "\r") {
		t.Errorf("progress without a terminal: %q", got.err)
	}
	f, err := result.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Rows) != 6 || f.Protocol.Seed != 5 || f.Protocol.Benchtime != 3*time.Millisecond || f.Interrupted || f.Environment.GoVersion == "" {
		t.Errorf("%+v", f)
	}
	for _, row := range f.Rows {
		if len(row.Samples) != 1 {
			t.Errorf("%+v", row)
		}
	}
}

func TestARunMeasuresPromisesBesideLoopsInATableOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	tour := short()
	tour.Designs = promises.All()
	tour.Promises = []workload.Promise{workload.FanOut, workload.FanOutDrained}
	got := run(t, t.Context(), tour, "run", "-count", "1", "-benchtime", "20ms", "-only", "PingPong|FanOut", "-contestants", "main,promisealtone,PromiseAltTwo", "-o", dir)
	if got.code != command.ExitOK {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"PingPong", "FanOut_100: no handler is called", "FanOut_100_Drained", "PromiseAltOne has the lowest time in"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	for line := range strings.Lines(got.out) {
		if strings.Contains(line, " Main") && strings.Contains(line, "PromiseAltOne") {
			t.Errorf("loops and promises in one table: %q", line)
		}
	}
	table := run(t, t.Context(), tour, "table", dir)
	for _, want := range []string{"| PingPong | without a rival |", "| Category | Verdict | PromiseAltOne | PromiseAltTwo |", "- FanOut_100: "} {
		if !strings.Contains(table.out, want) {
			t.Errorf("%q is missing in\n%s", want, table.out)
		}
	}
	f, err := result.Load(dir)
	if err != nil || len(f.Rows) != 8 || f.Rows[2].Kind != result.KindPromise || f.Rows[5].TwinOf != "FanOut_100" {
		t.Errorf("%+v, %v", f, err)
	}
}

// A tripwire is a writer that does something when a text has passed.
type tripwire struct {
	bytes.Buffer
	text string
	do   func()
}

func (w *tripwire) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	if strings.Contains(w.String(), w.text) {
		w.do()
	}
	return n, err
}

func TestAnInterruptedRunKeepsWhatItHas(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	tour := short()
	var out bytes.Buffer
	err := &tripwire{text: "round 3 of 5", do: cancel}
	code := tour.Main(ctx, []string{"run", "-count", "5", "-benchtime", "20ms", "-only", "PingPong", "-o", dir}, &out, err)
	if code != command.ExitInterrupted || !strings.Contains(err.String(), "interrupted") || !strings.Contains(out.String(), "PingPong") {
		t.Fatalf("exit code %d\n%s\n%s", code, out.String(), err.String())
	}
	f, loadErr := result.Load(dir)
	if loadErr != nil {
		t.Fatal(loadErr)
	}
	if !f.Interrupted {
		t.Error("not marked as interrupted")
	}
	for _, row := range f.Rows {
		if n := len(row.Samples); n < 2 || n > 3 {
			t.Errorf("%s has %d samples, interrupted at the beginning of the third round", row.Contestant, n)
		}
	}
}

func TestAnInterruptBeforeTheFirstSampleKeepsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	got := run(t, ctx, short(), "run", "-o", dir)
	if got.code != command.ExitInterrupted || !strings.Contains(got.err, "nothing to keep") {
		t.Errorf("%+v", got)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	made := filepath.Join(dir, "new")
	if got := run(t, ctx, short(), "run", "-o", made); got.code != command.ExitInterrupted {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(made); !os.IsNotExist(err) {
		t.Errorf("an empty directory is left behind: %v", err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("a directory that was there before is gone: %v", err)
	}
}

func TestAContestantThatFailsIsNamedAndTheRestIsKept(t *testing.T) {
	tour := short()
	tour.Workloads = tour.Workloads[:1]
	tour.Contestants = append(tour.Contestants[:1:1], contestant.Contestant{
		Name: "Broken",
		New:  func() (contestant.Loop, error) { return nil, errors.New("no licence") },
	})
	dir := t.TempDir()
	got := run(t, t.Context(), tour, "run", "-count", "1", "-benchtime", "20ms", "-o", dir)
	if got.code != command.ExitFailed || !strings.Contains(got.err, "PingPong on Broken: new loop: no licence") || !strings.Contains(got.out, "failed") {
		t.Errorf("%+v", got)
	}
	if f, err := result.Load(dir); err != nil || len(f.Rows[0].Samples) != 1 || f.Rows[1].Error == "" || f.Rows[2].Contestant != "Main-Replica" {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFiguresAreNotLostWhenTheyCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	tour := short()
	tour.Workloads = tour.Workloads[:1]
	pingPong := tour.Workloads[0].Run
	tour.Workloads[0].Run = func(trial *workload.Trial) error {
		// Somebody puts a file in the place of the directory while the run goes on.
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			if err := os.Remove(dir); err != nil {
				return err
			}
			if err := os.WriteFile(dir, nil, 0o666); err != nil {
				return err
			}
		}
		return pingPong(trial)
	}
	got := run(t, t.Context(), tour, "run", "-count", "1", "-benchtime", "20ms", "-o", dir, "-contestants", "Main")
	if got.code != command.ExitFailed || !strings.Contains(got.err, "-o DIR") || !strings.Contains(got.out, "BenchmarkPingPong/Main") {
		t.Errorf("%+v", got)
	}
}

func TestAQuickRunLeavesVariantsAndSweepsOutUnlessAskedForThem(t *testing.T) {
	tour := command.Tournament{
		Contestants: []contestant.Contestant{product.Contestant, poller.Variants[0]},
		Workloads:   []workload.Workload{workload.PingPong, workload.CASContention()[0]},
	}
	for _, test := range []struct {
		args             []string
		variants, sweeps bool
	}{
		{nil, false, false},
		{[]string{"-contestants", "all"}, true, false},
		{[]string{"-contestants", "alternatethree-channel", "-only", "CAS"}, true, true},
	} {
		dir := t.TempDir()
		if got := run(t, t.Context(), tour, append([]string{"run", "-count", "1", "-benchtime", "20ms", "-o", dir}, test.args...)...); got.code != command.ExitOK {
			t.Fatalf("%+v", got)
		}
		f, err := result.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		variants, sweeps := false, false
		for _, row := range f.Rows {
			variants = variants || strings.HasPrefix(row.Contestant, "AlternateThree-")
			sweeps = sweeps || strings.HasPrefix(row.Category, "MicroCASContention/")
		}
		if variants != test.variants || sweeps != test.sweeps {
			t.Errorf("%v: variants %v, sweeps %v", test.args, variants, sweeps)
		}
	}
}
