// Package sched is the one door through which the core synchronises: locks, atomics, channels, timers, the clock,
// goroutines.
//
// In ordinary builds everything here is Go's own type or a function that is inlined, so it costs nothing. With the
// build tag explore the same names are those of a deterministic scheduler, which runs one goroutine at a time, chooses
// at every operation who goes on, and can repeat what it chose. See package internal/explore.
package sched
