package workload

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A Promise is one promise category: its operations on the promises of a design, and the part of them that is timed.
type Promise struct {
	// Name is the category's name, without "Benchmark": "FanOut_100".
	Name string

	// Kind is result.KindPromise for a published category, result.KindTwin for a corrected one.
	Kind result.Kind

	// TwinOf is the published category that a twin corrects.
	TwinOf string

	// About describes an operation in one line.
	About string

	// Needs are the capabilities without which a design cannot take part.
	Needs []design.Capability

	// Excluded says why the category does not measure the object of its name, and names one that does. Such a
	// category decides nothing.
	Excluded string

	// Burst is the number of operations that belong together, or 0.
	Burst int

	// Run performs t.N operations.
	Run func(t *PromiseTrial) error
}

// Applicable says why a design cannot take part, or nothing if it can.
func (w *Promise) Applicable(d design.Design) (reason string, err error) {
	e, err := d.Make(eventloop.New())
	if err != nil {
		return "", fmt.Errorf("%s: new engine: %w", d.Name, err)
	}
	var lacks []string
	for _, need := range w.Needs {
		if !need.In(e) {
			lacks = append(lacks, need.Name)
		}
	}
	if lacks == nil {
		return "", nil
	}
	return "needs " + strings.Join(lacks, ", "), nil
}

// Sample performs n operations with promises of the design and returns the figures. It fails if a handler was lost,
// ran twice, out of order or with another value. It also fails if memory was retained, or if the work was not done
// after patience.
func (w *Promise) Sample(d design.Design, n int, patience time.Duration) (result.Sample, error) {
	m := &meter{}
	return w.sample(d, n, patience, m, m, false)
}

// Slice is Sample without a look for memory that is kept, which takes longer than a slice of a few milliseconds.
func (w *Promise) Slice(d design.Design, n int, patience time.Duration) (result.Sample, error) {
	m := &meter{}
	return w.sample(d, n, patience, m, m, true)
}

func (w *Promise) sample(d design.Design, n int, patience time.Duration, clk clock, m *meter, slice bool) (result.Sample, error) {
	t, err := w.try(d, n, patience, clk, slice)
	if err != nil {
		return result.Sample{}, err
	}
	s, err := m.sample(n, t.metrics)
	if err != nil {
		return result.Sample{}, fmt.Errorf("%s on %s: %w", w.Name, d.Name, err)
	}
	return s, nil
}

// Bench is the category as a benchmark of one design: the body of a sub-benchmark.
func (w *Promise) Bench(b *testing.B, d design.Design) {
	b.ReportAllocs()
	reason, err := w.Applicable(d)
	if err != nil {
		b.Fatal(err)
	}
	if reason != "" {
		b.Skipf("not applicable to %s: %s", d.Name, reason)
	}
	m := &meter{}
	s, err := w.sample(d, b.N, Patience, benchClock{b, m}, m, false)
	if err != nil {
		b.Fatal(err)
	}
	for unit, value := range s.Metrics {
		b.ReportMetric(value, unit)
	}
	b.ReportMetric(s.NsPerOp, NsPerOp)
}

// try runs the workload once, on a goroutine that can be given up.
func (w *Promise) try(d design.Design, n int, patience time.Duration, clk clock, slice bool) (*PromiseTrial, error) {
	t := &PromiseTrial{N: n, design: d, clock: clk, slice: slice}
	outcome := make(chan error, 1)
	go func() { outcome <- caught(func() error { return w.Run(t) }) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	var err error
	select {
	case err = <-outcome:
	case <-timer.C:
		err = fmt.Errorf("%w (%v): %d operations", ErrHangs, patience, n)
	}
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", w.Name, d.Name, err)
	}
	return t, nil
}
