package stats

import (
	"math"
	"math/rand/v2"
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

func TestARatioIsTheMeanOfTheRatiosWithinRounds(t *testing.T) {
	// A machine that slows down by a factor of ten meanwhile does not reach the ratio.
	c := Compared(taken(100, 300, 1000), taken(150, 450, 1500))
	near(t, "ratio", c.Ratio, 1.5, 1e-12)
	if c.Lo < 1.49 || c.Hi > 1.51 || c.N != 3 {
		t.Errorf("%+v", c)
	}
	near(t, "ratio of figures", Figure(taken(150, 450, 1500))/Figure(taken(100, 300, 1000)), c.Ratio, 1e-12)
	// The same figures in another order are no pairs.
	if c := Compared(taken(100, 300, 1000), taken(450, 1500, 150)); c.Lo > 1 || c.Hi < 1 {
		t.Errorf("%+v", c)
	}
}

func TestProcessesAreTheReplicatesAndNotTheirRounds(t *testing.T) {
	var a, b []Point
	for process := 1; process <= 3; process++ {
		for round := 1; round <= 100; round++ {
			a = append(a, Point{process, round, 100})
			b = append(b, Point{process, round, 100 * (1 + 0.1*float64(process-2))}) // 90, 100, 110
		}
	}
	if c := Compared(a, b); c.N != 3 || c.P < 0.5 {
		t.Errorf("three hundred pairs from three processes: %+v", c)
	}
	if c := Compared(a[:100], b[:100]); c.N != 100 || c.P != 0 {
		t.Errorf("a hundred rounds of one process: %+v", c)
	}
}

func TestWhatWasNotTakenTogetherIsNotPaired(t *testing.T) {
	unknown := func(xs ...float64) []Point {
		ps := taken(xs...)
		for i := range ps {
			ps[i] = Point{Round: i + 1, X: xs[i]}
		}
		return ps
	}
	c := Compared(unknown(100, 110, 120, 130), unknown(105, 115, 125, 135))
	if d := Between(Clusters(taken(100, 110, 120, 130)), Clusters(taken(105, 115, 125, 135))); c.P != d.P || c.P < 0.3 {
		t.Errorf("%+v, %+v", c, d)
	}
}

func TestAContrastHasTheTextbookFigures(t *testing.T) {
	// Differences of logarithms 0.1, 0.2, 0.3: t = 0.2/(0.1/√3) = 3.4641 at two degrees of freedom, p = 0.0742.
	c := Compared(taken(1, 1, 1), taken(math.Exp(0.1), math.Exp(0.2), math.Exp(0.3)))
	near(t, "p", c.P, 0.07418, 1e-3)
	near(t, "lo", math.Log(c.Lo), 0.2-4.30265*0.1/math.Sqrt(3), 1e-4)
}

func TestTwoOneSidedTestsShowEquivalence(t *testing.T) {
	close := Compared(taken(100, 101, 99, 100, 100), taken(101, 100, 100, 101, 100))
	if close.PEqual > 0.01 {
		t.Errorf("%+v", close)
	}
	wide := Compared(taken(100, 130, 80, 100, 120), taken(101, 90, 110, 125, 95))
	if wide.PEqual < 0.2 || wide.P < 0.2 {
		t.Errorf("noise shows neither a difference nor equivalence: %+v", wide)
	}
	if apart := Compared(taken(100, 101, 99), taken(110, 111, 109)); apart.PEqual < 0.9 {
		t.Errorf("%+v", apart)
	}
}

func TestOneSampleSaysNothing(t *testing.T) {
	c := Compared(taken(100), taken(900))
	if !math.IsNaN(c.P) || !math.IsNaN(c.PEqual) || !math.IsNaN(c.Lo) || math.Abs(c.Ratio-9) > 1e-9 {
		t.Errorf("%+v", c)
	}
	contest := &Contest{Against: []Contrast{c}}
	Judge([]*Contest{contest}, Alpha)
	if contest.Outcome != Undecided {
		t.Error(contest.Outcome)
	}
}

func TestVerdictsAreCorrectedForTheCategoriesShownTogether(t *testing.T) {
	lead := func() *Contest {
		return &Contest{Against: []Contrast{Compared(taken(100, 104, 98, 101, 99), taken(105, 106, 104, 103, 107))}}
	}
	one := lead()
	Judge([]*Contest{one}, Alpha)
	if one.Outcome != Ahead {
		t.Fatalf("%v, p = %v", one.Outcome, one.Against[0].P)
	}
	many := make([]*Contest, 40)
	for i := range many {
		many[i] = lead()
	}
	Judge(many, Alpha)
	for _, c := range many {
		if c.Outcome == Ahead {
			t.Fatal("forty categories with p = .01 each have forty winners")
		}
	}
}

// Equal programs are told apart in less than one tournament of twenty categories in twenty, with noise as on a machine
// that has outliers.
func TestEqualProgramsAreHardlyEverToldApart(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	noise := func() float64 {
		x := 0.03 * random.NormFloat64()
		if random.Float64() < 0.1 {
			x += 0.2
		}
		return 100 * math.Exp(x)
	}
	const tournaments, categories, processes = 200, 20, 5
	wrong := 0
	for range tournaments {
		contests := make([]*Contest, categories)
		for i := range contests {
			var a, b []Point
			for p := range processes {
				a, b = append(a, Point{p + 1, 1, noise()}), append(b, Point{p + 1, 1, noise()})
			}
			if Figure(a) > Figure(b) {
				a, b = b, a
			}
			contests[i] = &Contest{Against: []Contrast{Compared(a, b)}}
		}
		Judge(contests, Alpha)
		for _, c := range contests {
			if c.Outcome == Ahead {
				wrong++
				break
			}
		}
	}
	if wrong > tournaments/20 {
		t.Errorf("%d of %d tournaments have a winner among equals", wrong, tournaments)
	}
}

func TestTheNoiseFloorIsThatOfTheMiddleAndOfTheCategoryItself(t *testing.T) {
	each, others, known := Floors([]float64{1.01, 0.99, 1.01, 1.5, 1 / 1.01})
	if !known || math.Abs(others-math.Expm1(2.906*math.Log(1.01))) > 1e-3 || math.Abs(each[3]-0.5) > 1e-9 || each[0] != others {
		t.Errorf("%v, %v", each, others)
	}
	if _, _, known := Floors(nil); known {
		t.Error("a floor from nothing")
	}
}

func TestTheExcessOverTheBestIsNeverBelowOne(t *testing.T) {
	g := Excess([]float64{1, 1, 1, 1.2, 48})
	if g.Lo < 1 || g.Hi < g.Center || g.Center < 1 {
		t.Errorf("%+v", g)
	}
}
