package findings

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/report/group"
	"github.com/eventloop-go/eventloop/tournament/report/parse"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// slower multiplies the times of a category, of one contestant or of all.
func slower(category, contestant string, by float64) func(*result.File) {
	return rows(category, contestant, func(_ *result.Row, s *result.Sample, _ int) { s.NsPerOp *= by })
}

// both makes changes one after the other.
func both(changes ...func(*result.File)) func(*result.File) {
	return func(f *result.File) {
		for _, change := range changes {
			change(f)
		}
	}
}

// entered adds a replica of Main, which takes so many times as long.
func entered(by float64) func(*result.File) {
	return func(f *result.File) {
		for i, r := range slices.Clone(f.Rows) {
			if r.Contestant != "Main" {
				continue
			}
			r.Contestant += result.ReplicaSuffix
			r.Samples = slices.Clone(r.Samples)
			for k := range r.Samples {
				r.Samples[k].NsPerOp *= by * []float64{0.99, 1.01}[i%2]
			}
			f.Rows = append(f.Rows, r)
		}
	}
}

// lasting gives each sample a number of slices, the later ones slower by a factor.
func lasting(slow int, by float64) func(*result.File) {
	return func(f *result.File) {
		r := &f.Rows[0]
		first := r.Samples[0]
		r.Samples = nil
		for i := range 40 {
			s := first
			s.Process, s.Round = 1+i/8, 1+i%8
			s.NsPerOp = 100 + float64(i%7)
			if i%8 >= 8-slow {
				s.NsPerOp *= by
			}
			r.Samples = append(r.Samples, s)
		}
	}
}

// Each rule has a case where it has to find something, and one like it where there is nothing to find. None of the data is what a rule
// was made on: figures are drawn, and committed runs of other tests deal the samples of one program out to several names.
func TestEachRuleHasATrueAndAFalseCase(t *testing.T) {
	order := map[string]float64{"Main": 1, "AlternateOne": 1.6, "Baseline": 2.4}
	factors := []float64{1, 1.6, 2.4, 1.9, 1.2}
	random := func() *rand.Rand { return rand.New(rand.NewPCG(3, 1)) }
	change := func(c func(*result.File)) func() *Analysis { return func() *Analysis { return made(t, c) } }
	lines := func(ls ...line) func() *Analysis {
		return func() *Analysis { return analyse(Options{}, input(t, "x", "execution: native\n", ls...)) }
	}
	since := func(ns float64) func() *Analysis {
		return func() *Analysis {
			return analyse(Options{Earlier: true}, input(t, "then", "", line{"Submit", 100, 0.01, 0, 0}), input(t, "now", "", line{"Submit", ns, 0.01, 0, 0}))
		}
	}
	on := func(cpu string) func() *Analysis {
		machine := func(name string) *parse.Input {
			in, err := parse.From(&result.File{Environment: result.Environment{GOOS: "linux", GOARCH: "arm64", GOMAXPROCS: 4, GoVersion: "go1.26", CPU: name}, Protocol: result.Protocol{Benchtime: time.Second},
				Rows: five("PingPong", 100, factors, 5, 0.1, random())})
			if err != nil {
				t.Fatal(err)
			}
			return in
		}
		return func() *Analysis { return analyse(Options{}, machine("M1"), machine(cpu)) }
	}
	checked := func(status result.Status) func() *Analysis {
		return func() *Analysis {
			in := input(t, "x", "", line{"Submit", 100, 0.01, 0, 0})
			in.Checks = []result.Check{{Suite: "MemoryLeak", Contestant: "Channel", Status: status}}
			return analyse(Options{}, in)
		}
	}
	crowd := func(ns float64) func() *Analysis {
		return func() *Analysis {
			return crowded(t, result.KindBusy, "BusyRoundTrip", map[string][]float64{"Poller": about(2000), "Channel": about(500)}, map[string][]float64{"Poller": about(ns), "Channel": about(600)})
		}
	}
	waiting := func(ns float64) func(*result.File) {
		return rows("Batch", "", func(r *result.Row, s *result.Sample, _ int) {
			var burst float64
			fmt.Sscanf(r.Category, "Batch/Burst=%f", &burst)
			s.NsPerOp += ns / burst
		})
	}
	timers := func(names ...string) func(*result.File) {
		return func(f *result.File) {
			for _, n := range names {
				f.Rows = append(f.Rows, result.Row{Category: "Cancel/timers_" + n, Kind: result.KindComponent, Contestant: "Main", Samples: f.Rows[0].Samples})
			}
		}
	}
	many := func(last float64) func() *Analysis {
		var ls []line
		for i := range 15 {
			ls = append(ls, line{fmt.Sprintf("Row%c", 'A'+i), 100, 0.01, 0, 0})
		}
		return lines(append(ls, line{"Last", last, 0.01, 0, 0})...)
	}
	doubledRow := func(lacking bool) func(*result.File) {
		return func(f *result.File) {
			wrong := slices.IndexFunc(f.Rows, func(r result.Row) bool { return r.Category == "BurstSubmit" && r.Contestant == "Baseline" })
			more := f.Rows[wrong]
			f.Rows[wrong-1].Samples = append(f.Rows[wrong-1].Samples, more.Samples...)
			if lacking {
				f.Rows = slices.Delete(f.Rows, wrong, wrong+1)
			}
			for _, name := range []string{"Main", "AlternateOne", "Baseline"} { // a kind needs four categories
				r := more
				r.Category, r.Contestant, r.Samples = "GCPressure", name, slices.Clone(more.Samples)
				f.Rows = append(f.Rows, r)
			}
		}
	}
	zeroed := func(most int) func(*result.File) {
		return rows("MultiProducer", "", func(_ *result.Row, s *result.Sample, i int) {
			if i < most {
				s.Metrics["done/op"] = 0
			}
		})
	}
	memory := func(bytes, allocs float64) func() *Analysis {
		return change(rows("BurstSubmit", "Main", func(_ *result.Row, s *result.Sample, _ int) { s.BytesPerOp, s.AllocsPerOp = bytes, allocs }))
	}
	converged := func(spread float64) func() *Analysis {
		return change(rows("BurstSubmit", "", func(r *result.Row, s *result.Sample, _ int) {
			s.NsPerOp = 9000 * s.NsPerOp / (55 * order[r.Contestant]) * (1 - spread + spread*order[r.Contestant])
		}))
	}
	cases := []struct {
		kind    Kind
		subject string
		yes, no func() *Analysis
	}{
		{Confound, "processor", on("M2"), on("M1")},
		{FailedCheck, "Channel", checked(result.Fail), checked(result.Skip)},
		{Collapse, "Poller", crowd(300_000), crowd(15_000)},
		{Regression, "BenchmarkSubmit", since(130), since(103)},
		{Improvement, "BenchmarkSubmit", since(70), since(97)},
		{TooGood, "BenchmarkPromise", lines(line{"Promise", 0.02, 0.01, 0, 0}), lines(line{"Promise", 0.4, 0.01, 0, 0})},
		{TooGood, "BenchmarkLatencyLoad", lines(line{"LatencyDirectCall", 0.9, 0.001, 0, 0}, line{"LatencyLoad", 0.5, 0.001, 0, 0}), lines(line{"LatencyDirectCall", 0.9, 0.001, 0, 0}, line{"LatencyLoad", 1.1, 0.001, 0, 0})},
		{TooGood, "BenchmarkFanOut_100/PromiseAltOne",
			lines(line{"FanOut_100/PromiseAltOne", 900, 0.01, 0, 0}, line{"FanOut_100/PromiseAltTwo", 9000, 0.01, 800, 50}, line{"FanOut_100/ChainedPromise", 8000, 0.01, 900, 60}),
			lines(line{"FanOut_100/PromiseAltOne", 900, 0.01, 0, 0}, line{"FanOut_100/PromiseAltTwo", 9000, 0.01, 80, 5}, line{"FanOut_100/ChainedPromise", 8000, 0.01, 90, 6})},
		{Convergence, "BurstSubmit", converged(0.02), converged(0.2)},
		{TwinDisagreement, "PingPong", change(slower("PingPong_Exact", "", 3)), change(slower("PingPong_Exact", "", 1.5))},
		{TwinDisagreement, "PingPong", change(slower("PingPong_Exact", "Main", 1.9)), change(slower("PingPong_Exact", "Main", 1.2))},
		{Wait, "Batch", change(waiting(60_000)), change(waiting(2000))},
		{Duplicates, "MultiProducer",
			func() *Analysis {
				return fileOf(t, five("BurstSubmit", 80, factors, 20, 0.1, random()), five("MultiProducer", 80, factors, 20, 0.1, rand.New(rand.NewPCG(4, 1))))
			},
			func() *Analysis {
				return fileOf(t, five("BurstSubmit", 80, factors, 20, 0.1, random()), five("MultiProducer", 80, []float64{1, 2.1, 2.4, 1.9, 0.9}, 20, 0.1, rand.New(rand.NewPCG(4, 1))))
			}},
		{ControlFailed, "linux/amd64", change(entered(0.8)), change(entered(1))},
		{NothingHappened, "MultiProducer", change(zeroed(5)), change(zeroed(4))},
		{NothingHappened, "linux/amd64", change(both(zeroed(5), rows("BurstSubmit", "", func(_ *result.Row, s *result.Sample, _ int) { s.Metrics["done/op"] = 0 }))), change(nil)},
		{Modes, "linux/amd64", change(lasting(3, 40)), change(lasting(1, 40))},
		{Mislabelled, "BurstSubmit", change(doubledRow(true)), change(doubledRow(false))},
		{Garbled, "linux/amd64", change(timers("1", "5", ";")), change(timers("1", "5", "X"))},
		{InverseScale, "Main", lines(sweep("Main", 60, 50, 48, 70, 72)...), lines(sweep("Main", 60, 50, 48, 52, 55)...)},
		{MemoryGrowth, "linux/amd64", memory(40, 0.01), memory(2, 0)},
		{MemoryGrowth, "linux/amd64", memory(60, 1), memory(30, 1)},
		{Arithmetic, "x", many(1e6), many(900)},
	}
	for _, c := range cases {
		fs := of(c.yes(), c.kind)
		if len(fs) == 0 || slices.ContainsFunc(fs, func(f Finding) bool { return f.Subject != c.subject }) {
			t.Errorf("%s about %s: found %v", c.kind, c.subject, fs)
		}
		none(t, c.no(), c.kind)
	}
	for i, rule := range Rules {
		if !slices.ContainsFunc(cases, func(c struct {
			kind    Kind
			subject string
			yes, no func() *Analysis
		}) bool {
			return len(rule(c.yes())) > 0
		}) {
			t.Errorf("no case is one of rule %d", i)
		}
		if fs := rule(Analyse(group.Match(), Options{})); len(fs) > 0 {
			t.Errorf("rule %d found %v in nothing", i, fs)
		}
	}
}
