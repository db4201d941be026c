package promloop

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/prometheus/client_golang/prometheus"
)

// A Collector is a [prometheus.Collector] of the metrics of loops. All methods may be called from any goroutine. The zero
// Collector has no loops, and is ready to use.
//
// Collecting takes some microseconds for each loop, see [inspect.ReadMetrics]; between collections it does nothing.
// It keeps loops until they have ended. For ended ones it keeps at most 45 KB for each name.
type Collector struct {
	mu    sync.Mutex
	loops []*eventloop.Loop
	ended map[string]inspect.Metrics // the sums of loops that have ended, by name
}

// New returns a collector of the metrics of loops; see [Collector.Add].
func New(loops ...*eventloop.Loop) *Collector {
	c := &Collector{}
	for _, l := range loops {
		c.Add(l)
	}
	return c
}

// Add adds a loop, which must have been made with [inspect.WithMetrics]: others have no metrics. A loop that is nil or
// there already is not added.
func (c *Collector) Add(loop *eventloop.Loop) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if loop != nil && !slices.Contains(c.loops, loop) {
		c.loops = append(c.loops, loop)
	}
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("eventloop_"+name, help, append([]string{"loop"}, labels...), nil)
}

var (
	loopsDesc     = desc("loops", "Loops that have not ended.")
	callbacksDesc = desc("callbacks_total", "Callbacks that have run.", "lane")
	jobsDesc      = desc("jobs_total", "nextTick callbacks and microtasks that have run.")
	queuedDesc    = desc("queued", "Callbacks that have been accepted and wait to run.", "lane")
	armedDesc     = desc("timers_armed", "Timers that are armed.")
	panicsDesc    = desc("panics_total", "Callbacks that panicked or called Goexit.")
	rejectedDesc  = desc("unhandled_rejections_total", "Promises that were rejected with nothing attached.")
	slowDesc      = desc("slow_callbacks_total", "Callbacks that inspect.WithSlowCallbacks reported.")
	refusedDesc   = desc("refused_total", "Calls that accepted nothing, because the queue was full or the loop was ending.")
	droppedDesc   = desc("dropped_total", "Callbacks and timers that were accepted and did not run, of loops that have ended.")
	timeDesc      = desc("time_seconds_total", "Time since the loops began to run, asleep with nothing to do (idle) or not (active).", "state")
	runningDesc   = desc("running_seconds", "How long the callback in progress has been running.")
	runTimeDesc   = desc("run_time_seconds", "How long callbacks ran, with the nextTick callbacks and microtasks that follow.")
	delayDesc     = desc("queue_delay_seconds", "How long callbacks waited from being accepted to being run: of one callback in 32, at a random place.")
	latenessDesc  = desc("timer_lateness_seconds", "How long after their deadline timers began to run.")

	descs = []*prometheus.Desc{loopsDesc, callbacksDesc, jobsDesc, queuedDesc, armedDesc, panicsDesc, rejectedDesc, slowDesc, refusedDesc, droppedDesc, timeDesc, runningDesc, runTimeDesc, delayDesc, latenessDesc}
)

// bounds are the buckets of the histograms.
var bounds = []time.Duration{
	10 * time.Microsecond, 25 * time.Microsecond, 50 * time.Microsecond,
	100 * time.Microsecond, 250 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond,
	10 * time.Millisecond, 25 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 250 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 5 * time.Second, 10 * time.Second,
}

// Describe implements [prometheus.Collector].
func (c *Collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range descs {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *Collector) Collect(to chan<- prometheus.Metric) {
	for name, t := range c.totals() {
		t.collect(name, to)
	}
}

// A total is of all loops of a name.
type total struct {
	alive   int
	metrics inspect.Metrics
}

func (c *Collector) totals() map[string]total {
	c.mu.Lock()
	defer c.mu.Unlock()
	totals := make(map[string]total, len(c.ended)+len(c.loops))
	alive := c.loops[:0]
	for _, l := range c.loops {
		ended := false
		select {
		case <-l.Done():
			ended = true
		default:
		}
		name := strings.ToValidUTF8(l.Name(), "�") // a label has to be valid
		m := inspect.ReadMetrics(l)
		switch {
		case !ended:
			alive = append(alive, l)
			if m.Loops > 0 {
				t := totals[name]
				totals[name] = total{t.alive + 1, t.metrics.Add(m)}
			}
		case m.Loops > 0:
			if c.ended == nil {
				c.ended = make(map[string]inspect.Metrics)
			}
			c.ended[name] = c.ended[name].Add(m)
		}
	}
	clear(c.loops[len(alive):])
	c.loops = alive
	for name, m := range c.ended {
		t := totals[name]
		totals[name] = total{t.alive, t.metrics.Add(m)}
	}
	return totals
}

func (t total) collect(name string, to chan<- prometheus.Metric) {
	send := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, kind, value, append([]string{name}, labels...)...)
	}
	m := t.metrics
	send(loopsDesc, prometheus.GaugeValue, float64(t.alive))
	lanes := func(d *prometheus.Desc, kind prometheus.ValueType, n inspect.Lanes) {
		send(d, kind, float64(n.External), "external")
		send(d, kind, float64(n.Internal), "internal")
		send(d, kind, float64(n.Immediates), "immediates")
		send(d, kind, float64(n.Closing), "closing")
	}
	lanes(callbacksDesc, prometheus.CounterValue, m.Ran)
	send(callbacksDesc, prometheus.CounterValue, float64(m.Ran.Timers), "timers")
	send(callbacksDesc, prometheus.CounterValue, float64(m.Ran.IO), "io")
	lanes(queuedDesc, prometheus.GaugeValue, m.Queued)
	send(queuedDesc, prometheus.GaugeValue, float64(m.Queued.Jobs), "jobs")
	send(armedDesc, prometheus.GaugeValue, float64(m.Queued.Timers))
	send(jobsDesc, prometheus.CounterValue, float64(m.Jobs))
	send(panicsDesc, prometheus.CounterValue, float64(m.Panics))
	send(rejectedDesc, prometheus.CounterValue, float64(m.Rejections))
	send(slowDesc, prometheus.CounterValue, float64(m.Slow))
	send(refusedDesc, prometheus.CounterValue, float64(m.Refused))
	send(droppedDesc, prometheus.CounterValue, float64(m.Dropped))
	send(timeDesc, prometheus.CounterValue, (m.Elapsed - m.Idle).Seconds(), "active")
	send(timeDesc, prometheus.CounterValue, m.Idle.Seconds(), "idle")
	send(runningDesc, prometheus.GaugeValue, m.Running.Seconds())
	to <- histogram(runTimeDesc, m.RunTime, name)
	to <- histogram(delayDesc, m.QueueDelay, name)
	to <- histogram(latenessDesc, m.Lateness, name)
}

func histogram(d *prometheus.Desc, of inspect.Distribution, name string) prometheus.Metric {
	buckets := make(map[float64]uint64, len(bounds))
	for i, n := range of.Buckets(bounds...) {
		buckets[bounds[i].Seconds()] = n
	}
	return prometheus.MustNewConstHistogram(d, of.Count, of.Sum.Seconds(), buckets, name)
}
