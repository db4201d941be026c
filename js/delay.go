package js

import "math"

const (
	millisecond  = 1e6
	longestDelay = 1<<31 - 1 // milliseconds
	webLevel     = 5         // nesting beyond this is clamped
	webClamp     = 4         // to this many milliseconds
)

// nodeDelay is Node's rule (lib/internal/timers.js): values outside 1 to 2³¹−1 ms, and NaN, become 1 ms. Fractions
// are cut off.
func nodeDelay(ms float64) int64 {
	if ms >= 1 && ms <= longestDelay {
		return int64(ms)
	}
	return 1
}

// webDelay is HTML's rule: conversion to a WebIDL long, which wraps around; negative means 0.
func webDelay(ms float64, nesting int) int64 {
	d := int64(0)
	if !math.IsNaN(ms) && !math.IsInf(ms, 0) {
		d = int64(int32(uint32(int64(math.Mod(math.Trunc(ms), 1<<32)))))
	}
	d = max(d, 0)
	if nesting > webLevel {
		d = max(d, webClamp)
	}
	return d
}

// delay converts a caller's delay to whole milliseconds, and returns the nesting level of the new timer, which is
// known only to calls made on the loop. That check costs a microsecond, so it is made only when a timer is in
// progress.
func (e *Env) delay(ms float64) (int64, int) {
	if !e.web {
		return nodeDelay(ms), 0
	}
	e.mu.Lock()
	nesting := e.nesting
	e.mu.Unlock()
	if nesting > 0 && !e.hooks.OnLoop() {
		nesting = 0
	}
	return webDelay(ms, nesting), nesting + 1
}
