package workload_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/internal/raceflag"
	"github.com/eventloop-go/eventloop/internal/testkit"
	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants"
	"github.com/eventloop-go/eventloop/tournament/result"
	"github.com/eventloop-go/eventloop/tournament/workload"
)

// patience is a deadline for expected events.
const patience = 30 * time.Second

func TestEveryWorkloadRunsOnEveryContestant(t *testing.T) {
	for _, w := range workload.All() {
		for _, c := range append(contestants.All(), queued) {
			if c.VariantOf != "" && w.Sweep {
				continue // a variant differs in how it wakes up, which the other categories cover
			}
			t.Run(w.Name+"/"+c.Name, func(t *testing.T) {
				if reason, err := w.Applicable(c); err != nil {
					t.Fatal(err)
				} else if reason != "" {
					t.Skip(reason)
				}
				if w.Name == workload.BatchBudgetMixed.Name && c.Name != "Main" && !testkit.Full() {
					t.Skip("seconds each: only a full run has every contestant")
				}
				counts := []int{1, 7, 2*w.Burst + 3}
				if w.Name == workload.BatchBudgetMixed.Name {
					counts = counts[:1] // which is rounded up to thousands of sleeps
				}
				for _, n := range counts {
					s, err := w.Sample(c, n, patience)
					if err != nil {
						t.Fatalf("%d operations: %v", n, err)
					}
					if s.N != n && (s.N < n || !w.WholeBursts) || s.NsPerOp <= 0 || s.Elapsed <= 0 {
						t.Errorf("%d operations: implausible sample %+v", n, s)
					}
				}
			})
		}
	}
}

func TestAllocationsPerOperationAreThoseOfThePublishedClosures(t *testing.T) {
	if raceflag.Enabled {
		t.Skip("the race detector allocates")
	}
	if strconv.IntSize == 32 {
		t.Skip("the published figures are those of 64-bit pointers")
	}
	const n = 200_000
	for _, want := range []struct {
		workload      workload.Workload
		contestant    string
		bytes, allocs float64
	}{
		{workload.PingPong, "Channel", 24, 1},
		{workload.PingPong, "Baseline", 64, 3},
		{workload.PingPongLatency, "Main", 128, 2},
		{workload.PingPongLatency, "Baseline", 168, 4},
		{workload.MultiProducer, "Channel", 16, 1},
		{workload.MultiProducer, "Baseline", 56, 3},
		{workload.WakeupRapidSubmit, "Channel", 0, 0},
		{workload.WakeupRapidSubmit, "Baseline", 40, 2},
		{workload.BatchBudgetContinuousExact, "Channel", 24, 1},
	} {
		s, err := want.workload.Sample(find(t, want.contestant), n, patience)
		if err != nil {
			t.Fatal(err)
		}
		most := want.bytes + 40 // a collection that empties a pool adds to the bytes
		if want.contestant == "Baseline" {
			most = math.Inf(1) // its queue grows with the backlog, which depends on the scheduler
		}
		if s.BytesPerOp < want.bytes-0.5 || s.BytesPerOp > most || s.AllocsPerOp < want.allocs-0.01 || s.AllocsPerOp > want.allocs+0.1 {
			t.Errorf("%s/%s: %.1f B/op, %.2f allocs/op, published %.0f and %.0f",
				want.workload.Name, want.contestant, s.BytesPerOp, s.AllocsPerOp, want.bytes, want.allocs)
		}
	}
}

func TestEveryTwinNamesThePublishedCategoryThatItCorrects(t *testing.T) {
	published := make(map[string]bool)
	for _, w := range workload.Published() {
		published[w.Name] = true
		if w.Kind != result.KindLoop || w.TwinOf != "" {
			t.Errorf("%s is not described as published", w.Name)
		}
	}
	if len(published) != 14 {
		t.Errorf("%d published categories, want 14", len(published))
	}
	for _, w := range workload.Sweeps() {
		if published[w.Name] || !w.Sweep {
			t.Errorf("%s is not described as part of a sweep", w.Name)
		}
		published[w.Name] = true
	}
	for _, w := range append(workload.Twins(), workload.SweepTwins()...) {
		if w.Kind != result.KindTwin || !published[w.TwinOf] || published[w.Name] {
			t.Errorf("%s: kind %q, twin of %q", w.Name, w.Kind, w.TwinOf)
		}
	}
}

func TestAWorkloadThatNeedsMoreThanALoopCanIsNotApplicable(t *testing.T) {
	w := workload.PingPong
	w.Needs = []contestant.Capability{contestant.HasPriorityLane, contestant.HasMicrotasks, contestant.HasTimers}
	for _, c := range contestants.All() {
		reason, err := w.Applicable(c)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := map[string]string{
			"Main":                   "",
			"AlternateOne":           "",
			"AlternateTwo":           "needs microtasks, timers",
			"AlternateThree":         "needs microtasks",
			"AlternateThree-Channel": "needs microtasks",
			"Baseline":               "needs priority lane, microtasks",
			"Channel":                "needs priority lane, microtasks, timers",
		}[c.Name]
		if ok && c.Unavailable == "" && reason != want {
			t.Errorf("%s: %q, want %q", c.Name, reason, want)
		}
	}
}

func TestAContestantThatCannotBeMadeIsAnError(t *testing.T) {
	cause := errors.New("no such luck")
	c := contestant.Contestant{Name: "None", New: func() (contestant.Loop, error) { return nil, cause }}
	w := workload.PingPong
	if _, err := w.Sample(c, 1, patience); !errors.Is(err, cause) || !strings.Contains(err.Error(), "PingPong on None") {
		t.Errorf("Sample: %v", err)
	}
	w.Needs = contestant.Capabilities()
	if _, err := w.Applicable(c); !errors.Is(err, cause) {
		t.Errorf("Applicable: %v", err)
	}
}

func TestAWorkloadThatTimesNothingIsAnError(t *testing.T) {
	w := workload.Workload{Name: "Idle", Run: func(t *workload.Trial) error {
		t.Submitted(t.N)
		t.Ran.Add(int64(t.N))
		return nil
	}}
	if _, err := w.Sample(find(t, "Main"), 1, patience); err == nil || !strings.Contains(err.Error(), "timed nothing") {
		t.Errorf("got %v", err)
	}
}

func find(t *testing.T, name string) contestant.Contestant {
	t.Helper()
	for _, c := range contestants.All() {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no contestant %s", name)
	return contestant.Contestant{}
}

func TestTheSweepsAreThePublishedOnes(t *testing.T) {
	var names []string
	for _, w := range append(workload.Published(), workload.Sweeps()...) {
		names = append(names, w.Name)
	}
	for _, name := range []string{"Throughput", "Latency"} {
		for _, burst := range []int{64, 128, 256, 512, 1024, 2048, 4096} {
			name := fmt.Sprintf("MicroBatchBudget_%s/Burst=%d", name, burst)
			if !slices.Contains(names, name) {
				t.Errorf("%s is missing", name)
			}
		}
	}
	for _, n := range []string{"01", "02", "04", "08", "16", "32"} {
		if !slices.Contains(names, "MicroCASContention/N="+n) {
			t.Errorf("MicroCASContention/N=%s is missing", n)
		}
	}
}

func TestMixedGivesALaggingLoopMoreWorkAndItsTwinDoesNot(t *testing.T) {
	lagging := contestant.Contestant{Name: "Lagging", New: func() (contestant.Loop, error) {
		return &laggard{queue: newQueue()}, nil
	}}
	for _, test := range []struct {
		workload workload.Workload
		more     bool
	}{{workload.BatchBudgetMixed, true}, {workload.BatchBudgetMixedExact, false}} {
		var loop *laggard
		c := lagging
		c.New = func() (contestant.Loop, error) {
			l, err := lagging.New()
			loop = l.(*laggard)
			return l, err
		}
		n := test.workload.Burst
		if _, err := test.workload.Sample(c, n, patience); err != nil {
			t.Fatal(err)
		}
		const probes = 1 + 2 // the first task and those that count
		if more := loop.submitted.Load() > int64(n+probes+2); more != test.more {
			t.Errorf("%s of %d operations submitted %d tasks", test.workload.Name, n, loop.submitted.Load())
		}
	}
}

// A laggard is a queue that holds the tasks of a burst back until it has seen the first single ones.
type laggard struct {
	*queue
	submitted atomic.Int64
}

func (l *laggard) Submit(task func()) error {
	const half = 8_600
	if n := l.submitted.Add(1); n == half-50 {
		// In the middle of the last burst, one task keeps the loop until more than the bursts is there.
		return l.queue.Submit(func() {
			for deadline := time.Now().Add(20 * time.Millisecond); l.submitted.Load() <= half+50 && time.Now().Before(deadline); {
				runtime.Gosched()
			}
			task()
		})
	}
	return l.queue.Submit(task)
}

func TestTheGuardFailsABenchmarkThatDoesLessTakesNoTimeOrKeepsMemory(t *testing.T) {
	var kept [][]byte
	for want, run := range map[string]func(t *workload.Trial) error{
		"performed 19999 of 20000": func(t *workload.Trial) error {
			t.Start()
			defer t.Stop()
			for range t.N - 1 {
				if err := t.Loop.Submit(t.Empty()); err != nil {
					return err
				}
			}
			t.Submitted(t.N - 1)
			return nil
		},
		"nothing was timed": func(t *workload.Trial) error {
			t.Start()
			t.Stop()
			t.Submitted(t.N)
			t.Ran.Add(int64(t.N))
			t.Report(workload.NsPerOp, 0)
			return nil
		},
		"memory grows with the number of operations": func(t *workload.Trial) error {
			t.Start()
			defer t.Stop()
			for range t.N {
				if err := t.Loop.Submit(func() { t.Ran.Add(1); kept = append(kept, make([]byte, 8)) }); err != nil {
					return err
				}
			}
			t.Submitted(t.N)
			return nil
		},
	} {
		kept = nil
		w := workload.Workload{Name: "Bad", Run: run}
		if _, err := w.Sample(queued, 20_000, patience); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestTheGuardRaisesNoFalseAlarm(t *testing.T) {
	for _, w := range representative() {
		for _, c := range contestants.All() {
			n := 30_000
			switch {
			case c.Unavailable != "" || c.VariantOf != "":
				continue
			case strings.Contains(w.Name, "Asleep") || strings.Contains(w.Name, "Mixed") || strings.HasPrefix(w.Name, "MicroWakeupSyscall_Burst") || c.Name == "AlternateThree" && strings.Contains(w.Name, "Latency"):
				continue // tens of microseconds or more for each operation
			case w.Kind == result.KindBusy && !strings.HasSuffix(w.Name, "=none"):
				continue // milliseconds for each operation in some designs; the same code runs beside nothing
			}
			if _, err := w.Sample(c, n, patience); err != nil {
				t.Error(err)
			}
		}
	}
}
