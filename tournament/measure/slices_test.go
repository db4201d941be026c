package measure_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/choose"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/load"
	"github.com/eventloop-go/eventloop/tournament/measure"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// visit carries out an order of all entries.
func visit(ctx context.Context, process int, seed uint64, entries ...measure.Entry) *result.File {
	p := measure.Plan{Entries: entries, Benchtime: measure.SliceTime, Seed: seed}
	p.Process = process
	for i := range entries {
		p.Parts = append(p.Parts, measure.Part{Entry: i, N: 1000})
	}
	return measure.Slices(ctx, p, result.Environment{}, nil)
}

func TestAProcessTakesAWarmUpAndEightSlicesOfEachRow(t *testing.T) {
	var turns []string
	entry := func(name string) measure.Entry {
		p := &probe{perOp: time.Microsecond, call: func() { turns = append(turns, name) }}
		return p.entry("A", name)
	}
	f := visit(t.Context(), 3, 1, entry("x"), entry("y"), entry("z"))
	for _, r := range f.Rows {
		if len(r.Samples) != measure.SliceCount || r.Cost <= 0 {
			t.Fatalf("%s has %d samples and cost %v", r.Contestant, len(r.Samples), r.Cost)
		}
		for i, s := range r.Samples {
			if s.Process != 3 || s.Round != i+1 || s.N != 1000 {
				t.Errorf("%s: %+v", r.Contestant, s)
			}
		}
	}
	if got := strings.Join(turns[:3], ""); got != "xyz" {
		t.Errorf("warmed up in the order %s", got)
	}
	orders := make(map[string]bool)
	for round := range slices.Chunk(turns[3:], 3) {
		orders[strings.Join(round, "")] = true
		if slices.Sort(round); strings.Join(round, "") != "xyz" {
			t.Errorf("a round of %v", round)
		}
	}
	if len(orders) < 3 {
		t.Errorf("the order hardly changes: %v", orders)
	}
}

func TestLongSlicesAreFewer(t *testing.T) {
	p := &probe{perOp: time.Microsecond}
	e := p.entry("A", "x")
	e.Shortest = 60 * time.Millisecond
	f := visit(t.Context(), 2, 1, e)
	if got := fmt.Sprint(p.ns); len(f.Rows[0].Samples) != 4 || got != "[250 1000 1000 1000 1000]" {
		t.Errorf("%d samples, of calls with %s operations", len(f.Rows[0].Samples), got)
	}
}

func TestAReplicaHasTheNumberOfOperationsOfItsFirstEntry(t *testing.T) {
	x, again := &probe{perOp: time.Microsecond}, &probe{perOp: 7 * time.Microsecond}
	p := measure.Plan{Entries: []measure.Entry{x.entry("A", "x"), again.entry("A", "x"+result.ReplicaSuffix)}, Benchtime: measure.SliceTime}
	p.Parts = []measure.Part{{Entry: 0}, {Entry: 1}}
	f := measure.Slices(t.Context(), p, result.Environment{}, nil)
	if a, b := f.Rows[0].Samples[0].N, f.Rows[1].Samples[0].N; a != b || a < 500 {
		t.Errorf("%d and %d operations", a, b)
	}
}

func TestARowThatFailsInASliceLeavesTheOthersAlone(t *testing.T) {
	for _, at := range []int{1, 4} {
		bad, good := &probe{perOp: time.Microsecond, failAt: at}, &probe{perOp: time.Microsecond}
		f := visit(t.Context(), 1, 1, bad.entry("A", "bad"), good.entry("A", "good"))
		if r := f.Rows[0]; r.Error != "broken" || len(r.Samples) != 0 || len(bad.ns) != at {
			t.Errorf("failing at call %d: %+v after %d calls", at, r, len(bad.ns))
		}
		if r := f.Rows[1]; r.Error != "" || len(r.Samples) != measure.SliceCount {
			t.Errorf("failing at call %d: the other row is %+v", at, r)
		}
	}
}

func TestAnInterruptedProcessLeavesOutWhatIsNotDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, q := &probe{perOp: time.Microsecond}, &probe{perOp: time.Microsecond}
	q.call = func() {
		if len(q.ns) == 5 {
			cancel()
		}
	}
	f := visit(ctx, 1, 1, p.entry("A", "x"), q.entry("B", "x"))
	if !f.Interrupted || len(f.Rows) != 1 || f.Rows[0].Category != "A" {
		t.Errorf("interrupted %v, rows %+v", f.Interrupted, f.Rows)
	}
}

func TestBesideGoroutinesThatComputeASliceHasMoreThanATimeSliceOfEach(t *testing.T) {
	entries := slices.Concat(measure.Loops(workload.Busy(), contestants.All()), measure.Loops(load.All(), contestants.All()))
	seen := 0
	for i := range entries {
		e := &entries[i]
		if _, value, ok := strings.Cut(e.Category, "computing="); !ok || value == "none" {
			continue
		}
		seen++
		if e.Fixed() == 0 || e.Shortest < 60*time.Millisecond {
			t.Errorf("%s, %s: %d operations, a slice of %v", e.Category, e.Contestant, e.Fixed(), e.Shortest)
		}
		if spec, ok := choose.Parse(e.Category); ok && time.Duration(e.Fixed())*time.Second/time.Duration(spec.Rate) < 60*time.Millisecond {
			t.Errorf("%s: %d operations are over too soon", e.Category, e.Fixed())
		}
	}
	if seen != (6+4)*len(contestants.All()) {
		t.Errorf("%d entries", seen)
	}
}
