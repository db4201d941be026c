package js

import "math"

const (
	millisecond  = 1e6
	longestDelay = 1<<31 - 1 // milliseconds
	webLevel     = 5         // nesting beyond this is clamped
	webClamp     = 4         // to this many milliseconds
)

// nodeDelay is Node's rule (lib/internal/timers.js): what is not between 1 and 2³¹−1 ms, NaN included, is 1 ms, and
// fractions are cut off.
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

// delay converts a caller's delay to whole milliseconds, and tells the nesting level of the new timer, which is known
// only to calls made on the loop. To find out costs a microsecond, so it is asked only when a timer is in progress.
func (e *Env) delay(ms float64) (int64, int) {
	if !e.web {
		return nodeDelay(ms), 0
	}
	e.mu.Lock()
	nesting := e.nesting
	e.mu.Unlock()
	if nesting > 0 && !e.loop.OnLoop() {
		nesting = 0
	}
	return webDelay(ms, nesting), nesting + 1
}
