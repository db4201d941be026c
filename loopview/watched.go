package loopview

import (
	"slices"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
)

// bounds are the upper ends of the heat maps' rows. One more row takes longer durations.
var bounds = func() (b []time.Duration) {
	for decade := time.Microsecond; decade <= time.Second; decade *= 10 {
		b = append(b, decade, 3*decade)
	}
	return append(b, 10*time.Second)
}()

// A watched is a loop of a view. The view's lock guards it. The recorder and the question have locks of their own,
// which the loop takes, too. They are held for less than a microsecond or, to copy spans, some 10 µs.
type watched struct {
	id       int
	loop     *eventloop.Loop
	question question

	// While somebody looks.
	recorder *recorder
	before   inspect.Metrics
	samples  []sample // the newest last
}

// A sample describes a loop's work in an interval. Its names are short, because many samples are sent.
type sample struct {
	Tick        uint64           `json:"k"`
	At          int64            `json:"t"` // milliseconds since 1970
	Utilization float64          `json:"u"`
	Ran         float64          `json:"n"` // callbacks a second
	Queued      [6]uint64        `json:"q"` // external, internal, immediates, closing, timers, jobs
	Run         []uint64         `json:"r"` // durations in each row of the heat map
	Delay       []uint64         `json:"d"`
	Quantiles   [6]time.Duration `json:"p"` // p50, p99 and max of run time, then of delay
}

func (w *watched) ended() bool {
	select {
	case <-w.loop.Done():
		return true
	default:
		return false
	}
}

func (w *watched) attach(r *reports, tick uint64) {
	w.recorder = &recorder{loop: w.loop, reports: r, tick: tick}
	w.before, w.samples = inspect.ReadMetrics(w.loop), nil
	w.recorder.observe(eventsPerTick)
	w.question.ask(w.loop, w.before.Queued.Timers, time.Now())
}

func (w *watched) detach() {
	if w.recorder != nil {
		w.recorder.end()
	}
	w.recorder, w.before, w.samples = nil, inspect.Metrics{}, nil
}

// take takes a sample, and has phases and callbacks observed again.
func (w *watched) take(tick uint64, now time.Time) {
	w.recorder.nextTick(tick)
	if m := inspect.ReadMetrics(w.loop); m.Loops > 0 {
		w.samples = append(w.samples, newSample(tick, now, m, w.before))
		if len(w.samples) > history {
			w.samples = slices.Delete(w.samples, 0, len(w.samples)-history)
		}
		w.before = m
	}
	if !w.ended() {
		w.recorder.observe(eventsPerTick)
		w.question.ask(w.loop, w.before.Queued.Timers, now)
	}
}

func newSample(tick uint64, now time.Time, m, before inspect.Metrics) sample {
	d := m.Sub(before)
	return sample{
		Tick: tick, At: now.UnixMilli(), Utilization: d.Utilization(), Ran: d.Throughput(),
		Queued: [6]uint64{m.Queued.External, m.Queued.Internal, m.Queued.Immediates, m.Queued.Closing, m.Queued.Timers, m.Queued.Jobs},
		Run:    rows(d.RunTime), Delay: rows(d.QueueDelay),
		Quantiles: [6]time.Duration{d.RunTime.P50, d.RunTime.P99, d.RunTime.Max, d.QueueDelay.P50, d.QueueDelay.P99, d.QueueDelay.Max},
	}
}

// rows counts the durations in each row of a heat map.
func rows(d inspect.Distribution) []uint64 {
	atMost := append(d.Buckets(bounds...), d.Count)
	for i := len(atMost) - 1; i > 0; i-- {
		atMost[i] -= min(atMost[i], atMost[i-1])
	}
	return atMost
}
