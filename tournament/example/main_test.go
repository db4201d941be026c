package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/check"
	"github.com/eventloop-go/eventloop/tournament/command"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/contestanttest"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

func TestMain(m *testing.M) {
	check.Child(mine) // panics of tasks take only a child process down
	os.Exit(m.Run())
}

func TestMineIsALoop(t *testing.T) { contestanttest.Run(t, mine) }

func TestAContestantOfOnesOwnGetsTheSameTableAndMatrix(t *testing.T) {
	tour := command.Tournament{
		Contestants: []contestant.Contestant{contestants.Designs()[0], mine},
		Workloads:   workload.All(),
	}
	dir := t.TempDir()
	for _, test := range []struct {
		args  string
		wants []string
	}{
		{"run -count 1 -benchtime 20ms -only ^BurstSubmit", []string{"Main", "Mine", "BurstSubmit_Exact"}},
		{"check -contestants Mine -suites Shutdown|Panic", []string{"ShutdownConservation_Stress pass", "PanicIsolation              skip", "nobody recovers what a task does"}},
	} {
		var out, said bytes.Buffer
		if code := tour.Main(t.Context(), append(strings.Fields(test.args), "-o", dir), &out, &said); code != command.ExitOK {
			t.Errorf("%s: exit code %d: %s", test.args, code, said.String())
		}
		for _, want := range test.wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", test.args, want, out.String())
			}
		}
	}
}
