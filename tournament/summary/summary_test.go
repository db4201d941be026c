package summary_test

import (
	"math"
	"strings"
	"testing"

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

func of(rows ...result.Row) summary.Category {
	return summary.Of(&result.File{Rows: rows})[0]
}

func TestTheSmallestMedianWins(t *testing.T) {
	c := of(row("A", "x", 110, 100, 112), row("A", "y", 80, 81, 79))
	if c.Winner != "y" || c.RunnerUp != "x" || c.Level || math.Abs(c.Margin-30.0/80) > 1e-9 {
		t.Errorf("%+v", c)
	}
}

func TestAMarginWithinTheSpreadsIsLevel(t *testing.T) {
	for _, test := range []struct {
		x, y  []float64
		level bool
	}{
		{[]float64{100, 100, 100}, []float64{101, 101, 101}, true},   // too little to claim anything
		{[]float64{100, 100, 100}, []float64{103, 103, 103}, false},  // steady
		{[]float64{90, 100, 110}, []float64{95, 105, 115}, true},     // not steady
		{[]float64{100, 101, 500}, []float64{150, 151, 152}, true},   // one row not steady at all
		{[]float64{99, 100, 101}, []float64{120, 120.5, 121}, false}, //
	} {
		c := of(row("A", "x", test.x...), row("A", "y", test.y...))
		if c.Level != test.level {
			t.Errorf("%v and %v: level %v, margin %v, spreads %v %v", test.x, test.y, c.Level, c.Margin, c.Standings[0].Spread, c.Standings[1].Spread)
		}
	}
}

func TestRowsWithoutSamplesNeverWin(t *testing.T) {
	failed, missing := row("A", "bad"), row("A", "out")
	failed.Error, missing.NotApplicable = "lost a task", "needs timers"
	c := of(failed, row("A", "x", 5, 5, 5), missing)
	if c.Winner != "" || c.Standing("bad") != nil || c.Standings[0].Failed == "" || c.Standings[2].NotApplicable == "" {
		t.Errorf("%+v", c)
	}
}

func TestFewSamplesMakeTheWinnerUnsure(t *testing.T) {
	if c := of(row("A", "x", 5), row("A", "y", 9)); c.Winner != "x" || !c.Unsure() {
		t.Errorf("%+v", c)
	}
	if c := of(row("A", "x", 5, 5, 5), row("A", "y", 9, 9, 9)); c.Unsure() {
		t.Errorf("%+v", c)
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
	if !strings.Contains(b.String(), "| PingPong | 70.0 | 100 | 60.0 | 0.70 | 1.17 |\n") || strings.Contains(b.String(), "Exact") || strings.Contains(b.String(), "bold") {
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
