package inspect

import (
	"log/slog"
	"time"

	"github.com/eventloop-go/eventloop/internal/histogram"
)

// Sub returns the changes since an earlier snapshot of the same loop, or of the same loops: the metrics of a window,
// such as the last minute. Queued and Running are those of the later moment.
//
// The Max of a distribution is exact if it is the largest value so far. Otherwise it is the upper end of a bucket, at
// most 3.2 % above the largest value of the window.
func (m Metrics) Sub(earlier Metrics) Metrics {
	m.Elapsed -= earlier.Elapsed
	m.Idle -= earlier.Idle
	m.Ran = m.Ran.plus(earlier.Ran, minus)
	m.Jobs -= earlier.Jobs
	m.Panics -= earlier.Panics
	m.Rejections -= earlier.Rejections
	m.Slow -= earlier.Slow
	m.Refused -= earlier.Refused
	m.Dropped -= earlier.Dropped
	m.RunTime.counts = m.RunTime.counts.Sub(earlier.RunTime.counts)
	m.QueueDelay.counts = m.QueueDelay.counts.Sub(earlier.QueueDelay.counts)
	m.Lateness.counts = m.Lateness.counts.Sub(earlier.Lateness.counts)
	m.describe()
	return m
}

// Add returns the metrics of two loops together. Elapsed and Idle are sums, so Idle divided by Elapsed is the mean
// part of the time that the loops slept. Running is the longer one. The zero Metrics have no loops.
func (m Metrics) Add(other Metrics) Metrics {
	m.Loops += other.Loops
	m.Elapsed += other.Elapsed
	m.Idle += other.Idle
	m.Running = max(m.Running, other.Running)
	m.Ran = m.Ran.plus(other.Ran, plus)
	m.Jobs += other.Jobs
	m.Panics += other.Panics
	m.Rejections += other.Rejections
	m.Slow += other.Slow
	m.Refused += other.Refused
	m.Dropped += other.Dropped
	m.Queued = m.Queued.plus(other.Queued, plus)
	m.RunTime.counts = m.RunTime.counts.Add(other.RunTime.counts)
	m.QueueDelay.counts = m.QueueDelay.counts.Add(other.QueueDelay.counts)
	m.Lateness.counts = m.Lateness.counts.Add(other.Lateness.counts)
	m.describe()
	return m
}

// Throughput is the number of callbacks a second that ran in Elapsed: of a window, see [Metrics.Sub].
func (m Metrics) Throughput() float64 {
	elapsed := m.Elapsed / time.Duration(max(m.Loops, 1))
	if elapsed <= 0 {
		return 0
	}
	return float64(m.Ran.Total()) / elapsed.Seconds()
}

// Utilization is the part of Elapsed in which the loop did not sleep, between 0 and 1: Node's eventLoopUtilization.
func (m Metrics) Utilization() float64 {
	if m.Elapsed <= 0 {
		return 0
	}
	return 1 - float64(m.Idle)/float64(m.Elapsed)
}

// LogValue is for [log/slog]: a group of the numbers that an operator looks at.
func (m Metrics) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Duration("elapsed", m.Elapsed),
		slog.Float64("utilization", m.Utilization()),
		slog.Duration("running", m.Running),
		slog.Uint64("ran", m.Ran.Total()),
		slog.Uint64("jobs", m.Jobs),
		slog.Uint64("queued", m.Queued.Total()-m.Queued.Timers),
		slog.Uint64("timers", m.Queued.Timers),
		slog.Any("run_time", m.RunTime),
		slog.Any("queue_delay", m.QueueDelay),
		slog.Any("lateness", m.Lateness),
	)
}

func plus(a, b uint64) uint64  { return a + b }
func minus(a, b uint64) uint64 { return a - b }

func (n Lanes) plus(other Lanes, op func(a, b uint64) uint64) Lanes {
	return Lanes{
		External:   op(n.External, other.External),
		Internal:   op(n.Internal, other.Internal),
		Immediates: op(n.Immediates, other.Immediates),
		Closing:    op(n.Closing, other.Closing),
		Timers:     op(n.Timers, other.Timers),
		IO:         op(n.IO, other.IO),
		Jobs:       op(n.Jobs, other.Jobs),
	}
}

func describe(c *histogram.Counts) Distribution {
	d := Distribution{Count: c.Count(), Sum: time.Duration(c.Sum()), Max: time.Duration(c.Max()), counts: c}
	if c == nil {
		return d
	}
	d.Mean = time.Duration(c.Sum() / float64(c.Count()))
	d.P50, d.P90, d.P95, d.P99, d.P999 = d.Quantile(0.5), d.Quantile(0.9), d.Quantile(0.95), d.Quantile(0.99), d.Quantile(0.999)
	return d
}

// Quantile returns the quantile q, in (0, 1], of the durations. It is 0 for an empty distribution.
func (d Distribution) Quantile(q float64) time.Duration { return time.Duration(d.counts.Quantile(q)) }

// Buckets returns for each bound how many durations are at most that long, as the buckets of a Prometheus histogram are. A
// duration that is less than 3.2 % below a bound may count as longer. The number of all is Count.
func (d Distribution) Buckets(bounds ...time.Duration) []uint64 {
	cumulative := make([]uint64, len(bounds))
	for i, b := range bounds {
		cumulative[i] = d.counts.AtMost(int64(b))
	}
	return cumulative
}

// LogValue is for [log/slog].
func (d Distribution) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Uint64("count", d.Count),
		slog.Duration("mean", d.Mean),
		slog.Duration("p50", d.P50),
		slog.Duration("p99", d.P99),
		slog.Duration("max", d.Max),
	)
}
