package summary_test

import (
	"math"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/report/stats"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/summary"
)

// row makes a row of samples in a category.
func row(category, contestant string, ns ...float64) result.Row {
	r := result.Row{Category: category, Kind: result.KindLoop, Contestant: contestant}
	for _, x := range ns {
		r.Samples = append(r.Samples, result.Sample{N: 1, NsPerOp: x})
	}
	return r
}

func of(t *testing.T, rows ...result.Row) summary.Category {
	t.Helper()
	categories, err := summary.Of(&result.File{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	return categories[0]
}

func TestTheSmallestFigureWins(t *testing.T) {
	c := of(t, row("A", "x", 109, 110, 111), row("A", "y", 80, 81, 79))
	if c.Winner() != "y" || c.RunnerUp != "x" || math.Abs(c.Ratio-110.0/80) > 1e-4 {
		t.Errorf("%+v", c)
	}
}

func TestWhatTheSamplesDoNotShowIsUndecidedAndWhatTheyShowToBeCloseIsEquivalent(t *testing.T) {
	for _, test := range []struct {
		x, y []float64
		want stats.Outcome
	}{
		{[]float64{100, 100, 100}, []float64{103, 103, 103}, stats.Ahead}, // steady
		{[]float64{90, 100, 110}, []float64{95, 105, 115}, stats.Ahead},   // side by side in every round
		{[]float64{90, 110, 100}, []float64{95, 105, 115}, stats.Undecided},
		{[]float64{100, 101, 500}, []float64{150, 151, 152}, stats.Undecided}, // one row not steady at all
		{[]float64{100, 100, 101, 100}, []float64{100, 101, 100, 101}, stats.Equivalent},
	} {
		if c := of(t, row("A", "x", test.x...), row("A", "y", test.y...)); c.Outcome != test.want {
			t.Errorf("%v and %v: %v, want %v", test.x, test.y, c.Outcome, test.want)
		}
	}
}

func TestALeadBelowWhatTwoEntriesOfOneProgramAreApartIsNone(t *testing.T) {
	x, y := row("A", "x", 100, 100, 100), row("A", "y", 110, 110, 110)
	if c := of(t, x, y); c.Winner() != "x" {
		t.Errorf("%+v", c)
	}
	if c := of(t, x, y, row("A", "x-Again", 115, 115, 115)); c.Winner() != "" || c.First != "x" || c.RunnerUp != "y" {
		t.Errorf("%+v", c)
	}
}

func TestRowsWithoutSamplesNeverWin(t *testing.T) {
	failed, missing := row("A", "bad"), row("A", "out")
	failed.Error, missing.NotApplicable = "lost a task", "needs timers"
	c := of(t, failed, row("A", "x", 5, 5, 5), missing)
	if c.First != "" || c.Standing("bad") != nil || c.Standings[0].Failed == "" || c.Standings[2].NotApplicable == "" {
		t.Errorf("%+v", c)
	}
}

func TestASingleSampleDecidesNothing(t *testing.T) {
	if c := of(t, row("A", "x", 5), row("A", "y", 9)); c.First != "x" || c.Winner() != "" || c.Replicates != 1 {
		t.Errorf("%+v", c)
	}
}

func TestBarsGrowWithTheFigures(t *testing.T) {
	c := of(t, row("A", "x", 100), row("A", "y", 150), row("A", "z", 1e6), row("A", "none"))
	if got := c.Spark(); got != "▁▂█·" {
		t.Error(got)
	}
}

func TestThePublishedTableHasNeitherTwinsNorBounds(t *testing.T) {
	twin := row("BurstSubmit_Exact", "Main", 60)
	twin.Kind = result.KindTwin
	f := &result.File{Rows: []result.Row{row("PingPong", "Main", 70), row("PingPong", "Baseline", 100), row("PingPong", "Channel", 60), twin}}
	var b strings.Builder
	if err := summary.WritePublished(&b, f); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "| PingPong | 70.0 | 100 | 60.0 | one sample |\n") || strings.Contains(b.String(), "Exact") || strings.Contains(b.String(), "bold") {
		t.Error(b.String())
	}
}

func TestRatiosAreShownWithTheirBounds(t *testing.T) {
	f := &result.File{Rows: []result.Row{
		row("PingPong", "Main", 70), row("PingPong", "Baseline", 100), row("PingPong", "Channel", 60),
		row("BurstSubmit", "Main", 60.2), row("BurstSubmit", "Baseline", 100),
		row("MicroWakeupSyscall_Burst", "Main", 10), row("MicroWakeupSyscall_Burst", "Baseline", 20), row("MicroWakeupSyscall_Burst", "Channel", 5),
	}}
	f.Environment.Execution = result.ExecutionEmulated
	f.Interrupted = true
	var b strings.Builder
	if err := summary.WriteRatios(&b, f); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| PingPong | 70.0 | 100 | 60.0 | 0.70 ≤ 0.70 | **1.17** > 1.05 |\n",
		"| BurstSubmit | 60.2 | 100 | – | **0.602** > 0.60 | – |\n",
		"| MicroWakeupSyscall_Burst | 10.0 | 20.0 | 5.00 | 0.50 | 2.00 |\n",
		"Not native: emulated",
		"interrupted",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
