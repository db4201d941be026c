// Package performance is performance, its entries and PerformanceObserver (High Resolution Time, Performance Timeline, User
// Timing).
package performance

import (
	"time"

	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// A Clock is the clock of the scripts.
type Clock interface {
	Now() float64        // milliseconds since TimeOrigin, by a clock that does not jump
	TimeOrigin() float64 // milliseconds since 1970
	Busy() time.Duration // spent in callbacks
}

// Define defines the natives of these scripts.
func Define(e engine.Engine, clock Clock) {
	e.Define("milliseconds", func(engine.Args) any { return clock.Now() })
	e.Define("timeOrigin", func(engine.Args) any { return clock.TimeOrigin() })
	e.Define("busy", func(engine.Args) any { return float64(clock.Busy()) / float64(time.Millisecond) })
	e.Define("soon", func(a engine.Args) any {
		e.Soon(a.Value(0))
		return nil
	})
}
