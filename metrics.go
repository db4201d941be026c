package eventloop

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/histogram"
	"github.com/eventloop-go/eventloop/internal/meter"
)

// WithMetrics makes the loop measure what it runs; see [Loop.Metrics]. It costs two readings of the clock for each batch
// of callbacks, one for each callback that is not short, and one for each eight that are; less where short tasks come one
// by one; the memory of its histograms; and nothing that grows but a fraction of what a backlog takes anyway. A loop without it pays for a
// few tests that are always false.
func WithMetrics() Option {
	return optionFunc(func(l *Loop) { l.meter = meter.New() })
}

// Metrics is what a loop has done and has before it, as of one moment. All numbers count from when the loop was made; what
// [Metrics.Sub] returns counts from another moment, and what [Metrics.Add] returns is of several loops.
type Metrics struct {
	// Loops is how many loops these are the metrics of.
	Loops int

	// Elapsed is the time since Run began, until now or until the loop ended.
	Elapsed time.Duration

	// Idle is how much of it the loop slept, with nothing to do: libuv's uv_metrics_idle_time. A sleep that goes on
	// counts up to now. What is left of Elapsed is callbacks, the loop's own work, and waiting for a processor.
	Idle time.Duration

	// Running is how long the callback in progress has been running, 0 if there is none. RunTime does not count it before
	// it ends, but its Max is at least as long. It begins where the time of that callback would in RunTime. A callback that
	// ends meanwhile can be counted as shorter than a snapshot just said, by what passed between its end and the snapshot.
	Running time.Duration

	// Ran counts the callbacks that have run, those that panicked included. The one in progress is not among them.
	Ran Lanes

	// Jobs counts the nextTick callbacks and microtasks that ran.
	Jobs uint64

	// Queued counts what has been accepted and has not run. A callback in progress is among it. It is zero when the
	// loop has ended: [Loop.Dropped] tells what was left.
	Queued Depths

	// RunTime is how long callbacks ran, each with the nextTick callbacks and microtasks that follow it. A checkpoint
	// that follows no callback counts as one more run. Time is measured from the end of one callback to that of the next,
	// so it includes the loop's own few steps in between, and what the loop waits for a processor meanwhile.
	//
	// Callbacks that follow ones of less than a microsecond share a reading of the clock, up to eight of them. If they
	// took no more than 4 µs together, their mean counts for each; otherwise the usual mean counts for all but one, and what
	// is left for that one. So single values below 4 µs are not exact, and longer ones to about as much, unless several
	// come right after short ones.
	//
	// Where callbacks that come one by one follow each other within a microsecond, most are not measured but count as the
	// one before. When that took long in the end, one of them counts with all of the time, though the loop may have given
	// way to other goroutines for some of it. At most one callback in a hundred counts so.
	RunTime Distribution

	// QueueDelay is how long tasks and immediates waited, from being accepted to being run. It is a sample: of every
	// thirty-two in a lane one, at a random place, and the very first. Count is the size of the sample, and Max the
	// largest value in it.
	QueueDelay Distribution

	// Lateness is how long after their deadline timers began to run. Every timer is measured, though not beyond the
	// beginning of the callbacks that its own shares a reading of the clock with.
	Lateness Distribution
}

// Lanes counts callbacks by how they came to the loop.
type Lanes struct {
	External   uint64 // from Submit
	Internal   uint64 // from SubmitInternal
	Immediates uint64 // from ScheduleImmediate
	Closing    uint64 // from ScheduleClose
	Timers     uint64
	IO         uint64 // of descriptors; none of them counts as queued
}

// Total is the sum of all counts.
func (n Lanes) Total() uint64 {
	return n.External + n.Internal + n.Immediates + n.Closing + n.Timers + n.IO
}

// Depths counts what waits in a loop.
type Depths struct {
	Lanes // timers are those that are armed

	// Jobs are nextTick callbacks and microtasks that were handed in from any goroutine and that the loop has not taken
	// over; it does so after every callback.
	Jobs uint64
}

// A Distribution describes durations. The quantiles are those of a histogram whose buckets are logarithmic: each is
// within 1/64, 1.6 %, of a duration that was measured at that rank. Count, Sum, Max and Mean are those of what was
// measured, without the error of the buckets, except for the Max of a window: see [Metrics.Sub].
type Distribution struct {
	Count uint64
	Sum   time.Duration
	Mean  time.Duration
	Max   time.Duration
	P50   time.Duration
	P90   time.Duration
	P95   time.Duration
	P99   time.Duration
	P999  time.Duration // 99.9 %

	counts *histogram.Counts
}

// Metrics returns what the loop has measured, all of it as of one moment: what has run and what is queued add up to what
// was accepted, and every run that is counted is in the distribution. It is the zero Metrics unless [WithMetrics] was
// given.
//
// Any goroutine may call it, callbacks included. As of today, the last few callbacks that ran may be missing while
// the loop is awake, and are then counted as queued. The loop may have to wait for it: BenchmarkMetricsSnapshot. What it
// returns takes the memory of the buckets in use.
func (l *Loop) Metrics() Metrics {
	if l.meter == nil {
		return Metrics{}
	}
	m, in := l.meter, &l.in
	m.Lock()
	in.mu.lock()
	s := m.Moment(l.now(), l.timers.Armed())
	jobs := len(in.ticks) + len(in.micros)
	in.mu.unlock()
	m.Complete(&s)
	runTime, delay, lateness := s.RunTime.Counts(), s.Delay.Counts(), s.Lateness.Counts()
	m.Unlock()
	if s.Ended {
		jobs = 0
	}
	snapshot := Metrics{
		Loops:      1,
		Elapsed:    time.Duration(s.Elapsed),
		Idle:       time.Duration(s.Idle),
		Running:    time.Duration(s.Running),
		Ran:        countLanes(s.Ran),
		Jobs:       s.Jobs,
		Queued:     Depths{countLanes(s.Queued), uint64(jobs)},
		RunTime:    describe(runTime),
		QueueDelay: describe(delay),
		Lateness:   describe(lateness),
	}
	snapshot.RunTime.Max = max(snapshot.RunTime.Max, snapshot.Running)
	return snapshot
}

func countLanes(n [6]uint64) Lanes {
	return Lanes{
		External:   n[meter.External],
		Internal:   n[meter.Internal],
		Immediates: n[meter.Immediates],
		Closing:    n[meter.Closing],
		Timers:     n[meter.Timers],
		IO:         n[meter.IO],
	}
}

// lanes are those that the phases run.
var lanes = [...]meter.Lane{
	phaseTimers:     meter.Timers,
	phaseInternal:   meter.Internal,
	phaseExternal:   meter.External,
	phaseIO:         meter.IO,
	phaseImmediates: meter.Immediates,
	phaseClosing:    meter.Closing,
}

// pass tells the meter that the loop is about to do something that takes a while and runs no callback.
func (l *Loop) pass() {
	if l.meter != nil {
		l.meter.Pass()
	}
}
