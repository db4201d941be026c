package stats

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The rule is played here on ratios that are known: how often it errs, and how many processes it takes to see a ratio. The benchmarks
// print the table that docs/tournament.md has; every case has a seed, so that it comes out the same.
//
//	go test -run - -bench Rule -benchtime 1x ./tournament/stats

// The table that is played: as many categories and rivals as a run has.
const (
	simCategories = 25
	simRivals     = 5
	simSlices     = 8
)

// measuredNoise has, for each category, the figures of processes of a machine with two cores: a row for each process, with the mean
// logarithm of the middle half of eight slices of Main, its replica, and the rivals.
//
//go:embed testdata/noise.json
var measuredNoise []byte

// modal are the categories that have modes: [ModesOf] takes them out of the rule's hands.
var modal = []string{"GCPressure", "MicroBatchBudget_Continuous"}

// A noise draws the figures of one process, one for the subject and one for each rival, without their true ratio.
type noise struct {
	name string
	draw func(s *simulation, category int, figures []float64)
}

// A simulation is the state of one run of a tournament.
type simulation struct {
	*rand.Rand
	pools   [][][]float64
	process int
	drift   float64 // of the machine, in logarithms
	slices  []float64
}

// sliced draws every slice: noise of its own, and what a process draws once for each contestant.
func sliced(count int, slice, process float64, of func(s *simulation) float64) func(*simulation, int, []float64) {
	return func(s *simulation, _ int, figures []float64) {
		for i := range figures {
			own := process * s.NormFloat64()
			for k := range count {
				s.slices[k] = math.Exp(own + slice*of(s))
			}
			figures[i] = Middle(s.slices[:count])
		}
	}
}

func normal(s *simulation) float64 { return s.NormFloat64() }

// heavy is t distributed with three degrees of freedom, with the deviation 1; three slices in a hundred take three times as long.
func heavy(s *simulation) float64 {
	chi := 0.0
	for range 3 {
		x := s.NormFloat64()
		chi += x * x
	}
	x := s.NormFloat64() / math.Sqrt(chi)
	if s.Float64() < 0.03 {
		x += math.Log(3) / 0.4
	}
	return x
}

// drifting draws slices of a machine whose speed walks from process to process, and changes by up to a half within each. Contestants
// take turns, so that it reaches all of them, and the subject by the given share more than its rivals.
func drifting(unequal float64) func(*simulation, int, []float64) {
	return func(s *simulation, category int, figures []float64) {
		if category == 0 {
			s.drift = 0.9*s.drift + 0.13*s.NormFloat64()
		}
		slope := (s.Float64() - 0.5) * 0.8
		turns := make([][]float64, len(figures))
		for round := range simSlices {
			for turn, i := range s.Perm(len(figures)) {
				at := (float64(round) + float64(turn)/float64(len(figures))) / simSlices
				x := s.drift + slope*at
				if i == 0 {
					x *= 1 + unequal
				}
				turns[i] = append(turns[i], math.Exp(x+0.4*s.NormFloat64()))
			}
		}
		for i := range figures {
			figures[i] = Middle(turns[i]) + 0.06*s.NormFloat64()
		}
	}
}

// measured draws a whole process out of those that were measured, with some jitter, for they are few.
func measured(s *simulation, category int, figures []float64) {
	const jitter = 0.35
	pool := s.pools[category%len(s.pools)]
	row := pool[s.IntN(len(pool)-1)] // the last has the deviations
	sd := pool[len(pool)-1]
	correct := math.Sqrt(float64(len(pool)-1) / float64(len(pool)-2) / (1 + jitter*jitter))
	for i := range figures {
		k := 0
		if i > 0 {
			k = 1 + (i-1)%(len(row)-1)
		}
		figures[i] = (row[k] + jitter*sd[k]*s.NormFloat64()) * correct
	}
}

// pools reads the measured figures: without modes and replicas, less the means.
func pools(tb testing.TB) (out [][][]float64) {
	var all map[string][][]float64
	if err := json.Unmarshal(measuredNoise, &all); err != nil {
		tb.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(modal, name) {
			continue
		}
		rows := all[name]
		var sd []float64
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 1, 2)
		}
		for k := range rows[0] {
			column := make([]float64, len(rows))
			for i := range rows {
				column[i] = rows[i][k]
			}
			c := Summarize(column)
			for i := range rows {
				rows[i][k] -= c.Mean
			}
			sd = append(sd, c.StdDev)
		}
		out = append(out, append(rows, sd))
	}
	return out
}

var noises = []noise{
	{"normal=.1", sliced(simSlices, 0.1, 0.03, normal)},
	{"normal=.2", sliced(simSlices, 0.2, 0.06, normal)},
	{"normal=.4", sliced(simSlices, 0.4, 0.06, normal)},
	{"normal=.4,slices=4", sliced(4, 0.4, 0.06, normal)}, // as many as there are of long ones
	{"processes=.3", sliced(simSlices, 0.4, 0.3, normal)},
	{"heavy-tails=.4", sliced(simSlices, 0.4, 0.06, heavy)},
	{"drift-within-a-run", drifting(0)},
	{"measured", measured},
}

// A truth is what the logarithms of the ratios of a category truly are.
type truth struct {
	name  string
	logs  []float64
	wrong func(Verdict) bool
}

// one has one rival at a ratio and the others at twice the time.
func one(ratio float64) []float64 {
	logs := slices.Repeat([]float64{-math.Ln2}, simRivals)
	logs[0] = math.Log(ratio)
	return logs
}

func all(ratio float64) []float64 { return slices.Repeat([]float64{math.Log(ratio)}, simRivals) }

// nulls are truths on the edge of a verdict, where the rule errs most.
var nulls = []truth{
	{"one-equal", one(1), func(v Verdict) bool { return v == Ahead || v == Behind }},
	{"all-equal", all(1), func(v Verdict) bool { return v == Ahead || v == Behind }},
	{"one-at-1.10", one(1 + DefaultLevel), func(v Verdict) bool { return v == Ahead || v == Level }},
	{"all-at-1÷1.10", all(1 / (1 + DefaultLevel)), func(v Verdict) bool { return v == Behind || v == Level }},
}

// play runs one tournament in which the truth is the same in all categories, and returns the verdicts and the processes it took to
// come to them.
func play(seed uint64, ps [][][]float64, n noise, logs []float64, categories, most int) (verdicts []Verdict, processes []int) {
	s := &simulation{Rand: rand.New(rand.NewPCG(seed, 21)), pools: ps, slices: make([]float64, simSlices)}
	rule := Rule{Categories: simCategories}
	ys := make([][][]float64, categories)
	found := make([][]Verdict, categories)
	verdicts, processes = make([]Verdict, categories), make([]int, categories)
	for c := range ys {
		ys[c], found[c] = make([][]float64, len(logs)), make([]Verdict, len(logs))
	}
	figures := make([]float64, 1+len(logs))
	for s.process = 1; s.process <= most; s.process++ {
		open := false
		for c := range ys {
			if verdicts[c] != Undecided {
				continue
			}
			n.draw(s, c, figures)
			for r, log := range logs {
				if found[c][r] != Undecided {
					continue
				}
				ys[c][r] = append(ys[c][r], figures[0]-figures[1+r]+log)
				if Looked(s.process) {
					found[c][r] = rule.look(ys[c][r], len(logs)).Verdict
				}
			}
			verdicts[c], processes[c] = All(found[c]), s.process
			open = open || verdicts[c] == Undecided
		}
		if !open {
			break
		}
	}
	return verdicts, processes
}

// errs returns the share of runs with a wrong verdict, and the share of categories that were decided.
func errs(ps [][][]float64, n noise, t truth, runs int, seed uint64) (wrong, decided float64) {
	for i := range runs {
		verdicts, _ := play(seed+uint64(i), ps, n, t.logs, simCategories, Looks[len(Looks)-1])
		if slices.ContainsFunc(verdicts, t.wrong) {
			wrong++
		}
		for _, v := range verdicts {
			if v != Undecided {
				decided += 1.0 / simCategories
			}
		}
	}
	return wrong / float64(runs), decided / float64(runs)
}

// A run is in error if one of its 25 verdicts is.
func BenchmarkRuleError(b *testing.B) {
	const runs = 200
	ps := pools(b)
	for _, n := range noises {
		for _, t := range nulls {
			b.Run(fmt.Sprintf("noise=%s/truth=%s", n.name, t.name), func(b *testing.B) {
				for b.Loop() {
					wrong, decided := errs(ps, n, t, runs, 1_000_000)
					b.ReportMetric(100*wrong, "%runs-in-error")
					b.ReportMetric(100*decided, "%decided")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// A machine whose drift reaches one contestant a tenth more than another has no one ratio. The rule is not made for it.
func BenchmarkRuleErrorUnequalDrift(b *testing.B) {
	for _, unequal := range []float64{0.02, 0.10} {
		b.Run(fmt.Sprintf("more=%.0f%%", 100*unequal), func(b *testing.B) {
			for b.Loop() {
				wrong, _ := errs(nil, noise{"", drifting(unequal)}, nulls[0], 100, 2_000_000)
				b.ReportMetric(100*wrong, "%runs-in-error")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// compared judges two runs of the same number of processes, between which the machine has become faster or slower, and in which it
// drifts: each change is measured against that of the other contestants, as reports do. It returns the share of comparisons with a
// wrong verdict in any category, and the share of categories with the right one.
func compared(seed uint64, ratio float64, processes, runs int) (wrong, right float64) {
	want := Undecided
	if ratio > 1+DefaultLevel/2 {
		want = Behind
	}
	for i := range runs {
		s := &simulation{Rand: rand.New(rand.NewPCG(seed+uint64(i), 22))}
		rule := Rule{Categories: simCategories, Level: 0.05}
		draw := drifting(0)
		erred := false
		var then, now [simCategories][1 + simRivals][]Point
		for run, points := range []*[simCategories][1 + simRivals][]Point{&then, &now} {
			speed := 0.3 * s.NormFloat64() // of the machine in this run, to all alike
			s.drift = 0
			figures := make([]float64, 1+simRivals)
			for process := 1; process <= processes; process++ {
				for c := range points {
					draw(s, c, figures)
					for k, x := range figures {
						if x += speed; k == 0 && run == 1 {
							x += math.Log(ratio)
						}
						points[c][k] = append(points[c][k], Point{Process: process, Round: 1, X: math.Exp(x)})
					}
				}
			}
		}
		for c := range then {
			var levels []float64
			for _, o := range then[c][1:] {
				levels = append(levels, math.Log(Figure(o)))
			}
			v := rule.Separate(Relative(now[c][0], now[c][1:], levels), Relative(then[c][0], then[c][1:], levels)).Verdict
			if v == Ahead || v == Behind && want != Behind {
				erred = true
			}
			if v == want {
				right += 1.0 / simCategories
			}
		}
		if erred {
			wrong++
		}
	}
	return wrong / float64(runs), right / float64(runs)
}

// A machine drifts between two runs as well as within each. A comparison is in error if one of its 25 verdicts is.
func BenchmarkRuleErrorDriftBetweenRuns(b *testing.B) {
	for _, processes := range []int{20, 80} {
		for _, ratio := range []float64{1, 1.10} {
			b.Run(fmt.Sprintf("processes=%d/ratio=%.2f", processes, ratio), func(b *testing.B) {
				for b.Loop() {
					wrong, right := compared(4_000_000, ratio, processes, 200)
					b.ReportMetric(100*wrong, "%runs-in-error")
					if ratio > 1 {
						b.ReportMetric(100*right, "%found")
					}
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// The processes it takes until the right verdict is there, for one rival near and four at twice the time.
func BenchmarkRulePower(b *testing.B) {
	const categories = 600
	ps := pools(b)
	for _, n := range noises {
		for _, ratio := range []float64{1, 1.05, 1.10, 1.25, 1.5, 2} {
			b.Run(fmt.Sprintf("noise=%s/ratio=%.2f", n.name, ratio), func(b *testing.B) {
				want := Behind
				if ratio < 1+DefaultLevel {
					want = Level
				}
				for b.Loop() {
					verdicts, processes := play(3_000_000, ps, n, one(ratio), categories, Looks[len(Looks)-1])
					var took []int
					for c, v := range verdicts {
						if v == want {
							took = append(took, processes[c])
						}
					}
					slices.Sort(took)
					within := func(most int) float64 {
						at, _ := slices.BinarySearch(took, most+1)
						return 100 * float64(at) / categories
					}
					for _, most := range []int{5, 10, 20, 40, 80, 226} {
						b.ReportMetric(within(most), fmt.Sprintf("%%right-by-%03d", most))
					}
					if len(took) > 0 {
						b.ReportMetric(float64(took[len(took)/2]), "processes")
					}
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func TestARunIsHardlyEverInError(t *testing.T) {
	ps := pools(t)
	const runs = 20
	for _, n := range noises[3:] {
		for _, tr := range nulls[:1] {
			// One run in twenty, and three standard errors.
			if wrong, _ := errs(ps, n, tr, runs, 7); wrong > 0.05+3*math.Sqrt(0.05*0.95/runs) {
				t.Errorf("noise %s, truth %s: %.1f %% of runs are in error", n.name, tr.name, 100*wrong)
			}
		}
	}
}

func TestDriftBetweenRunsIsNoChange(t *testing.T) {
	const runs = 20
	if wrong, _ := compared(5, 1, 20, runs); wrong > 0.05+3*math.Sqrt(0.05*0.95/runs) {
		t.Errorf("%.0f %% of comparisons of a program with itself are in error", 100*wrong)
	}
	if wrong, right := compared(5, 1.5, 20, 1); wrong > 0 || right < 0.9 {
		t.Errorf("a change by a half is found in %.0f %% of the categories, with errors in %.0f %%", 100*right, 100*wrong)
	}
}

func TestTheRuleSeesWhatIsThere(t *testing.T) {
	ps := pools(t)
	for _, c := range []struct {
		ratio  float64
		want   Verdict
		within int
	}{{0.5, Ahead, 14}, {1, Level, 113}, {1.25, Behind, 40}, {2, Behind, 14}} {
		verdicts, _ := play(1, ps, noises[len(noises)-1], one(c.ratio), 100, c.within)
		right := 0
		for _, v := range verdicts {
			if v == c.want {
				right++
			}
		}
		if right < 75 {
			t.Errorf("ratio %.2f: %d of 100 categories are %v after %d processes", c.ratio, right, c.want, c.within)
		}
	}
}
