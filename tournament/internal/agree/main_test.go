package main

import (
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/tournament/result"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// ran is a run in which Main, its replica and a rival take these times, give or take one percent.
func ran(main, replica, rival float64) *result.File {
	f := &result.File{Environment: result.Environment{GOOS: "linux", GOARCH: "amd64", Date: time.Unix(0, 0)}}
	for i, name := range []string{"Main", "Main" + result.ReplicaSuffix, "Rival"} {
		row := result.Row{Category: "PingPong", Kind: result.KindLoop, Contestant: name}
		for process := range 20 {
			for round := range 8 {
				x := []float64{main, replica, rival}[i] * (1 + 0.01*float64((process*7+round*3+i*5)%5-2))
				row.Samples = append(row.Samples, result.Sample{Process: process + 1, Round: round + 1, N: 1000, NsPerOp: x, Elapsed: time.Duration(1000 * x)})
			}
		}
		f.Rows = append(f.Rows, row)
	}
	return f
}

func TestRunsThatContradictEachOtherAreNamed(t *testing.T) {
	for _, c := range []struct {
		files []*result.File
		ok    bool
		want  string
	}{
		{[]*result.File{ran(100, 100, 150), ran(100, 100, 140)}, true, "contradictions: 0"},
		{[]*result.File{ran(100, 100, 150), ran(150, 150, 100)}, false, "contradictions: 1"},
		{[]*result.File{ran(100, 100, 150), ran(100, 100, 101)}, true, "run 2: 1 of 1 decided (100 %)"},
		{[]*result.File{ran(100, 60, 150)}, false, "replica ahead in 1"},
	} {
		var out strings.Builder
		if ok, err := write(&out, c.files); err != nil || ok != c.ok || !strings.Contains(out.String(), c.want) {
			t.Errorf("%v, %v; want %q in\n%s", ok, err, c.want, &out)
		}
	}
}
