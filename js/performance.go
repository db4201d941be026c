package js

import (
	"time"

	"github.com/eventloop-go/eventloop/internal/sched"
)

// Now is performance.now (High Resolution Time): milliseconds since the time origin, by a clock that does not jump.
func (e *Env) Now() float64 { return float64(e.now()) / millisecond }

// TimeOrigin is performance.timeOrigin: when the environment was made, in milliseconds since the Unix epoch.
func (e *Env) TimeOrigin() float64 {
	return float64(e.origin.UnixNano()/int64(time.Microsecond)) / 1000
}

// A Performance measures a program: it has the interface Performance of High Resolution Time, Performance Timeline
// and User Timing, and the additions of Node's perf_hooks. Its methods may be called from any goroutine.
//
// Times are milliseconds since the time origin of the environment. The timeline keeps every mark and measure until it
// is cleared.
type Performance struct {
	env *Env

	mu      sched.Mutex
	entries []PerformanceEntry // by start time, and by making where that is equal
	marks   map[string]float64 // start time of the mark that was made last, by name
}

// NewPerformance makes a Performance with an empty timeline of its own. Any goroutine may call it.
func (e *Env) NewPerformance() *Performance {
	return &Performance{env: e, marks: make(map[string]float64)}
}

// Now is [Env.Now].
func (p *Performance) Now() float64 { return p.env.Now() }

// TimeOrigin is [Env.TimeOrigin].
func (p *Performance) TimeOrigin() float64 { return p.env.TimeOrigin() }
