package command_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// A rock acts only after the release of a test.
type rock struct{ release chan struct{} }

func (r *rock) Run(context.Context) error      { <-r.release; return nil }
func (r *rock) Submit(func()) error            { <-r.release; return errors.New("too late") }
func (r *rock) Shutdown(context.Context) error { return nil }

// entered is a contestant that is made as it says.
func entered(name string, make func() (contestant.Loop, error)) contestant.Contestant {
	return contestant.Contestant{Name: name, New: make}
}

func fine() (contestant.Loop, error) { return &stubborn{make(chan struct{})}, nil }

func TestWhoeverIsEnteredWrongIsToldSoBeforeAnythingRuns(t *testing.T) {
	engine := func(*eventloop.Loop) design.Engine { return nil }
	tour := command.Tournament{
		Contestants: []contestant.Contestant{
			entered("Main", fine), entered("Main", fine), entered("main", fine), entered("", fine), entered("My loop", fine), entered("a/b", fine),
			entered("a,b", fine), entered("all", fine), entered("Nothing", nil), entered("Chained", fine),
			{Name: "Elsewhere", Unavailable: "not on this system"},
		},
		Designs: []design.Design{{Name: "Chained", New: engine}, {Name: "NoEngine"}},
	}
	for _, args := range []string{"list", "run", "check", "run -contestants Main"} {
		got := run(t, t.Context(), tour, strings.Fields(args)...)
		if got.code != command.ExitUsage || got.out != "" {
			t.Errorf("%s: %+v", args, got)
		}
		for _, want := range []string{
			"two contestants are named Main: rename one", "Main and main differ in capital letters only", "a contestant has no name: set its Name",
			`"My loop": tables`, `"a/b": tables`, `"a,b": tables`, `"all": -contestants all means`, "contestant Nothing has no New: set it",
			"two contestants are named Chained", "promise design NoEngine has no New",
		} {
			if !strings.Contains(got.err, want) {
				t.Errorf("%s: %q is missing in %s", args, want, got.err)
			}
		}
		if strings.Contains(got.err, "Elsewhere") {
			t.Errorf("%s: %s", args, got.err)
		}
	}
	if got := run(t, t.Context(), tour, "list", "-h"); got.code != command.ExitOK {
		t.Errorf("help: %+v", got)
	}
}

func TestListShowsWhatIsWrongWithALoopAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		began := time.Now()
		got := run(t, t.Context(), command.Tournament{
			Contestants: []contestant.Contestant{
				entered("Hangs", func() (contestant.Loop, error) { return &rock{release}, nil }),
				entered("Slow", func() (contestant.Loop, error) { <-release; return nil, nil }),
				entered("Nil", func() (contestant.Loop, error) { return nil, nil }),
				entered("Typed", func() (contestant.Loop, error) { return (*rock)(nil), nil }),
				entered("Panics", func() (contestant.Loop, error) { panic("out of order") }),
				entered("Licence", func() (contestant.Loop, error) { return nil, errors.New("no licence") }),
				entered("Fine", fine),
			},
			Designs: []design.Design{
				{Name: "NilEngine", New: func(*eventloop.Loop) design.Engine { return nil }},
				{Name: "Panicky", New: func(*eventloop.Loop) design.Engine { panic("no engine") }},
			},
		}, "list")
		if took := time.Since(began); got.code != command.ExitFailed || took > time.Minute || !strings.Contains(got.err, "8 contestants with a fault") {
			t.Errorf("after %v: %+v", took, got)
		}
		for _, want := range []string{
			"Hangs\n    can: tasks\n    fault: a loop that was never run does not end when its context has",
			"Slow\n    fault: New does not return within 5s",
			"Nil\n    fault: nil and no error from New", "Typed\n    fault: nil and no error from New",
			"Panics\n    fault: New panics: out of order", "Licence\n    fault: no licence", "Fine\n    can: tasks\n",
			"NilEngine\n    fault: nil from New", "Panicky\n    fault: a panic in New: no engine",
		} {
			if !strings.Contains(got.out, want) {
				t.Errorf("%q is missing", want)
			}
		}
		if t.Failed() {
			t.Log(got.out)
		}
	})
}

func TestARunEndsWhateverALoopDoesAndKeepsTheOthersFigures(t *testing.T) {
	tour := command.Tournament{
		Contestants: []contestant.Contestant{
			everything().Contestants[0],
			entered("Nil", func() (contestant.Loop, error) { return nil, nil }),
			entered("Panics", func() (contestant.Loop, error) { panic("out of order") }),
		},
		Workloads: []workload.Workload{workload.PingPong},
	}
	got := run(t, t.Context(), tour, "run", "-count", "1", "-benchtime", "1ms", "-o", t.TempDir())
	if got.code != command.ExitFailed || !strings.Contains(got.err, "2 of 4 rows failed") {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"PingPong on Nil: new loop: nil and no error from New", "PingPong on Panics: new loop: New panics: out of order"} {
		if !strings.Contains(got.err, want) {
			t.Errorf("%q is missing in %s", want, got.err)
		}
	}
	got = run(t, t.Context(), tour, "check", "-suites", "^SubmissionOrder$", "-o", t.TempDir())
	if got.code != command.ExitFailed || !strings.Contains(got.out, "New panics: out of order") {
		t.Errorf("%+v", got)
	}
}
