package js

import (
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/histogram"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// An EventLoopDelay is a histogram of how long a loop's timers take to come: the IntervalHistogram of Node's
// perf_hooks. While it is enabled, a timer fires again and again, and the time between two firings is recorded. That is
// the resolution and the delay of the loop together, as in Node. Its methods may be called from any goroutine.
//
// Percentiles are within 1/64, 1.6 %, of a value that was recorded; all else is exact, but for rounding. An empty
// histogram has zeros, where Node's has NaN and 2⁶³.
type EventLoopDelay struct {
	loop       *eventloop.Loop
	resolution time.Duration

	mu      sched.Mutex
	timer   eventloop.Timer
	enabled bool
	fired   bool // since it was enabled or reset
	last    time.Time

	values  histogram.Histogram
	min     time.Duration
	mean    float64
	squares float64 // sum of the squares of the distances from the mean
	exceeds uint64
}

// longestEventLoopDelay is the largest value that Node's histogram takes.
const longestEventLoopDelay = time.Hour

const defaultEventLoopResolution = 10 // milliseconds

// MonitorEventLoopDelay makes a histogram that is not enabled: perf_hooks.monitorEventLoopDelay. The resolution is
// the period of its timer in milliseconds; 0 means 10.
//
// Errors: [ErrRange] for a resolution that is negative or longer than 2³¹−1.
func (p *Performance) MonitorEventLoopDelay(resolution int) (*EventLoopDelay, error) {
	if resolution < 0 || resolution > longestDelay {
		return nil, &Exception{ErrRange.Name, fmt.Sprintf("MonitorEventLoopDelay needs a resolution of 1 to %d milliseconds, or 0 for %d, not %d",
			longestDelay, defaultEventLoopResolution, resolution)}
	}
	if resolution == 0 {
		resolution = defaultEventLoopResolution
	}
	return &EventLoopDelay{loop: p.env.loop, resolution: time.Duration(resolution) * time.Millisecond}, nil
}

// Enable starts the timer, which does not keep the loop open, and reports whether it was not running. The first value
// is recorded at its second firing. Earlier values stay; the time since then is not recorded as a value, unlike in
// Node 20.
//
// Errors: those of [eventloop.Timer.Reset].
func (d *EventLoopDelay) Enable() (started bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.enabled {
		return false, nil
	}
	timer := d.loop.NewTicker(eventloop.DelayMissed, d.fire)
	if err := timer.Reset(d.resolution); err != nil {
		return false, err
	}
	timer.Unref()
	d.timer, d.enabled, d.fired = timer, true, false
	return true, nil
}

// Disable stops the timer and reports whether it was running. The recorded values stay.
func (d *EventLoopDelay) Disable() (stopped bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.enabled {
		return false
	}
	d.enabled = false
	d.loop.CancelTimer(d.timer)
	return true
}

func (d *EventLoopDelay) fire() {
	now := sched.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.enabled {
		return
	}
	if d.fired {
		d.record(now.Sub(d.last))
	}
	d.fired, d.last = true, now
}

// record adds a value. Mean and squares are Welford's, which lose no digits.
func (d *EventLoopDelay) record(v time.Duration) {
	if v > longestEventLoopDelay {
		d.exceeds++
		return
	}
	d.values.Record(int64(v))
	if d.values.Count() == 1 || v < d.min {
		d.min = v
	}
	distance := float64(v) - d.mean
	d.mean += distance / float64(d.values.Count())
	d.squares += distance * (float64(v) - d.mean)
}

// Reset empties the histogram. If it is enabled it stays enabled, and starts again with the next firing.
func (d *EventLoopDelay) Reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.values.Reset()
	d.min, d.mean, d.squares, d.exceeds, d.fired = 0, 0, 0, 0, false
}

// Count returns how many values were recorded.
func (d *EventLoopDelay) Count() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.values.Count()
}

// Exceeds returns how many values were longer than an hour. They are in none of the other figures.
func (d *EventLoopDelay) Exceeds() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.exceeds
}

// Min returns the smallest value.
func (d *EventLoopDelay) Min() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.min
}

// Max returns the largest value.
func (d *EventLoopDelay) Max() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Duration(d.values.Max())
}

// Mean returns the arithmetic mean.
func (d *EventLoopDelay) Mean() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Duration(math.Round(d.mean))
}

// Stddev returns the standard deviation, of the values as a whole and not as a sample.
func (d *EventLoopDelay) Stddev() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.values.Count() == 0 {
		return 0
	}
	return time.Duration(math.Round(math.Sqrt(d.squares / float64(d.values.Count()))))
}

// Percentile returns the value that so many percent of the values do not exceed.
//
// Errors: [ErrRange] unless percent is more than 0 and no more than 100.
func (d *EventLoopDelay) Percentile(percent float64) (time.Duration, error) {
	if !(percent > 0 && percent <= 100) {
		return 0, &Exception{ErrRange.Name, fmt.Sprintf("Percentile needs more than 0 and up to 100 percent, not %v", percent)}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.percentile(percent), nil
}

func (d *EventLoopDelay) percentile(percent float64) time.Duration {
	if n := float64(d.values.Count()); n*percent/100 > n-1 {
		return time.Duration(d.values.Max()) // which is exact
	}
	var v [1]int64
	d.values.Quantiles([]float64{percent / 100}, v[:])
	return max(time.Duration(v[0]), d.min)
}

// Percentiles returns the distribution as of the call, as ascending pairs of a percentage and its value. It begins
// with 0, the smallest value, and goes on with 50, 75, 87.5 and so on, each half as far from 100 as the one before.
// It ends when the value is the largest one, and with 100. An empty histogram yields the single pair of 100 and 0.
func (d *EventLoopDelay) Percentiles() iter.Seq2[float64, time.Duration] {
	d.mu.Lock()
	defer d.mu.Unlock()
	type pair struct {
		percent float64
		value   time.Duration
	}
	var pairs []pair
	longest := time.Duration(d.values.Max())
	if n := float64(d.values.Count()); n > 0 {
		pairs = append(pairs, pair{0, d.min})
		for rest := 0.5; d.min < longest; rest /= 2 {
			percent := 100 * (1 - rest)
			pairs = append(pairs, pair{percent, d.percentile(percent)})
			if rest*n < 1 {
				break
			}
		}
	}
	pairs = append(pairs, pair{100, longest})
	return func(yield func(float64, time.Duration) bool) {
		for _, p := range pairs {
			if !yield(p.percent, p.value) {
				return
			}
		}
	}
}
