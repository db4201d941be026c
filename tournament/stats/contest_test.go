package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// taken makes points of one sample in each process.
func taken(xs ...float64) []Point {
	out := make([]Point, len(xs))
	for i, x := range xs {
		out[i] = Point{Process: i + 1, Round: 1, X: x}
	}
	return out
}

// noisy makes points of eight slices in each process, with a middle of x.
func noisy(seed uint64, processes int, x, sd float64) []Point {
	random := rand.New(rand.NewPCG(seed, 1))
	var out []Point
	for p := range processes {
		for round := range 8 {
			out = append(out, Point{p + 1, round + 1, x * math.Exp(sd*random.NormFloat64())})
		}
	}
	return out
}

func TestARatioIsTakenWithinProcesses(t *testing.T) {
	// A machine that slows down by a factor of ten meanwhile does not reach the ratio.
	v := Rule{Categories: 1}.Compare(&Entrant{Points: taken(100, 300, 1000, 1000, 100)}, &Entrant{Points: taken(150, 450, 1500, 1500, 150)}, 1)
	near(t, "ratio", v.Ratio, 1/1.5, 1e-12)
	if v.Verdict != Ahead || v.N != 5 || v.Lo < 0.66 || v.Hi > 0.67 {
		t.Errorf("%+v", v)
	}
}

func TestProcessesAreTheReplicatesAndNotTheirSlices(t *testing.T) {
	var a, b []Point
	for process := 1; process <= 5; process++ {
		for round := 1; round <= 100; round++ {
			a = append(a, Point{process, round, 100})
			b = append(b, Point{process, round, 100 * (1 + 0.1*float64(process-3))})
		}
	}
	if v := (Rule{Categories: 1}).Compare(&Entrant{Points: a}, &Entrant{Points: b}, 1); v.N != 5 || v.Verdict != Undecided {
		t.Errorf("five hundred pairs from five processes: %+v", v)
	}
}

func TestASlowSliceOfAProcessDoesNotReachItsFigure(t *testing.T) {
	if got := math.Exp(Middle([]float64{10, 10, 900, 10, 10, 10, 0.1, 10})); math.Abs(got-10) > 1e-9 {
		t.Error(got)
	}
	if got := math.Exp(Middle([]float64{4, 9})); math.Abs(got-6) > 1e-9 {
		t.Error(got)
	}
}

func TestAComparisonEndsWithItsFirstVerdict(t *testing.T) {
	logs := slices.Repeat([]float64{-1, -1.01}, 10)
	logs = append(logs, slices.Repeat([]float64{5}, 50)...)
	if o := (Rule{Categories: 25}).Paired(logs, 5); o.Verdict != Ahead || o.N != Looks[0] {
		t.Errorf("%+v", o)
	}
}

func TestFewerProcessesThanTheFirstLookDecideNothing(t *testing.T) {
	o := Rule{Categories: 1}.Paired([]float64{-3, -3.001, -3}, 1)
	if o.Verdict != Undecided || o.Need != Looks[0] || !(o.Hi < 1) {
		t.Errorf("%+v", o)
	}
	if o := (Rule{Categories: 1}).Paired(nil, 1); o.Verdict != Undecided || !math.IsNaN(o.Ratio) || o.N != 0 {
		t.Errorf("%+v", o)
	}
	if o := (Rule{Categories: 1}).Separate([]float64{1, 1, 1}, []float64{2, 2, 2}); o.Verdict != Undecided {
		t.Errorf("%+v", o)
	}
}

func TestTheIntervalIsTheTextbooks(t *testing.T) {
	// 25 categories and 5 rivals at 10 processes: 6.35 and 7.82 standard errors.
	near(t, "upper", quantile(1.0/(600*25), 9), 6.35, 1e-3)
	near(t, "lower", quantile(1.0/(600*25*5), 9), 7.82, 1e-3)
	near(t, "t at 95 %", quantile(0.025, 4), 2.7764451051977987, 1e-12)
	near(t, "far tail", quantile(1e-12, 1e6), 7.0345, 1e-3)
}

func TestWhatIsTakenInSeparateRunsIsJudgedByTheSameRule(t *testing.T) {
	a, b := []float64{1, 1.01, 0.99, 1, 1.02, 0.98}, []float64{2, 2.01, 1.99, 2, 2.02, 1.98}
	if o := (Rule{Categories: 4}).Separate(a, b); o.Verdict != Ahead || o.N != 6 {
		t.Errorf("%+v", o)
	}
	if o := (Rule{Categories: 4}).Separate(a, a); o.Verdict != Level {
		t.Errorf("%+v", o)
	}
	if o := (Rule{Categories: 4, Level: 0.01}).Separate(a, a); o.Verdict != Undecided || o.Need <= 6 {
		t.Errorf("level within a percent from a noise of one: %+v", o)
	}
}

func TestACategoryIsAheadOnlyIfItIsAheadOfAllRivals(t *testing.T) {
	for _, c := range []struct {
		of   []Verdict
		want Verdict
	}{
		{nil, Undecided},
		{[]Verdict{Ahead, Ahead}, Ahead},
		{[]Verdict{Ahead, Level}, Level},
		{[]Verdict{Ahead, Undecided}, Undecided},
		{[]Verdict{Level, Undecided, Ahead}, Undecided},
		{[]Verdict{Undecided, Behind, Ahead}, Behind},
	} {
		if got := All(c.of); got != c.want {
			t.Errorf("%v: %v, want %v", c.of, got, c.want)
		}
	}
}

func TestVariantsAndReplicasCompeteWithNobody(t *testing.T) {
	entrants := []Entrant{
		{Name: "Main", Points: noisy(1, 7, 100, 0.05)},
		{Name: "Main-Busy", Family: "Main", Points: noisy(2, 7, 50, 0.05)},
		{Name: "Other", Points: noisy(3, 7, 300, 0.05)},
		{Name: "Third", Points: noisy(4, 7, 200, 0.05)},
		{Name: "Other-Pinned", Family: "Other", Points: noisy(5, 7, 600, 0.05)},
		{Name: "Absent"},
		{Name: "Main-Replica", Replica: true, Points: noisy(6, 7, 100, 0.05)},
	}
	c := Rule{Categories: 1}.Contest(entrants)
	if c.Subject != "Main" || c.Verdict != Ahead || len(c.Rivals) != 2 || c.Best().Name != "Third" {
		t.Errorf("%+v", c)
	}
	if len(c.Variants) != 2 || c.Variants[0].Verdict != Ahead || c.Variants[1].Verdict != Behind || math.Abs(c.Variants[1].Ratio-2) > 0.2 {
		t.Errorf("%+v", c.Variants)
	}
	if c.Replica == nil || math.Abs(c.Replica.Ratio-1) > 0.05 {
		t.Errorf("%+v", c.Replica)
	}
	if c := (Rule{}).Contest([]Entrant{{Name: "Main"}, {Name: "Other", Points: noisy(3, 7, 300, 0.05)}}); c.Verdict != Undecided || c.Rivals != nil {
		t.Errorf("a subject without figures: %+v", c)
	}
}

func TestModesGiveNoVerdictUnlessThePlainMeansAgree(t *testing.T) {
	modal := noisy(1, 20, 100, 0.05)
	for i := range modal {
		if i%4 == 0 {
			modal[i].X *= 50
		}
	}
	m, ok := ModesOf(times(modal))
	if !ok || math.Abs(m.Share-0.25) > 0.01 || m.Slow < 40*m.Fast {
		t.Errorf("%+v, %v", m, ok)
	}
	rule := Rule{Categories: 1}
	c := rule.Contest([]Entrant{{Name: "Main", Points: modal}, {Name: "Other", Points: noisy(2, 20, 200, 0.05)}})
	if text := c.String(); !strings.HasPrefix(text, "undecided against Other: Main takes ") || !strings.HasSuffix(text, " µs in 25 %") || !strings.Contains(text, " ns in 75 % of its slices, ") {
		t.Error(text)
	}
	if v := rule.Compare(&Entrant{Name: "Main", Points: modal}, &Entrant{Points: noisy(2, 20, 200, 0.05)}, 1); v.Verdict != Undecided || len(v.Modes) != 1 || v.Modes[0].Name != "Main" {
		t.Errorf("faster in the middle and slower on the whole: %+v", v)
	}
	if v := rule.Compare(&Entrant{Points: modal}, &Entrant{Points: noisy(2, 20, 9000, 0.05)}, 1); v.Verdict != Ahead || v.Modes != nil {
		t.Errorf("faster either way: %+v", v)
	}
	if _, ok := ModesOf(times(noisy(3, 20, 100, 0.3))); ok {
		t.Error("noise has modes")
	}
}

func TestAReplicaThatIsPreferredFailsTheControl(t *testing.T) {
	if v, ok := Control([]float64{1.02, 0.98, 1.01, 0.99, 1.00}); !ok || v.Lo > 1 || v.Hi < 1 {
		t.Errorf("%+v", v)
	}
	if v, ok := Control([]float64{0.91, 0.90, 0.92, 0.91, 0.90}); ok {
		t.Errorf("%+v", v)
	}
	if _, ok := Control(nil); !ok {
		t.Error("no replica fails")
	}
}
