package workload

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// NsPerOp is the unit under which a workload reports a time of its own instead of the clock's.
const NsPerOp = "ns/op"

// A Trial is one run of a workload on one new loop, which is running and has run one task to warm up.
//
// The workload counts its submissions with Submitted. The tasks themselves count those that ran, in one of two ways.
// Tasks that the published definition calls counted or signalled add to Ran. Those that it calls empty are Empty,
// which counts in memory of the loop's goroutine.
type Trial struct {
	// N is the number of operations to perform.
	N int

	// Loop is the loop under test.
	Loop contestant.Loop

	// Contestant is the name of whose loop it is.
	Contestant string

	clock     clock
	slice     bool // one of many short ones
	metrics   map[string]float64
	performed int // operations, if the workload has said so

	goal    int64         // the count at which reached is closed, for workloads that wait for it
	reached chan struct{} // written before the clock starts

	abandoned atomic.Bool // the workload was given up

	// The lines below are written while the clock runs, each by others: the tasks, the submitters, the loop.
	_ [128]byte

	// Ran counts tasks that say so.
	Ran atomic.Int64
	_   [128]byte

	// Pending is for tasks that signal their end. Every workload shares it with its tasks, as published.
	Pending sync.WaitGroup
	_       [128]byte

	empty     func()
	emptyRan  int64 // only the loop's goroutine touches it
	_         [128]byte
	submitted atomic.Int64
	_         [128]byte
}

// Start begins the timed section. Everything before is set-up.
func (t *Trial) Start() { t.clock.start() }

// Stop ends the timed section.
func (t *Trial) Stop() { t.clock.stop() }

// Submitted adds to the number of tasks that the loop has accepted. A workload calls it once for many tasks, so that
// counting takes no part of the time.
func (t *Trial) Submitted(n int) { t.submitted.Add(int64(n)) }

// Performed says that the workload performed n operations in the timed section, N or more. Figures for an operation are then
// for one of n.
func (t *Trial) Performed(n int) { t.performed = n }

// Abandoned reports whether the workload was given up. A workload that waits for a task checks it.
func (t *Trial) Abandoned() bool { return t.abandoned.Load() }

// Empty returns the task that does nothing. It is one func value for the whole trial. It counts itself in a variable
// of the loop's goroutine, which takes less time than can be measured.
func (t *Trial) Empty() func() { return t.empty }

// idle leaves the loop alone for as long as a published category does, or for a [pause] in a slice.
func (t *Trial) idle(published time.Duration) {
	if t.slice {
		published = min(published, pause)
	}
	time.Sleep(published)
}

// waitFor returns when ran tasks have run, which it looks at every so often, or when the trial has been given up.
func (t *Trial) waitFor(ran int, every time.Duration) {
	for t.Ran.Load() < int64(ran) && !t.abandoned.Load() {
		time.Sleep(every)
	}
}

// Report sets a figure beside the time, as testing.B's ReportMetric does.
func (t *Trial) Report(unit string, value float64) {
	if t.metrics == nil {
		t.metrics = make(map[string]float64)
	}
	t.metrics[unit] = value
}
