package findings

import (
	"fmt"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// crowded is a run of a category under two conditions. Each figure is what the samples of a contestant are about.
func crowded(t *testing.T, kind result.Kind, category string, idle, busy map[string][]float64) *Analysis {
	t.Helper()
	f := &result.File{Environment: result.Environment{GOOS: "linux", GOARCH: "amd64"}}
	add := func(name string, figures map[string][]float64) {
		for contestant, values := range figures {
			r := result.Row{Category: name, Kind: kind, Contestant: contestant}
			for i, v := range values {
				r.Samples = append(r.Samples, result.Sample{Process: i + 1, Round: 1, N: 100, NsPerOp: v, Metrics: map[string]float64{"p99-ns": 2 * v, "p50-ns": v / 2}})
			}
			f.Rows = append(f.Rows, r)
		}
	}
	under := "none"
	if kind == result.KindLoad {
		add(category, idle)
	} else {
		add(category+"/computing="+under, idle)
	}
	add(category+"/computing=2P", busy)
	in, err := parse.From(f)
	if err != nil {
		t.Fatal(err)
	}
	return Analyse(group.Match(in), Options{})
}

func about(level float64) []float64 {
	return []float64{level, 1.1 * level, 0.9 * level, 1.05 * level, 0.97 * level}
}

func TestAContestantCollapsesWhenItsRatioToTheReferenceChangesTenfold(t *testing.T) {
	idle := map[string][]float64{"Main": about(700), "Channel": about(600), "Baseline": about(900)}
	// Round trips measured beside computing goroutines: one loop waits for time slices, the others do not.
	busy := map[string][]float64{"Main": about(26e6), "Channel": about(650), "Baseline": about(1000)}
	for _, kind := range []result.Kind{result.KindBusy, result.KindLoad} {
		category := "BusyRoundTrip"
		if kind == result.KindLoad {
			category = "Load/cost=0us/rate=1k"
		}
		fs := of(crowded(t, kind, category, idle, busy), Collapse)
		if len(fs) != 2 || fs[0].Subject != "Main" || fs[1].Subject != "Main" {
			t.Errorf("%s: %v", kind, fs)
		}
	}
}

func TestASlowMachineIsNoCollapse(t *testing.T) {
	idle := map[string][]float64{"Main": about(700), "Channel": about(600), "AlternateThree": about(48_000)}
	for name, busy := range map[string]map[string][]float64{
		"the run against itself":                    idle,
		"all are as much slower":                    {"Main": about(700e3), "Channel": about(600e3), "AlternateThree": about(48e6)},
		"slower by less than ten times":             {"Main": about(6000), "Channel": about(600), "AlternateThree": about(200_000)},
		"one sample of five met a time slice":       {"Main": {700, 720, 20e6, 690, 710}, "Channel": about(600), "AlternateThree": about(48_000)},
		"the reference has nothing to compare with": {"Main": about(26e6)},
		"one process each":                          {"Main": {26e6}, "Channel": {600}},
	} {
		if fs := of(crowded(t, result.KindBusy, "BusyRoundTrip", idle, busy), Collapse); len(fs) > 0 {
			t.Errorf("%s: %v", name, fs)
		}
	}
	again := map[string][]float64{"Main": about(26e6), "Main-Again": about(700), "Channel": about(600)}
	idle["Main-Again"] = about(705)
	if fs := of(crowded(t, result.KindBusy, "BusyRoundTrip", idle, again), Collapse); len(fs) > 0 {
		t.Errorf("the replica differs as much: %v", fs)
	}
}

func TestACollapseSaysByHowMuch(t *testing.T) {
	a := crowded(t, result.KindBusy, "BusyThroughput/producers=1", map[string][]float64{"Main": about(36), "Channel": about(200)}, map[string][]float64{"Main": about(50_000), "Channel": about(220)})
	fs := of(a, Collapse)
	if len(fs) == 0 {
		t.Fatal("nothing found")
	}
	change := fs[0].Evidence[4]
	if want := 50_000.0 / 220 / (36.0 / 200); change.Value < 0.99*want || change.Value > 1.01*want {
		t.Error(fmt.Sprint(change))
	}
}
