package measure_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/measure"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A farm stands for processes: each part of an order gets eight slices of the time that its contestant takes, with noise.
type farm struct {
	entries []measure.Entry
	ns      map[string]float64 // by contestant: what an operation takes
	noise   float64            // deviation of the logarithm, for a process and contestant
	cost    map[string]time.Duration
	fails   map[string]int // by contestant: the process in which its row fails
	crash   int            // the process that crashes

	orders []measure.Order
	random *rand.Rand
}

func newFarm(ns map[string]float64, noise float64, categories ...string) *farm {
	f := &farm{ns: ns, noise: noise, random: rand.New(rand.NewPCG(1, 2))}
	names := []string{"Main", "Near", "Far", "Main" + result.ReplicaSuffix}
	for _, category := range categories {
		for _, name := range names {
			if _, ok := ns[name]; ok {
				f.entries = append(f.entries, measure.Entry{Category: category, Kind: result.KindLoop, Contestant: name})
			}
		}
	}
	return f
}

func (f *farm) launch(_ context.Context, o measure.Order, _ func(measure.Progress)) (*result.File, error) {
	f.orders = append(f.orders, o)
	if o.Process == f.crash {
		return nil, errors.New("crashed")
	}
	out := &result.File{Schema: result.Schema, Protocol: result.Protocol{Processes: 1}}
	for _, part := range o.Parts {
		e := f.entries[part.Entry]
		row := result.Row{Category: e.Category, Kind: e.Kind, Contestant: e.Contestant, Cost: f.cost[e.Category]}
		if f.fails[e.Contestant] == o.Process {
			row.Error = "broken"
			out.Rows = append(out.Rows, row)
			continue
		}
		x := f.ns[e.Contestant] * math.Exp(f.noise*f.random.NormFloat64())
		for round := range measure.SliceCount {
			row.Samples = append(row.Samples, result.Sample{Process: 1, Round: round + 1, N: 100, NsPerOp: x, Elapsed: time.Duration(100 * x)})
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// visits counts the processes that visited a contestant of a category.
func (f *farm) visits(category, contestant string) (n int) {
	for _, o := range f.orders {
		if slices.ContainsFunc(o.Parts, func(p measure.Part) bool {
			e := f.entries[p.Entry]
			return e.Category == category && e.Contestant == contestant
		}) {
			n++
		}
	}
	return n
}

func (f *farm) decide(t *testing.T, plan measure.Plan) *result.File {
	t.Helper()
	plan.Entries = f.entries
	file, err := measure.Decide(t.Context(), plan, f.launch, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestARivalWithAVerdictIsSampledNoLonger(t *testing.T) {
	f := newFarm(map[string]float64{"Main": 100, "Near": 115, "Far": 1000, "Main" + result.ReplicaSuffix: 100}, 0.05, "A")
	file := f.decide(t, measure.Plan{Budget: time.Minute})
	far, near, subject := f.visits("A", "Far"), f.visits("A", "Near"), f.visits("A", "Main")
	if far != 5 || near <= far || subject != near {
		t.Errorf("Far took part in %d processes, Near in %d, Main in %d", far, near, subject)
	}
	if replica := f.visits("A", "Main"+result.ReplicaSuffix); replica > 7 || replica < 5 {
		t.Errorf("the replica took part in %d processes", replica)
	}
	if len(f.orders) > 57 {
		t.Errorf("%d processes for a distance of 15 %%, with noise of 5 %%", len(f.orders))
	}
	for _, r := range file.Rows {
		if want := f.visits("A", r.Contestant) * measure.SliceCount; len(r.Samples) != want {
			t.Errorf("%s has %d samples, want %d", r.Contestant, len(r.Samples), want)
		}
	}
}

func TestACategoryThatIsBehindOneRivalIsDecided(t *testing.T) {
	f := newFarm(map[string]float64{"Main": 100, "Near": 104, "Far": 20}, 0.04, "A")
	f.decide(t, measure.Plan{Budget: time.Minute})
	if len(f.orders) != 5 {
		t.Errorf("%d processes, although Far is ahead by five times", len(f.orders))
	}
}

func TestTheTimeGoesToCategoriesThatCanBeDecidedInIt(t *testing.T) {
	f := newFarm(map[string]float64{"Main": 100, "Near": 130}, 0.05, "A", "B")
	f.cost = map[string]time.Duration{"A": time.Minute, "B": time.Millisecond}
	f.decide(t, measure.Plan{Budget: 5 * time.Minute})
	if dear, cheap := f.visits("A", "Main"), f.visits("B", "Main"); dear != 1 || cheap < 5 {
		t.Errorf("%d processes visited what costs 2 minutes each, %d what costs next to nothing", dear, cheap)
	}
	f = newFarm(map[string]float64{"Main": 100, "Near": 130}, 0.05, "A", "B")
	f.cost = map[string]time.Duration{"A": 2 * time.Second, "B": time.Millisecond}
	f.decide(t, measure.Plan{Budget: 5 * time.Minute})
	if dear := f.visits("A", "Main"); dear < 5 {
		t.Errorf("%d processes visited a category that there was time for", dear)
	}
}

func TestARowThatFailsTakesNoFurtherPart(t *testing.T) {
	f := newFarm(map[string]float64{"Main": 100, "Near": 130, "Far": 1000}, 0.05, "A")
	f.fails = map[string]int{"Far": 2}
	file := f.decide(t, measure.Plan{Budget: time.Minute})
	if n := f.visits("A", "Far"); n != 2 {
		t.Errorf("%d processes visited the row that failed in the second", n)
	}
	for _, r := range file.Rows {
		if failed := r.Contestant == "Far"; failed != (r.Error != "") || failed != (len(r.Samples) == 0) {
			t.Errorf("%s: error %q, %d samples", r.Contestant, r.Error, len(r.Samples))
		}
	}
	if n := f.visits("A", "Near"); n < 5 {
		t.Errorf("the other rival took part in %d processes", n)
	}
}

func TestAFixedNumberOfProcessesVisitsEverything(t *testing.T) {
	f := newFarm(map[string]float64{"Main": 100, "Near": 900, "Main" + result.ReplicaSuffix: 100}, 0.01, "A", "B")
	file := f.decide(t, measure.Plan{Count: 9})
	if len(f.orders) != 9 {
		t.Fatalf("%d processes", len(f.orders))
	}
	for _, r := range file.Rows {
		if len(r.Samples) != 9*measure.SliceCount {
			t.Errorf("%s of %s has %d samples", r.Contestant, r.Category, len(r.Samples))
		}
	}
}

func TestTheNumberOfOperationsStaysThatOfTheFirstProcess(t *testing.T) {
	f := newFarm(map[string]float64{"Main": 100, "Near": 130}, 0.05, "A")
	f.decide(t, measure.Plan{Count: 3})
	for i, o := range f.orders {
		for _, part := range o.Parts {
			if want := map[bool]int{true: 0, false: 100}[i == 0]; part.N != want {
				t.Errorf("process %d was told %d operations, want %d", o.Process, part.N, want)
			}
		}
	}
}

func TestAProcessThatCrashesKeepsWhatWasMeasured(t *testing.T) {
	f := newFarm(map[string]float64{"Main": 100, "Near": 101}, 0.05, "A")
	f.crash = 4
	file, err := measure.Decide(t.Context(), measure.Plan{Entries: f.entries, Budget: time.Minute}, f.launch, nil)
	if err == nil || err.Error() != "process 4: crashed" || len(file.Rows[0].Samples) != 3*measure.SliceCount {
		t.Errorf("%v, %+v", err, file)
	}
}

func TestAnInterruptEndsADecision(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := newFarm(map[string]float64{"Main": 100, "Near": 100}, 0.5, "A")
	file, err := measure.Decide(ctx, measure.Plan{Entries: f.entries, Budget: time.Minute}, func(ctx context.Context, o measure.Order, watch func(measure.Progress)) (*result.File, error) {
		if o.Process == 6 {
			cancel()
		}
		return f.launch(ctx, o, watch)
	}, nil)
	if err != nil || !file.Interrupted || len(f.orders) != 6 {
		t.Errorf("%v, interrupted %v after %d processes", err, file.Interrupted, len(f.orders))
	}
}
