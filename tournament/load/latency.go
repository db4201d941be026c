package load

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/eventloop-go/eventloop/tournament/choose"
)

// longest is the longest latency recorded exactly; longer ones count as that.
const longest = int64(time.Hour)

// latencies are the distributions of one trial, with three significant digits.
type latencies struct {
	start, end *hdrhistogram.Histogram // from the intended start
	late       *hdrhistogram.Histogram // the generator's
	queued     *hdrhistogram.Histogram // from the submission to the start
	fired      *hdrhistogram.Histogram // timers', from when they were due
	n          int
}

func newLatencies() *latencies {
	h := func() *hdrhistogram.Histogram { return hdrhistogram.New(1, longest, 3) }
	return &latencies{start: h(), end: h(), late: h(), queued: h(), fired: h()}
}

// add records the first n slots.
func (l *latencies) add(d *driver, n int) error {
	record := func(h *hdrhistogram.Histogram, v int64) error {
		if err := h.RecordValue(min(max(v, 0), longest)); err != nil {
			return fmt.Errorf("record a latency of %d ns: %w", v, err)
		}
		return nil
	}
	for i := range d.slots[:n] {
		s := &d.slots[i]
		if err := record(l.start, s.start-s.due); err != nil {
			return err
		}
		if err := record(l.end, s.end-s.due); err != nil {
			return err
		}
		if err := record(l.late, s.late); err != nil {
			return err
		}
		if err := record(l.queued, s.start-s.due-s.late); err != nil {
			return err
		}
		if d.spec.Mix == choose.Timers && i%timerEvery == 0 {
			if err := record(l.fired, s.fired); err != nil {
				return err
			}
		}
	}
	l.n += n
	return nil
}

// The percentiles that are reported, and the names of their units.
var percentiles = []struct {
	name string
	at   float64
}{{"p50-ns", 50}, {"p90-ns", 90}, {"p99-ns", 99}, {"p99.9-ns", 99.9}}

// p99 is the figure for ranking: the 99th percentile of the latency to the end.
func (l *latencies) p99() time.Duration { return time.Duration(max(1, l.end.ValueAtPercentile(99))) }
