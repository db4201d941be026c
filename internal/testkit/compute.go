package testkit

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Compute keeps goroutines busy until the test ends. Their work is counted in iterations, so a goroutine that waits for a
// processor does not count that as work.
func Compute(t testing.TB, goroutines int) {
	var stop atomic.Bool
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for !stop.Load() {
				Work(300_000) // about 100 µs
			}
		})
	}
	t.Cleanup(func() { stop.Store(true); all.Wait() })
}

var sink atomic.Uint64

// Work computes for a number of iterations.
//
//go:noinline
func Work(iterations int) {
	x := uint64(iterations)
	for range iterations {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink.Store(x)
}
