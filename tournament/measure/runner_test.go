package measure_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/measure"
	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// A probe is an entry that takes as long as it says, without taking any time.
type probe struct {
	perOp, fixed time.Duration
	ns           []int // the sizes it was asked for
	failAt       int   // fails at that call, counted from 1
	call         func()
}

func (p *probe) entry(category, name string) measure.Entry {
	return measure.Entry{
		Category:   category,
		Kind:       result.KindLoop,
		Contestant: name,
		Sample: func(n int, _ time.Duration) (result.Sample, error) {
			p.ns = append(p.ns, n)
			if p.call != nil {
				p.call()
			}
			if len(p.ns) == p.failAt {
				return result.Sample{}, errors.New("broken")
			}
			elapsed := p.fixed + time.Duration(n)*p.perOp
			return result.Sample{N: n, NsPerOp: float64(p.perOp), Elapsed: elapsed}, nil
		},
	}
}

func TestSamplesAreInterleavedAndOrderedByTheSeed(t *testing.T) {
	run := func(seed uint64) []string {
		var steps []string
		var entries []measure.Entry
		for _, category := range []string{"A", "B"} {
			for _, name := range []string{"x", "y", "z"} {
				entries = append(entries, (&probe{perOp: time.Microsecond}).entry(category, name))
			}
		}
		plan := measure.Plan{Entries: entries, Benchtime: time.Millisecond, Count: 6, Seed: seed}
		measure.Run(t.Context(), plan, result.Environment{}, func(p measure.Progress) {
			if p.Round > 0 && p.Category != "" {
				steps = append(steps, p.Category+p.Contestant)
			}
		})
		return steps
	}
	steps := run(1)
	if len(steps) != 2*3*6 {
		t.Fatalf("%d samples", len(steps))
	}
	firsts := make(map[string]bool)
	for i := 0; i < len(steps); i += 3 {
		group := slices.Sorted(slices.Values(steps[i : i+3]))
		category := "AB"[i/3%2 : i/3%2+1]
		if want := []string{category + "x", category + "y", category + "z"}; !slices.Equal(group, want) {
			t.Errorf("samples %d to %d are %v, want %v in any order", i, i+2, group, want)
		}
		firsts[steps[i]] = true
	}
	if len(firsts) < 4 {
		t.Errorf("the order hardly changes: only %v come first", firsts)
	}
	if !slices.Equal(steps, run(1)) {
		t.Error("the same seed gave another order")
	}
	if slices.Equal(steps, run(2)) {
		t.Error("another seed gave the same order")
	}
}

func TestTheNumberOfOperationsIsCalibratedOnceAndInWholeBursts(t *testing.T) {
	for _, p := range []*probe{
		{perOp: 20},
		{perOp: 3 * time.Microsecond, fixed: 10 * time.Millisecond},
		{perOp: time.Second},
	} {
		e := p.entry("A", "x")
		e.Burst = 64
		plan := measure.Plan{Entries: []measure.Entry{e}, Benchtime: 100 * time.Millisecond, Count: 3}
		f := measure.Run(t.Context(), plan, result.Environment{}, nil)
		samples := f.Rows[0].Samples
		if len(samples) != 3 {
			t.Fatalf("%d samples", len(samples))
		}
		for _, s := range samples {
			if s.N != samples[0].N || s.N%64 != 0 {
				t.Errorf("%v per operation: samples of %d and %d operations", p.perOp, samples[0].N, s.N)
			}
			least, most := 60*time.Millisecond, 160*time.Millisecond
			if s.N > 64 && (s.Elapsed < least || s.Elapsed > most) {
				t.Errorf("%v per operation: a sample took %v", p.perOp, s.Elapsed)
			}
		}
	}
}

func TestAFixedWaitIsNotTakenForWhatAnOperationTakes(t *testing.T) {
	p := &probe{perOp: 200, fixed: 30 * time.Millisecond} // three times what calibration asks for
	plan := measure.Plan{Entries: []measure.Entry{p.entry("A", "x")}, Benchtime: 50 * time.Millisecond, Count: 1}
	f := measure.Run(t.Context(), plan, result.Environment{}, nil)
	if n := f.Rows[0].Samples[0].N; n < 40_000 {
		t.Errorf("a sample has %d operations of 200 ns", n)
	}
}

func TestAnEntryThatFailsKeepsItsErrorAndLeavesTheOthersAlone(t *testing.T) {
	for _, at := range []int{1, 5} {
		bad := &probe{perOp: time.Microsecond, failAt: at}
		good := &probe{perOp: time.Microsecond}
		plan := measure.Plan{
			Entries:   []measure.Entry{bad.entry("A", "bad"), good.entry("A", "good")},
			Benchtime: time.Millisecond, Count: 5,
		}
		f := measure.Run(t.Context(), plan, result.Environment{}, nil)
		if r := f.Rows[0]; r.Error != "broken" || len(r.Samples) != 0 || len(bad.ns) != at {
			t.Errorf("failing at call %d: row %+v after %d calls", at, r, len(bad.ns))
		}
		if r := f.Rows[1]; r.Error != "" || len(r.Samples) != 5 {
			t.Errorf("failing at call %d: the other row is %+v", at, r)
		}
	}
}

func TestAnEntryThatDoesLessOrTakesNoTimeFails(t *testing.T) {
	for _, s := range []result.Sample{{N: 1, NsPerOp: 1, Elapsed: 1}, {N: 1_000_000_000, Elapsed: time.Second}} {
		e := measure.Entry{Category: "A", Contestant: "x", Sample: func(int, time.Duration) (result.Sample, error) { return s, nil }}
		f := measure.Run(t.Context(), measure.Plan{Entries: []measure.Entry{e}, Benchtime: time.Millisecond, Count: 2}, result.Environment{}, nil)
		if r := f.Rows[0]; !strings.Contains(r.Error, "A on x: ") || len(r.Samples) != 0 {
			t.Errorf("%+v: row %+v", s, r)
		}
	}
}

func TestAnEntryThatCannotTakePartSaysWhy(t *testing.T) {
	p := &probe{perOp: time.Microsecond}
	e := p.entry("A", "x")
	e.Applicable = func() (string, error) { return "needs wings", nil }
	f := measure.Run(t.Context(), measure.Plan{Entries: []measure.Entry{e}, Benchtime: time.Millisecond, Count: 2}, result.Environment{}, nil)
	if r := f.Rows[0]; r.NotApplicable != "needs wings" || len(r.Samples) != 0 || len(p.ns) != 0 {
		t.Errorf("row %+v after %d calls", r, len(p.ns))
	}
}

func TestAnInterruptKeepsWhatWasMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, q := &probe{perOp: time.Microsecond}, &probe{perOp: time.Microsecond}
	plan := measure.Plan{
		Entries:   []measure.Entry{p.entry("A", "x"), q.entry("B", "x")},
		Benchtime: time.Millisecond, Count: 3,
	}
	f := measure.Run(ctx, plan, result.Environment{}, func(p measure.Progress) {
		if p.Round == 2 && p.Category == "B" {
			cancel()
		}
	})
	if !f.Interrupted || len(f.Rows[0].Samples) != 2 || len(f.Rows[1].Samples) != 2 {
		t.Errorf("interrupted %v, %d and %d samples", f.Interrupted, len(f.Rows[0].Samples), len(f.Rows[1].Samples))
	}
}

func TestProgressCountsToTheEnd(t *testing.T) {
	var last measure.Progress
	p := &probe{perOp: time.Microsecond}
	plan := measure.Plan{Entries: []measure.Entry{p.entry("A", "x"), p.entry("A", "y")}, Benchtime: time.Millisecond, Count: 3}
	measure.Run(t.Context(), plan, result.Environment{}, func(p measure.Progress) {
		if p.Done < last.Done || p.Total != 8 || p.Left < 0 {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	})
	if last.Done != last.Total || last.Left != 0 {
		t.Errorf("ends with %+v", last)
	}
}

func TestLoopsMakesAnEntryForEachContestantInEachWorkload(t *testing.T) {
	workloads := append(workload.Published(), workload.Twins()...)
	entries := measure.Loops(workloads, contestants.All())
	plan := measure.Plan{Entries: entries, Benchtime: time.Microsecond, Count: 1}
	f := measure.Run(t.Context(), plan, result.Environment{}, nil)
	if len(f.Rows) != len(workloads)*len(contestants.All()) {
		t.Errorf("%d rows", len(f.Rows))
	}
	for _, r := range f.Rows {
		if r.Error != "" || len(r.Samples) != 1 && r.NotApplicable == "" {
			t.Errorf("%+v", r)
		}
	}
}

func TestPromisesMakesAnEntryForEachDesignInEachCategory(t *testing.T) {
	entries := measure.Promises(workload.AllPromises(), promises.All())
	plan := measure.Plan{Entries: entries, Benchtime: time.Microsecond, Count: 1}
	f := measure.Run(t.Context(), plan, result.Environment{}, nil)
	if len(f.Rows) != len(workload.AllPromises())*len(promises.All()) {
		t.Errorf("%d rows", len(f.Rows))
	}
	for _, r := range f.Rows {
		if r.Error != "" || len(r.Samples) != 1 || r.Samples[0].NsPerOp <= 0 {
			t.Errorf("%+v", r)
		}
	}
}
