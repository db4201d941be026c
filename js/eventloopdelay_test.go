package js_test

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

func (s *script) monitor(resolution int) *js.EventLoopDelay {
	d, err := s.NewPerformance().MonitorEventLoopDelay(resolution)
	if err != nil {
		s.t.Fatal(err)
	}
	return d
}

func (s *script) enable(d *js.EventLoopDelay, want bool) {
	if started, err := d.Enable(); err != nil || started != want {
		s.t.Errorf("Enable: %v, %v, want %v", started, err, want)
	}
}

// Node, perf_hooks: the time between two firings of a timer, which includes its period.
func TestDelayHistogramRecordsTheTimeBetweenFirings(t *testing.T) {
	scripted(t, func(s *script) {
		d := s.monitor(10)
		s.enable(d, true)
		s.timeout(func() { pass(27) }, 35) // the firing at 40 comes at 62
		s.timeout(func() {
			if !d.Disable() || d.Disable() {
				s.t.Error("the first Disable, and only that, stops")
			}
			// Firings at 10, 20, 30, 62, 72, 82.
			values := []float64{10, 10, 32, 10, 10}
			mean, squares := 72.0/5, 0.0
			for _, v := range values {
				squares += (v - mean) * (v - mean)
			}
			stddev := time.Duration(math.Round(math.Sqrt(squares/5) * 1e6))
			if d.Count() != 5 || d.Min() != 10*ms || d.Max() != 32*ms || d.Mean() != 14400*time.Microsecond || (d.Stddev()-stddev).Abs() > 1 || d.Exceeds() != 0 {
				s.t.Errorf("count %d, min %v, max %v, mean %v, stddev %v (want %v), exceeds %d", d.Count(), d.Min(), d.Max(), d.Mean(), d.Stddev(), stddev, d.Exceeds())
			}
		}, 85)
		s.timeout(func() {
			if d.Count() != 5 {
				s.t.Errorf("%d values after Disable", d.Count())
			}
		}, 150)
	})
}

func TestDelayPercentilesAreNearTheValuesOfTheirRank(t *testing.T) {
	scripted(t, func(s *script) {
		d := s.monitor(1)
		s.enable(d, true)
		n := 0
		var busy func()
		busy = func() { // firings n·1 ms apart, for n from 2 to 100
			if n++; n < 100 {
				pass(n)
				s.immediate(func() { s.timeout(busy, 1) })
				return
			}
			d.Disable()
			for _, p := range []float64{0.001, 25, 50, 90, 99, 100} {
				got, err := d.Percentile(p)
				rank := max(math.Ceil(p/100*float64(d.Count())), 1)
				want := time.Duration(rank)*ms + ms
				if err != nil || (got-want).Abs() > want/64+ms {
					s.t.Errorf("percentile %v of %d values is %v, want about %v (%v)", p, d.Count(), got, want, err)
				}
			}
			if got, _ := d.Percentile(100); got != d.Max() {
				s.t.Errorf("percentile 100 is %v, the largest value %v", got, d.Max())
			}
		}
		s.timeout(busy, 1)
	})
}

// The steps follow Node's map: 0, then halves of the rest until the largest value, then 100.
func TestDelayPercentilesAscendByHalves(t *testing.T) {
	scripted(t, func(s *script) {
		d := s.monitor(10)
		check := func(percents ...float64) {
			var got []float64
			last := time.Duration(-1)
			for p, v := range d.Percentiles() {
				got = append(got, p)
				if v < last {
					s.t.Errorf("percentile %v is %v, the one before %v", p, v, last)
				}
				last = v
			}
			if !reflect.DeepEqual(got, percents) || last != d.Max() {
				s.t.Errorf("percentiles %v end with %v, want %v and %v", got, last, percents, d.Max())
			}
		}
		check(100)
		s.enable(d, true)
		s.timeout(func() { check(0, 100) }, 55) // four times 10 ms
		s.timeout(func() { pass(25) }, 55)      // 30 ms
		s.timeout(func() { pass(45) }, 95)
		s.timeout(func() {
			check(0, 50, 75, 87.5, 100)
			for p := range d.Percentiles() {
				if p == 50 {
					break
				}
			}
			d.Disable()
		}, 141)
	})
}

func TestDelayHistogramLeavesOutTheTimeItWasDisabled(t *testing.T) {
	scripted(t, func(s *script) {
		d := s.monitor(0) // 10 ms
		s.enable(d, true)
		s.enable(d, false)
		s.timeout(func() { d.Disable() }, 25)
		s.timeout(func() { s.enable(d, true) }, 1025)
		s.timeout(func() {
			if d.Count() != 2 || d.Max() != 10*ms {
				s.t.Errorf("%d values, the largest %v", d.Count(), d.Max())
			}
			d.Reset()
			if v, err := d.Percentile(50); d.Count() != 0 || d.Min() != 0 || d.Max() != 0 || d.Mean() != 0 || d.Stddev() != 0 || v != 0 || err != nil {
				s.t.Error("not empty after Reset")
			}
		}, 1050)
		s.timeout(func() {
			if d.Count() != 2 || d.Min() != 10*ms || d.Mean() != 10*ms {
				s.t.Errorf("%d values since Reset, mean %v", d.Count(), d.Mean())
			}
		}, 1080)
	})
}

// Node: hdr_histogram's limit is an hour.
func TestDelaysLongerThanAnHourAreCountedApart(t *testing.T) {
	scripted(t, func(s *script) {
		d := s.monitor(10)
		s.enable(d, true)
		s.timeout(func() { time.Sleep(2 * time.Hour) }, 15)
		s.timeout(func() {
			if d.Exceeds() != 1 || d.Max() != 10*ms {
				s.t.Errorf("%d exceed, the largest is %v", d.Exceeds(), d.Max())
			}
		}, 2*3600*1000+100)
	})
}

func TestDelayHistogramDoesNotKeepTheLoopOpen(t *testing.T) {
	scripted(t, func(s *script) {
		s.enable(s.monitor(10), true)
		s.timeout(s.say("end"), 25)
	}, "end")
}

func TestBadArgumentsOfDelayHistogramsGetErrors(t *testing.T) {
	loop := eventloop.New()
	p := js.New(loop).NewPerformance()
	for _, resolution := range []int{-1, math.MinInt32} {
		if _, err := p.MonitorEventLoopDelay(resolution); !errors.Is(err, js.ErrRange) {
			t.Errorf("resolution %d: %v", resolution, err)
		}
	}
	d, err := p.MonitorEventLoopDelay(math.MaxInt32)
	if err != nil {
		t.Fatal(err)
	}
	for _, percent := range []float64{0, -1, 100.001, nan, inf} {
		if _, err := d.Percentile(percent); !errors.Is(err, js.ErrRange) {
			t.Errorf("percentile %v: %v", percent, err)
		}
	}
	_ = loop.Close()
	if started, err := d.Enable(); started || !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("on a loop that has ended: %v, %v", started, err)
	}
}
