package command_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// stubborn refuses every task.
type stubborn struct{ done chan struct{} }

func (s *stubborn) Run(ctx context.Context) error { <-s.done; return nil }
func (s *stubborn) Submit(func()) error           { return errors.New("not today") }
func (s *stubborn) Shutdown(context.Context) error {
	close(s.done)
	return nil
}

func TestCheckPrintsAMatrixOfEightyColumnsWithReasonsAndKeepsIt(t *testing.T) {
	dir := t.TempDir()
	got := run(t, t.Context(), everything(), "check", "-suites", "^PanicIsolation|^ShutdownConservation$|NestedTimeouts", "-o", dir)
	if got.code != command.ExitOK {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{
		"   1  Main\n", "\nPanicIsolation_Internal", " pass pass pass",
		"skip Channel, PanicIsolation\n", "n/a Baseline, PanicIsolation_Internal", "known limit: ", "Measured: ", "0 failed",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
	for line := range strings.Lines(got.out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 && !strings.HasPrefix(line, "written:") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	f, err := result.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Checks) != 5*len(contestants.All()) {
		t.Errorf("%d checks are kept", len(f.Checks))
	}
}

func TestCheckAddsToTheResultsOfARunAndReplacesWhatItChecksAgain(t *testing.T) {
	dir := t.TempDir()
	for _, args := range []string{
		"run -count 1 -only ^BurstSubmit$ -contestants main,channel",
		"check -suites ^RaceWakeup$ -contestants main,channel",
		"check -suites RaceWakeup -contestants channel",
	} {
		if got := run(t, t.Context(), short(), append(strings.Fields(args), "-o", dir)...); got.code != command.ExitOK {
			t.Fatalf("%s: %+v", args, got)
		}
	}
	f, err := result.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range f.Checks {
		names = append(names, c.Suite+" "+c.Contestant)
	}
	slices.Sort(names)
	if want := []string{"RaceWakeup Channel", "RaceWakeup Main", "RaceWakeup_Aggressive Channel"}; len(f.Rows) != 3 || !slices.Equal(names, want) {
		t.Errorf("%d rows, checks %v", len(f.Rows), names)
	}
}

func TestCheckFailsWithTheReasonWhenASuiteFails(t *testing.T) {
	tour := everything()
	tour.Contestants = append(tour.Contestants[:1], contestant.Contestant{
		Name: "Stubborn",
		New:  func() (contestant.Loop, error) { return &stubborn{make(chan struct{})}, nil },
	})
	got := run(t, t.Context(), tour, "check", "-suites", "^RaceWakeup$", "-o", t.TempDir())
	if got.code != command.ExitFailed || !strings.Contains(got.err, "1 of 2 checks failed") {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"           Main Stubborn\n", "RaceWakeup pass FAIL\n", "FAIL Stubborn, RaceWakeup\n  first Submit: not today\n", "1 passed, 1 failed"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in\n%s", want, got.out)
		}
	}
}

func TestCheckKeepsWhatItHasWhenItIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := run(t, ctx, everything(), "check", "-o", t.TempDir()); got.code != command.ExitInterrupted || !strings.Contains(got.err, "before the first outcome") {
		t.Errorf("%+v", got)
	}
}
