// Package workload defines the categories of the tournament: the published ones under their published names and
// definitions. A category that does not measure the object of its name has a corrected version.
package workload

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Workload is one category: its operations on a loop, and the part of them that is timed.
type Workload struct {
	// Name is the category's name, without "Benchmark": "PingPong".
	Name string

	// Kind is result.KindLoop for a published category, result.KindTwin for a corrected one, result.KindBusy for one of a
	// busy machine, result.KindDescriptor for one of descriptors.
	Kind result.Kind

	// TwinOf is the published category that a twin corrects.
	TwinOf string

	// About describes an operation in one line.
	About string

	// Needs are the capabilities without which a loop cannot take part.
	Needs []contestant.Capability

	// Procs is GOMAXPROCS while the category runs, or 0 for the process's own.
	Procs int

	// Burst is the number of operations that belong together, or 0. A runner that is free to choose the number of
	// operations takes a multiple of it.
	Burst int

	// Shortest is the least length of a sample, for categories whose figures need many operations.
	Shortest time.Duration

	// WholeBursts says that the category performs whole bursts only. The number of operations is then rounded up: a
	// rest would be counted and not performed.
	WholeBursts bool

	// Excluded says why the category does not measure the object of its name, and names one that does. Such a
	// category decides nothing.
	Excluded string

	// Sweep says that the category is one point of a series, or an explanation, that a quick run leaves out.
	Sweep bool

	// Run performs t.N operations on t.Loop and times them with t.Start and t.Stop. It returns nil when all have been
	// submitted and the events that it waits for have happened. The trial checks afterwards that everything ran.
	Run func(t *Trial) error
}

// Applicable returns the reason why a contestant cannot take part, or "".
func (w *Workload) Applicable(c contestant.Contestant) (reason string, err error) {
	if c.Unavailable != "" {
		return "not available on this system: " + c.Unavailable, nil
	}
	if len(w.Needs) == 0 {
		return "", nil
	}
	loop, err := c.Make()
	if err != nil {
		return "", fmt.Errorf("%s: new loop: %w", c.Name, err)
	}
	defer func() { _ = contestant.Discard(loop) }()
	var lacks []string
	for _, need := range w.Needs {
		if !need.In(loop) {
			lacks = append(lacks, need.Name)
		}
	}
	if lacks == nil {
		return "", nil
	}
	return "needs " + strings.Join(lacks, ", "), nil
}

// Sample performs n operations on a new loop of the contestant and returns the figures. It fails if the loop lost a
// task or ran one twice, refused one, ended, or was not done after patience. It also fails if package guard objects:
// too few operations were done, they took no time, or memory grows with their number.
func (w *Workload) Sample(c contestant.Contestant, n int, patience time.Duration) (result.Sample, error) {
	m := &meter{}
	return w.sample(c, n, patience, m, m, false)
}

// Slice is Sample within a slice of a few milliseconds. It does not check for retained memory, and a loop that is
// left idle before the measured time is idle for 2 ms. A contestant's first operations in a process must be a Sample.
func (w *Workload) Slice(c contestant.Contestant, n int, patience time.Duration) (result.Sample, error) {
	m := &meter{}
	return w.sample(c, n, patience, m, m, true)
}

func (w *Workload) sample(c contestant.Contestant, n int, patience time.Duration, clk clock, m *meter, slice bool) (result.Sample, error) {
	if w.WholeBursts {
		n = (n + w.Burst - 1) / w.Burst * w.Burst
	}
	if w.Procs > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(w.Procs))
	}
	t, err := w.try(c, n, patience, clk, slice)
	if err != nil {
		return result.Sample{}, err
	}
	s, err := m.sample(max(n, t.performed), t.metrics)
	if err != nil {
		return result.Sample{}, fmt.Errorf("%s on %s: %w", w.Name, c.Name, err)
	}
	return s, nil
}

// Patience is how long Bench waits for one round of b.N operations.
const Patience = 2 * time.Minute

// Bench is the workload as a benchmark of one contestant: the body of a sub-benchmark. A fault of a sample fails the
// benchmark.
func (w *Workload) Bench(b *testing.B, c contestant.Contestant) {
	b.ReportAllocs()
	reason, err := w.Applicable(c)
	if err != nil {
		b.Fatal(err)
	}
	if reason != "" {
		b.Skipf("not applicable to %s: %s", c.Name, reason)
	}
	m := &meter{}
	s, err := w.sample(c, b.N, Patience, benchClock{b, m}, m, false)
	if err != nil {
		b.Fatal(err)
	}
	for unit, value := range s.Metrics {
		b.ReportMetric(value, unit)
	}
	if s.N != b.N { // more were performed: package testing would divide by the wrong number
		b.ReportMetric(s.BytesPerOp, "B/op")
		b.ReportMetric(s.AllocsPerOp, "allocs/op")
	}
	b.ReportMetric(s.NsPerOp, NsPerOp)
}
