package otelloop

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
)

const (
	scope       = "github.com/eventloop-go/eventloop/otelloop"
	nameKey     = attribute.Key("eventloop.name")
	laneKey     = attribute.Key("eventloop.lane")
	stateKey    = attribute.Key("nodejs.eventloop.state")
	replacement = "\uFFFD"
)

// Instruments report the metrics of loops. All methods may be called from any goroutine.
//
// Collecting takes some microseconds for each loop, see [inspect.ReadMetrics]; between collections they do nothing.
// They keep loops until they have ended. For ended ones they keep at most 45 KB for each name.
type Instruments struct {
	registration metric.Registration

	utilization, running     metric.Float64ObservableGauge
	time                     metric.Float64ObservableCounter
	callbacks, jobs          metric.Int64ObservableCounter
	panics, rejections       metric.Int64ObservableCounter
	slow, refused, dropped   metric.Int64ObservableCounter
	queued, armed            metric.Int64ObservableUpDownCounter
	lateness, runTime, delay summary

	mu     sync.Mutex
	loops  []*eventloop.Loop
	ended  map[string]inspect.Metrics // the sums of loops that have ended, by name
	before map[string]inspect.Metrics // as of the last collection
}

// A summary is the gauges of a distribution.
type summary struct{ max, mean, p50, p90, p99 metric.Float64ObservableGauge }

// New makes the instruments, and has provider collect them; see [Instruments.Add] for the loops.
func New(provider metric.MeterProvider, loops ...*eventloop.Loop) (*Instruments, error) {
	i := &Instruments{ended: make(map[string]inspect.Metrics), before: make(map[string]inspect.Metrics)}
	for _, l := range loops {
		i.Add(l)
	}
	b := builder{meter: provider.Meter(scope)}
	i.utilization = b.gauge("nodejs.eventloop.utilization", "1", "Event loop utilization.")
	i.time = kept[metric.Float64ObservableCounter](&b)(b.meter.Float64ObservableCounter("nodejs.eventloop.time",
		metric.WithUnit("s"), metric.WithDescription("Cumulative duration of time the event loop has been in each state.")))
	i.lateness = b.summary("nodejs.eventloop.delay", "How long after their deadline timers began to run")
	i.callbacks = kept[metric.Int64ObservableCounter](&b)(b.meter.Int64ObservableCounter("eventloop.callback.count",
		metric.WithUnit("{callback}"), metric.WithDescription("Callbacks that have run.")))
	i.jobs = kept[metric.Int64ObservableCounter](&b)(b.meter.Int64ObservableCounter("eventloop.job.count",
		metric.WithUnit("{job}"), metric.WithDescription("nextTick callbacks and microtasks that have run.")))
	i.queued = kept[metric.Int64ObservableUpDownCounter](&b)(b.meter.Int64ObservableUpDownCounter("eventloop.queue.length",
		metric.WithUnit("{callback}"), metric.WithDescription("Callbacks that have been accepted and wait to run.")))
	i.armed = kept[metric.Int64ObservableUpDownCounter](&b)(b.meter.Int64ObservableUpDownCounter("eventloop.timer.armed",
		metric.WithUnit("{timer}"), metric.WithDescription("Timers that are armed.")))
	i.panics = b.counter("eventloop.callback.panics", "{callback}", "Callbacks that panicked or called Goexit.")
	i.rejections = b.counter("eventloop.rejection.unhandled", "{promise}", "Promises that were rejected with nothing attached.")
	i.slow = b.counter("eventloop.callback.slow", "{callback}", "Callbacks that inspect.WithSlowCallbacks reported.")
	i.refused = b.counter("eventloop.refused", "{call}", "Calls that accepted nothing, because the queue was full or the loop was ending.")
	i.dropped = b.counter("eventloop.dropped", "{callback}", "Callbacks and timers that were accepted and did not run, of loops that have ended.")
	i.running = b.gauge("eventloop.callback.running", "s", "How long the callback in progress has been running.")
	i.runTime = b.summary("eventloop.callback.duration", "How long callbacks ran, with the nextTick callbacks and microtasks that follow")
	i.delay = b.summary("eventloop.queue.delay", "How long callbacks waited from being accepted to being run, of one callback in 32")
	if b.err == nil {
		i.registration, b.err = b.meter.RegisterCallback(i.collect, b.all...)
	}
	if b.err != nil {
		return nil, b.err
	}
	return i, nil
}

// Add adds a loop, which must have been made with [inspect.WithMetrics]: others have no metrics. Loops of the same name are
// added up, and ended ones stay in the sums, so that no counter ever falls. A loop that is nil or there already is not
// added.
func (i *Instruments) Add(loop *eventloop.Loop) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if loop != nil && !slices.Contains(i.loops, loop) {
		i.loops = append(i.loops, loop)
	}
}

// Close ends collecting.
func (i *Instruments) Close() error { return i.registration.Unregister() }

// A builder makes instruments, and keeps errors.
type builder struct {
	meter metric.Meter
	all   []metric.Observable
	err   error
}

// kept takes an instrument that was made, or why it was not.
func kept[I metric.Observable](b *builder) func(I, error) I {
	return func(instrument I, err error) I {
		b.err = errors.Join(b.err, err)
		b.all = append(b.all, instrument)
		return instrument
	}
}

func (b *builder) counter(name, unit, description string) metric.Int64ObservableCounter {
	return kept[metric.Int64ObservableCounter](b)(b.meter.Int64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(description)))
}

func (b *builder) gauge(name, unit, description string) metric.Float64ObservableGauge {
	return kept[metric.Float64ObservableGauge](b)(b.meter.Float64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(description)))
}

func (b *builder) summary(name, description string) summary {
	return summary{
		max:  b.gauge(name+".max", "s", description+", at most."),
		mean: b.gauge(name+".mean", "s", description+", in the mean."),
		p50:  b.gauge(name+".p50", "s", description+", the median."),
		p90:  b.gauge(name+".p90", "s", description+", of 90 % at most."),
		p99:  b.gauge(name+".p99", "s", description+", of 99 % at most."),
	}
}

func (i *Instruments) collect(_ context.Context, o metric.Observer) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	for name, m := range i.totals() {
		i.observe(o, name, m, m.Sub(i.before[name]))
		i.before[name] = m
	}
	return nil
}

// totals adds up the loops of each name. The lock is held.
func (i *Instruments) totals() map[string]inspect.Metrics {
	totals := make(map[string]inspect.Metrics, len(i.ended)+len(i.loops))
	alive := i.loops[:0]
	for _, l := range i.loops {
		ended := false
		select {
		case <-l.Done():
			ended = true
		default:
		}
		name := strings.ToValidUTF8(l.Name(), replacement)
		m := inspect.ReadMetrics(l)
		switch {
		case !ended:
			alive = append(alive, l)
			if m.Loops > 0 {
				totals[name] = totals[name].Add(m)
			}
		case m.Loops > 0:
			i.ended[name] = i.ended[name].Add(m)
		}
	}
	clear(i.loops[len(alive):])
	i.loops = alive
	for name, m := range i.ended {
		totals[name] = totals[name].Add(m)
	}
	return totals
}

func (i *Instruments) observe(o metric.Observer, name string, m, window inspect.Metrics) {
	with := func(more ...attribute.KeyValue) metric.MeasurementOption {
		return metric.WithAttributeSet(attribute.NewSet(append(more, nameKey.String(name))...))
	}
	loop := with()
	o.ObserveFloat64(i.utilization, window.Utilization(), loop)
	o.ObserveFloat64(i.time, (m.Elapsed - m.Idle).Seconds(), with(stateKey.String("active")))
	o.ObserveFloat64(i.time, m.Idle.Seconds(), with(stateKey.String("idle")))
	o.ObserveFloat64(i.running, m.Running.Seconds(), loop)
	o.ObserveInt64(i.jobs, int64(m.Jobs), loop)
	o.ObserveInt64(i.panics, int64(m.Panics), loop)
	o.ObserveInt64(i.rejections, int64(m.Rejections), loop)
	o.ObserveInt64(i.slow, int64(m.Slow), loop)
	o.ObserveInt64(i.refused, int64(m.Refused), loop)
	o.ObserveInt64(i.dropped, int64(m.Dropped), loop)
	for _, lane := range []struct {
		name        string
		ran, queued uint64
	}{
		{"external", m.Ran.External, m.Queued.External}, {"internal", m.Ran.Internal, m.Queued.Internal},
		{"immediates", m.Ran.Immediates, m.Queued.Immediates}, {"closing", m.Ran.Closing, m.Queued.Closing},
	} {
		o.ObserveInt64(i.callbacks, int64(lane.ran), with(laneKey.String(lane.name)))
		o.ObserveInt64(i.queued, int64(lane.queued), with(laneKey.String(lane.name)))
	}
	o.ObserveInt64(i.armed, int64(m.Queued.Timers), loop)
	o.ObserveInt64(i.callbacks, int64(m.Ran.Timers), with(laneKey.String("timers")))
	o.ObserveInt64(i.callbacks, int64(m.Ran.IO), with(laneKey.String("io")))
	o.ObserveInt64(i.queued, int64(m.Queued.Jobs), with(laneKey.String("jobs")))
	i.lateness.observe(o, window.Lateness, loop)
	i.runTime.observe(o, window.RunTime, loop)
	i.delay.observe(o, window.QueueDelay, loop)
}

// observe observes nothing if there was nothing to measure: a duration of 0 would be one that was measured.
func (s summary) observe(o metric.Observer, d inspect.Distribution, loop metric.MeasurementOption) {
	seconds := func(g metric.Float64ObservableGauge, of time.Duration) { o.ObserveFloat64(g, of.Seconds(), loop) }
	if d.Max > 0 {
		seconds(s.max, d.Max) // of a callback in progress, too
	}
	if d.Count == 0 {
		return
	}
	seconds(s.mean, d.Mean)
	seconds(s.p50, d.P50)
	seconds(s.p90, d.P90)
	seconds(s.p99, d.P99)
}
