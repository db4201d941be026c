package workload

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop/tournament/guard"
	"github.com/eventloop-go/eventloop/tournament/internal/stopwatch"
	"github.com/eventloop-go/eventloop/tournament/result"
)

// A clock times the part of a trial that counts.
type clock interface {
	start()
	stop()
}

// A benchClock is the clock of a benchmark. The meter beside it takes the figures that are judged.
type benchClock struct {
	b *testing.B
	*meter
}

func (c benchClock) start() {
	c.meter.start()
	c.b.ResetTimer()
}

func (c benchClock) stop() {
	c.b.StopTimer()
	c.meter.stop()
}

// A meter takes the figures that a testing.B takes.
type meter struct {
	began   stopwatch.Reading
	elapsed time.Duration
	before  runtime.MemStats
	after   runtime.MemStats
	stopped bool
}

func (m *meter) start() {
	runtime.ReadMemStats(&m.before)
	m.began = stopwatch.Now()
}

func (m *meter) stop() {
	m.elapsed = stopwatch.Since(m.began)
	runtime.ReadMemStats(&m.after)
	m.stopped = true
}

// sample turns the figures into a sample, if the guard lets it pass. A workload may have reported a truer ns/op itself.
func (m *meter) sample(n int, metrics map[string]float64) (result.Sample, error) {
	if !m.stopped {
		return result.Sample{}, errors.New("the workload timed nothing: a fault of the workload")
	}
	ops := float64(n)
	s := result.Sample{
		N:           n,
		NsPerOp:     float64(m.elapsed.Nanoseconds()) / ops,
		BytesPerOp:  float64(m.after.TotalAlloc-m.before.TotalAlloc) / ops,
		AllocsPerOp: float64(m.after.Mallocs-m.before.Mallocs) / ops,
		Elapsed:     m.elapsed,
	}
	for unit, value := range metrics {
		if unit == NsPerOp {
			s.NsPerOp = value
			continue
		}
		if s.Metrics == nil {
			s.Metrics = make(map[string]float64)
		}
		s.Metrics[unit] = value
	}
	return s, guard.Sample(s, n)
}
