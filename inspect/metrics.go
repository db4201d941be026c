package inspect

import (
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/histogram"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
)

// WithMetrics makes the loop measure its callbacks; see [ReadMetrics]. It costs two readings of the clock for each
// batch of callbacks, one for each long callback, and one for each eight short ones. Short tasks that come one by one
// cost less. The histograms take memory; nothing else grows but a fraction of a backlog's memory. A loop without the
// option pays for a few branches that are never taken.
func WithMetrics() eventloop.Option {
	return option(func(d inside.Diagnosis) { d.SetMeter(meter.New()) })
}

// Metrics describes the past work and the present queues of a loop, at one moment. All numbers count from when the
// loop was made. Results of [Metrics.Sub] count from another moment, and results of [Metrics.Add] are of several
// loops.
type Metrics struct {
	// Loops is how many loops these are the metrics of.
	Loops int

	// Elapsed is the time since Run began, until now or until the loop ended.
	Elapsed time.Duration

	// Idle is how much of it the loop slept, with nothing to do: libuv's uv_metrics_idle_time. A sleep in progress
	// counts up to now. The rest of Elapsed is callbacks, the loop's own work, and waiting for a processor.
	Idle time.Duration

	// Running is how long the callback in progress has been running, 0 without one. It begins at the moment from
	// which RunTime would count that callback. RunTime counts the callback only after its end, but its Max is at
	// least as long as Running. A callback that ends meanwhile can later count as shorter than a snapshot just
	// reported. The difference is the time between its end and the snapshot.
	Running time.Duration

	// Ran counts the callbacks that have run, those that panicked included. The one in progress is not among them.
	Ran Lanes

	// Jobs counts the nextTick callbacks and microtasks that ran.
	Jobs uint64

	// Queued counts the callbacks that were accepted and have not finished, so a callback in progress is among them.
	// It is zero when the loop has ended; [eventloop.Loop.Dropped] then reports what the loop dropped.
	Queued Lanes

	// Panics counts callbacks that panicked or called Goexit, and Rejections the promises that were reported as unhandled.
	Panics, Rejections uint64

	// Slow counts the callbacks that [WithSlowCallbacks] reported. Those that only a watchdog reported are not among them.
	Slow uint64

	// Refused counts calls that accepted nothing: the queue was full, or the loop was ending. Dropped counts what a loop had
	// accepted and did not run, armed timers included; it is zero until the loop has ended. See [eventloop.Loop.Dropped].
	Refused, Dropped uint64

	// RunTime is how long callbacks ran, each with the nextTick callbacks and microtasks that follow it. A checkpoint
	// that follows no callback counts as one more run. Time is measured from the end of one callback to the end of
	// the next. So it includes the loop's own few steps in between, and waiting for a processor.
	//
	// Callbacks that follow ones of less than a microsecond share a reading of the clock, up to eight of them. If the
	// group took at most 4 µs, each counts with the mean. Otherwise all but one count with the usual mean, and that
	// one takes the rest. So single values below 4 µs are not exact. Longer ones are exact to about 4 µs, unless
	// several come right after short ones.
	//
	// Where callbacks that come one by one follow each other within a microsecond, most are not measured but count as
	// the one before. If such a group took long in the end, one of its callbacks counts with all of the time,
	// including time in which the loop yielded to other goroutines. At most one callback in a hundred counts so.
	RunTime Distribution

	// QueueDelay is how long tasks and immediates waited, from being accepted to being run. It is a sample: in each
	// lane one of thirty-two, at a random place, and the very first. Count is the size of the sample, and Max the
	// largest value in it.
	QueueDelay Distribution

	// Lateness is how long after their deadline timers began to run. Every timer is measured, though not beyond the
	// beginning of the callbacks that its own shares a reading of the clock with.
	Lateness Distribution
}

// Lanes counts callbacks by how they came to the loop: those that have run, or wait.
type Lanes struct {
	External   uint64 // from Submit
	Internal   uint64 // from SubmitInternal
	Immediates uint64 // from ScheduleImmediate
	Closing    uint64 // from ScheduleClose of package adapter
	Timers     uint64 // armed timers; the other lanes count queued callbacks
	IO         uint64 // of descriptors; none of them counts as queued

	// Jobs of queued work are nextTick callbacks and microtasks that any goroutine has handed in and that the loop
	// has not taken over. It takes them over after every callback. [Metrics.Jobs] counts those that ran.
	Jobs uint64
}

// Total is the sum of all counts but Jobs.
func (n Lanes) Total() uint64 {
	return n.External + n.Internal + n.Immediates + n.Closing + n.Timers + n.IO
}

// A Distribution describes durations. The quantiles come from a histogram with logarithmic buckets: each is within
// 1/64, 1.6 %, of the measured duration at that rank. Count, Sum, Max and Mean are those of the measured durations,
// without the error of the buckets. The Max of a window is an exception: see [Metrics.Sub].
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

// ReadMetrics returns the measurements of the loops, added up: see [Metrics.Add]. For one loop all values belong to
// one moment: the callbacks that ran and those queued add up to those accepted, and the distribution has every
// counted run. Loops without [WithMetrics] are left out.
//
// Any goroutine may call it, callbacks included. As of today, the last few callbacks that ran may be missing while
// the loop is awake, and then count as queued. The loop may have to wait for the call: BenchmarkMetricsSnapshot. The
// result takes the memory of the buckets in use.
func ReadMetrics(loops ...*eventloop.Loop) Metrics {
	if len(loops) == 1 {
		return read(loops[0])
	}
	var sum Metrics
	for _, l := range loops {
		sum = sum.Add(read(l))
	}
	return sum
}

func read(loop *eventloop.Loop) (m Metrics) {
	diagnosis(loop).ReadMeter(func(s *meter.Snapshot, jobs int) {
		m = Metrics{
			Loops:      1,
			Elapsed:    time.Duration(s.Elapsed),
			Idle:       time.Duration(s.Idle),
			Running:    time.Duration(s.Running),
			Ran:        countLanes(s.Ran),
			Jobs:       s.Jobs,
			Queued:     countLanes(s.Queued),
			Panics:     s.Faults[meter.Panicked],
			Rejections: s.Faults[meter.Rejected],
			Slow:       s.Faults[meter.Slow],
			Refused:    s.Faults[meter.Refused],
			RunTime:    distribution(s.RunTime.Counts()),
			QueueDelay: distribution(s.Delay.Counts()),
			Lateness:   distribution(s.Lateness.Counts()),
		}
		if !s.Ended {
			m.Queued.Jobs = uint64(jobs)
		}
	})
	if m.Loops > 0 {
		d := loop.Dropped()
		m.Dropped = uint64(d.Callbacks() + d.Timers)
	}
	m.describe()
	return m
}

// describe computes the distributions from the counts.
func (m *Metrics) describe() {
	m.RunTime, m.QueueDelay, m.Lateness = describe(m.RunTime.counts), describe(m.QueueDelay.counts), describe(m.Lateness.counts)
	m.RunTime.Max = max(m.RunTime.Max, m.Running)
}

// distribution is one that describe completes: that takes long, and the loop may wait meanwhile.
func distribution(c *histogram.Counts) Distribution { return Distribution{counts: c} }

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
