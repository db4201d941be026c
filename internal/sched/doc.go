// Package sched is the only package through which the core synchronises: locks, atomics, channels, timers, the clock,
// goroutines.
//
// In ordinary builds everything here is Go's own type or a function that is inlined, so it costs nothing. With the
// build tag explore the same names refer to a deterministic scheduler. It runs one goroutine at a time, chooses the
// next one at every operation, and can repeat its choices. See package internal/explore.
package sched
