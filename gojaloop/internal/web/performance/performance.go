// Package performance is performance, its entries and PerformanceObserver (High Resolution Time, Performance Timeline, User
// Timing). The clock that its scripts read is with the runtime: a script may ask for the time very often.
package performance

import (
	"github.com/eventloop-go/eventloop/gojaloop/internal/engine"
)

// Define gives these scripts what they build on.
func Define(e engine.Engine) {
	e.Define("soon", func(a engine.Args) any {
		e.Soon(a.Value(0))
		return nil
	})
}
