package gojaloop

import (
	"time"

	"github.com/dop251/goja"
)

// Stats counts what a runtime has done.
type Stats struct {
	Callbacks uint64        // of the loop: the main script, timers, immediates, completions
	Ticks     uint64        // process.nextTick callbacks
	Busy      time.Duration // spent in callbacks
	Longest   time.Duration // the longest callback with its ticks and promise jobs
}

// Stats returns the counts. It must be called on the loop, or when that has ended.
func (rt *Runtime) Stats() Stats { return rt.stats }

// Failure tells why the runtime has stopped, or nil. It must be called on the loop, or when a call has returned
// [ErrStopped].
func (rt *Runtime) Failure() error { return rt.failure }

// Inspect shows a value as console.log would. It must be called on the loop.
func (rt *Runtime) Inspect(v goja.Value) string { return rt.inspect(v) }
