package otelloop

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

func running(t *testing.T, name string, tasks int, opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	l := eventloop.New(append(opts, eventloop.WithName(name))...)
	go func() { _ = l.Run(context.Background()) }()
	t.Cleanup(func() { end(l) })
	work(t, l, tasks)
	return l
}

// work has the loop run a timer, tasks, and a microtask for each.
func work(t *testing.T, l *eventloop.Loop, tasks int) {
	t.Helper()
	fired := make(chan struct{})
	if _, err := l.ScheduleTimer(0, func() { close(fired) }); err != nil {
		t.Fatal(err)
	}
	<-fired
	for range tasks {
		if err := l.Submit(func() { _ = l.ScheduleMicrotask(func() {}) }); err != nil {
			t.Fatal(err)
		}
	}
}

func end(l *eventloop.Loop) {
	_ = l.Shutdown(context.Background())
	<-l.Done()
}

// A collected has a reader's data: values by metric and attributes, and units and kinds by metric.
type collected struct {
	values map[string]map[attribute.Set]float64
	units  map[string]string
}

func collect(t *testing.T, r *sdk.ManualReader) (c collected) {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := r.Collect(context.Background(), &all); err != nil {
		t.Fatal(err)
	}
	c = collected{make(map[string]map[attribute.Set]float64), make(map[string]string)}
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			if m.Description == "" {
				t.Errorf("%s has no description", m.Name)
			}
			values := make(map[attribute.Set]float64)
			kind := ""
			switch d := m.Data.(type) {
			case metricdata.Gauge[float64]:
				kind = "gauge"
				for _, p := range d.DataPoints {
					values[p.Attributes] = p.Value
				}
			case metricdata.Sum[float64]:
				kind = "counter"
				for _, p := range d.DataPoints {
					values[p.Attributes] = p.Value
				}
			case metricdata.Sum[int64]:
				kind = "up-down counter"
				if d.IsMonotonic {
					kind = "counter"
				}
				for _, p := range d.DataPoints {
					values[p.Attributes] = float64(p.Value)
				}
			}
			c.values[m.Name], c.units[m.Name] = values, kind+" "+m.Unit
		}
	}
	return c
}

func (c collected) value(name, loop string, more ...attribute.KeyValue) (float64, bool) {
	v, found := c.values[name][attribute.NewSet(append(more, nameKey.String(loop))...)]
	return v, found
}

func provided(t *testing.T, loops ...*eventloop.Loop) (*Instruments, *sdk.ManualReader) {
	t.Helper()
	r := sdk.NewManualReader()
	i, err := New(sdk.NewMeterProvider(sdk.WithReader(r)), loops...)
	if err != nil {
		t.Fatal(err)
	}
	return i, r
}

func TestNamesKindsAndUnitsAreThoseDocumented(t *testing.T) {
	l := running(t, "x", 100, inspect.WithMetrics())
	end(l)
	_, r := provided(t, l)
	got := collect(t, r).units
	want := map[string]string{
		"nodejs.eventloop.utilization": "gauge 1", "nodejs.eventloop.time": "counter s",
		"eventloop.callback.count": "counter {callback}", "eventloop.job.count": "counter {job}",
		"eventloop.queue.length": "up-down counter {callback}", "eventloop.timer.armed": "up-down counter {timer}",
		"eventloop.callback.running": "gauge s",
		"eventloop.callback.panics":  "counter {callback}", "eventloop.callback.slow": "counter {callback}",
		"eventloop.rejection.unhandled": "counter {promise}", "eventloop.refused": "counter {call}", "eventloop.dropped": "counter {callback}",
	}
	for _, name := range []string{"nodejs.eventloop.delay", "eventloop.callback.duration", "eventloop.queue.delay"} {
		for _, of := range []string{".max", ".mean", ".p50", ".p90", ".p99"} {
			want[name+of] = "gauge s"
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v\nwant %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestACollectionHasWhatTheLoopsHaveDone(t *testing.T) {
	orders := running(t, "orders", 100, inspect.WithMetrics())
	end(orders)
	i, r := provided(t, orders, nil, running(t, "unmeasured", 1))
	other := running(t, "", 0, inspect.WithMetrics())
	i.Add(other)
	i.Add(other)
	c := collect(t, r)
	for _, e := range []struct {
		name string
		want float64
		more []attribute.KeyValue
	}{
		{"eventloop.callback.count", 100, []attribute.KeyValue{laneKey.String("external")}},
		{"eventloop.callback.count", 1, []attribute.KeyValue{laneKey.String("timers")}},
		{"eventloop.callback.count", 0, []attribute.KeyValue{laneKey.String("io")}},
		{"eventloop.job.count", 100, nil},
		{"eventloop.timer.armed", 0, nil},
		{"eventloop.queue.length", 0, []attribute.KeyValue{laneKey.String("external")}},
		{"eventloop.queue.length", 0, []attribute.KeyValue{laneKey.String("jobs")}},
	} {
		if v, found := c.value(e.name, "orders", e.more...); v != e.want || !found {
			t.Errorf("%s %v: %v, want %v", e.name, e.more, v, e.want)
		}
	}
	u, found := c.value("nodejs.eventloop.utilization", "orders")
	if !found || u <= 0 || u > 1 {
		t.Errorf("utilization %v", u)
	}
	m := inspect.ReadMetrics(orders)
	active, _ := c.value("nodejs.eventloop.time", "orders", stateKey.String("active"))
	idle, _ := c.value("nodejs.eventloop.time", "orders", stateKey.String("idle"))
	if active <= 0 || active != (m.Elapsed-m.Idle).Seconds() || idle != m.Idle.Seconds() {
		t.Errorf("active %v, idle %v, metrics %v", active, idle, m)
	}
	if v, found := c.value("eventloop.callback.duration.max", "orders"); v != m.RunTime.Max.Seconds() || !found {
		t.Errorf("%v, want %v", v, m.RunTime.Max)
	}
	if _, found := c.value("eventloop.job.count", ""); !found {
		t.Error("a loop without a name has no metrics")
	}
	if _, found := c.value("eventloop.job.count", "unmeasured"); found {
		t.Error("a loop without metrics has some")
	}
}

func TestDurationsAreThoseSinceTheLastCollection(t *testing.T) {
	l := running(t, "x", 0, inspect.WithMetrics())
	_, r := provided(t, l)
	began := make(chan struct{})
	_ = l.Submit(func() {
		close(began)
		for start := time.Now(); time.Since(start) < 5*time.Millisecond; {
		}
	})
	<-began
	_ = l.Do(t.Context(), func() {})
	if v, _ := collect(t, r).value("eventloop.callback.duration.max", "x"); v < 0.005 {
		t.Errorf("the longest callback took %v s", v)
	}
	end(l)
	collect(t, r)
	c := collect(t, r) // of a window in which nothing ran
	if v, found := c.value("eventloop.callback.duration.p99", "x"); found {
		t.Errorf("p99 %v, though nothing ran", v)
	}
	if v, found := c.value("eventloop.callback.count", "x", laneKey.String("external")); v != 2 || !found {
		t.Errorf("%v callbacks", v)
	}
}

func TestLoopsOfANameAreAddedUpAndCountersNeverFall(t *testing.T) {
	a, b := running(t, "x\xff", 10, inspect.WithMetrics()), running(t, "x\xff", 20, inspect.WithMetrics())
	i, r := provided(t, a, b)
	end(a)
	collect(t, r)
	end(b)
	for range 3 {
		if v, _ := collect(t, r).value("eventloop.callback.count", "x"+replacement, laneKey.String("external")); v != 30 {
			t.Errorf("%v callbacks, want 30", v)
		}
	}
	if len(i.loops) != 0 {
		t.Error("loops that have ended are kept")
	}
	if err := i.Close(); err != nil {
		t.Fatal(err)
	}
	if c := collect(t, r); len(c.values) != 0 {
		t.Errorf("collected after Close: %v", c.values)
	}
}

func TestCollectionsMayComeAtOnceWhileLoopsEnd(t *testing.T) {
	i, r := provided(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				l := running(t, "x", 10, inspect.WithMetrics())
				i.Add(l)
				collect(t, r)
				end(l)
			}
		})
	}
	wait.Wait()
	if v, _ := collect(t, r).value("eventloop.callback.count", "x", laneKey.String("external")); v != 1600 {
		t.Errorf("%v callbacks, want 1600", v)
	}
}

// A provider that refuses.
type refusing struct{ noop.MeterProvider }

type refusingMeter struct{ noop.Meter }

var errRefused = errors.New("refused")

func (refusing) Meter(string, ...metric.MeterOption) metric.Meter { return refusingMeter{} }

func (refusingMeter) Int64ObservableCounter(string, ...metric.Int64ObservableCounterOption) (metric.Int64ObservableCounter, error) {
	return nil, errRefused
}

func TestAProviderThatRefusesIsAnError(t *testing.T) {
	if i, err := New(refusing{}); !errors.Is(err, errRefused) || i != nil {
		t.Error(i, err)
	}
	if _, err := New(noop.NewMeterProvider()); err != nil {
		t.Error(err)
	}
}
