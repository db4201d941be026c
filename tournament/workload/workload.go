// Package workload defines the categories of the tournament: the published ones under their published names and
// definitions, and corrected twins of those that do not measure what their name says.
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

// A Workload is one category: what is done to a loop, and which part of it is timed.
type Workload struct {
	// Name is the category's name, without "Benchmark": "PingPong".
	Name string

	// Kind is result.KindLoop for a published category, result.KindTwin for a corrected one, result.KindDescriptor for
	// one of descriptors.
	Kind result.Kind

	// TwinOf is the published category that a twin corrects.
	TwinOf string

	// About says in one line what an operation is.
	About string

	// Needs are the capabilities without which a loop cannot take part.
	Needs []contestant.Capability

	// Procs is GOMAXPROCS while the category runs, or 0 for that of the process.
	Procs int

	// Burst is the number of operations that belong together, or 0. A runner that is free to choose the number of
	// operations takes a multiple of it.
	Burst int

	// Shortest is the least length of a sample, for categories whose figures need many operations.
	Shortest time.Duration

	// WholeBursts says that the category performs whole bursts only. The number of operations is then rounded up: a
	// rest would be counted and not performed.
	WholeBursts bool

	// Sweep says that the category is one point of a series, or an explanation, that a quick run leaves out.
	Sweep bool

	// Run performs t.N operations on t.Loop and times them with t.Start and t.Stop. It returns nil when all have
	// been submitted and what it waits for has happened. The trial checks afterwards that everything ran.
	Run func(t *Trial) error
}

// Applicable says why a contestant cannot take part, or nothing if it can.
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
// task or ran one twice, refused one, ended, or was not done after patience; and if package guard objects, because
// less was done than was asked for, it took no time, or memory grows with the number of operations.
func (w *Workload) Sample(c contestant.Contestant, n int, patience time.Duration) (result.Sample, error) {
	m := &meter{}
	return w.sample(c, n, patience, m, m)
}

func (w *Workload) sample(c contestant.Contestant, n int, patience time.Duration, clk clock, m *meter) (result.Sample, error) {
	if w.WholeBursts {
		n = (n + w.Burst - 1) / w.Burst * w.Burst
	}
	if w.Procs > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(w.Procs))
	}
	t, err := w.try(c, n, patience, clk)
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

// Bench is the workload as a benchmark of one contestant: the body of a sub-benchmark. What fails a sample fails the
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
	s, err := w.sample(c, b.N, Patience, benchClock{b, m}, m)
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
