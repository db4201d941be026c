// Package guard catches benchmarks with misleading figures. Such a benchmark performed fewer operations than
// requested or took no time. Or it retains memory of every operation, so that its figure depends on how long it ran.
package guard

import (
	"fmt"
	"math"
	"runtime"

	"github.com/eventloop-go/eventloop/tournament/result"
)

// Sample returns the fault of a sample of a benchmark that was asked for n operations.
func Sample(s result.Sample, n int) error {
	switch {
	case s.N < n:
		return fmt.Errorf("performed %d of %d operations: the figure would be of work that was not done", s.N, n)
	case s.Elapsed <= 0 || s.NsPerOp <= 0 || math.IsNaN(s.NsPerOp) || math.IsInf(s.NsPerOp, 0):
		return fmt.Errorf("%d operations took %v, %v ns each: nothing was timed", s.N, s.Elapsed, s.NsPerOp)
	case s.BytesPerOp < 0 || s.AllocsPerOp < 0 || math.IsNaN(s.BytesPerOp) || math.IsNaN(s.AllocsPerOp):
		return fmt.Errorf("%v B and %v allocations for an operation: not a measurement", s.BytesPerOp, s.AllocsPerOp)
	}
	return nil
}

// A Heap is the live heap at some time.
type Heap struct{ objects, bytes int64 }

// MinOps is the number of operations below which Grown reports nothing. Below it, memory that a program keeps once,
// such as a buffer or a goroutine's stack, would look like a share of every operation.
const MinOps = 10_000

// The limits for memory retained after n operations. Either is a line: a part that every benchmark may keep, and a
// part for each operation.
//
// The number of objects separates a leak from a buffer. A queue that has grown with its backlog keeps a few large
// objects, for any length of the backlog. Leaked tasks, promises and handlers are an object each, or more. The limit
// in bytes is for leaks in few objects, such as a list that only grows. It is above the memory that an idle queue may
// keep. That is two buffers of a func value for each task that ever waited, each grown to twice the need.
const (
	freeObjects  = 2_000
	objectsPerOp = 0.02
	freeBytes    = 4 << 20
	bytesPerOp   = 64
)

// Alive collects garbage and notes the live heap. Call it before the first operation, in a program that is otherwise
// at rest.
func Alive() Heap {
	// The first collection moves the contents of pools to where the second finds them.
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Heap{objects: int64(m.HeapObjects), bytes: int64(m.HeapAlloc)}
}

// A GrowthError says that memory grows with the number of operations.
type GrowthError struct {
	N              int
	Objects, Bytes int64 // alive after N operations and not before
}

// Error gives the growth for an operation.
func (e *GrowthError) Error() string {
	return fmt.Sprintf("memory grows with the number of operations: %d of them left %d objects, %d B behind, %.2f and %.1f B each",
		e.N, e.Objects, e.Bytes, float64(e.Objects)/float64(e.N), float64(e.Bytes)/float64(e.N))
}

// Grown returns a [*GrowthError] if n operations have left behind more than they may. Call it after the last one,
// when all their work is done, while the loop is still in use.
func (h Heap) Grown(n int) error {
	if n < MinOps {
		return nil
	}
	now := Alive()
	grown := &GrowthError{N: n, Objects: now.objects - h.objects, Bytes: now.bytes - h.bytes}
	if float64(grown.Objects) > freeObjects+objectsPerOp*float64(n) || float64(grown.Bytes) > freeBytes+bytesPerOp*float64(n) {
		return grown
	}
	return nil
}
