// Package compute is work for a processor: a fixed number of steps, on a goroutine or on many.
package compute

import (
	"sync"
	"sync/atomic"
)

// Steps performs n steps of FNV-1a, each of which needs the result of the one before. A number of steps is work. A time
// on the clock would also count the time for which the goroutine was stopped.
func Steps(sum uint64, n int) uint64 {
	for i := range n {
		sum = (sum ^ uint64(i&0xff)) * 1099511628211
	}
	return sum
}

// Piece is the number of steps after which a goroutine of a [Crowd] looks whether to stop: a tenth of a millisecond or so.
const Piece = 100_000

// A Crowd is goroutines that compute, one piece of work after the other. They never wait and never yield: the scheduler
// has to take the processor from them, as it has from any goroutine that computes.
type Crowd struct {
	stop   atomic.Bool
	ended  sync.WaitGroup
	pieces atomic.Int64
	sum    atomic.Uint64 // keeps the compiler from removing the work
}

// Beside starts n goroutines that compute until Stop, or until over reports true. It returns when each of them runs.
func Beside(n int, over func() bool) *Crowd {
	c := &Crowd{}
	var began sync.WaitGroup
	began.Add(n)
	for i := range n {
		c.ended.Go(func() {
			sum := Steps(uint64(i+1), Piece)
			began.Done()
			for !c.stop.Load() && !over() {
				sum = Steps(sum, Piece)
				c.pieces.Add(1)
			}
			c.sum.Add(sum)
		})
	}
	began.Wait()
	return c
}

// Stop ends the goroutines and waits for them. It returns the number of pieces of work that they have performed. Stopping
// again returns the same.
func (c *Crowd) Stop() int64 {
	c.stop.Store(true)
	c.ended.Wait()
	return c.pieces.Load()
}
