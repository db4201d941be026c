//go:build !explore

package sched

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// The types are Go's own.
type (
	Mutex          = sync.Mutex
	Bool           = atomic.Bool
	Int32          = atomic.Int32
	Int64          = atomic.Int64
	Uint32         = atomic.Uint32
	Uint64         = atomic.Uint64
	Pointer[T any] = atomic.Pointer[T]
	Timer          = time.Timer
)

// Go runs fn on a goroutine of its own.
func Go(fn func()) { go fn() }

// YieldIfQuick lets other goroutines run. It is an optimisation that nothing waits for. On a machine with time to
// spare a yield takes microseconds. Elsewhere it takes a time slice for each goroutine that waits for a processor. So
// each yield is timed, and a slow one disables further yields for many times its duration. It returns whether it
// yielded and that was quick.
func YieldIfQuick() bool {
	start := int64(time.Since(loaded))
	if start < resumeYields.Load() {
		return false
	}
	runtime.Gosched()
	took := int64(time.Since(loaded)) - start
	if took > slowYield {
		resumeYields.Store(start + yieldPause*took)
	}
	return took <= slowYield
}

const (
	slowYield  = 1_000_000 // nanoseconds; a time slice has 10 ms
	yieldPause = 256       // so slow yields take less than half a percent of the time
)

var (
	loaded       = time.Now()
	resumeYields atomic.Int64 // no yield before this time since loaded; all loops share it, because they share the machine
)

// Pause keeps the processor busy for some iterations of an empty loop, without touching memory.
func Pause(iterations int) {
	for range iterations {
	}
}

// Processors is the number of goroutines that can run at the same time.
func Processors() int { return runtime.GOMAXPROCS(0) }

// Now is the time.
func Now() time.Time { return time.Now() }

// Since is the time that has passed since t.
func Since(t time.Time) time.Duration { return time.Since(t) }

// AfterFunc runs fn on a goroutine of its own when d has passed.
func AfterFunc(d time.Duration, fn func()) *Timer { return time.AfterFunc(d, fn) }

// AfterContext runs fn on a goroutine of its own when ctx has ended. The function returned prevents that, and reports
// whether it did: see [context.AfterFunc].
func AfterContext(ctx context.Context, fn func()) (stop func() bool) {
	return context.AfterFunc(ctx, fn)
}

// WithTimeout returns a context that ends, with cause, when d has passed: see [context.WithTimeoutCause].
func WithTimeout(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, cause)
}

// Send puts a token into a channel that has room for it, or waits until it has.
func Send(ch chan<- struct{}) { ch <- struct{}{} }

// TrySend puts a token into a channel if that has room for it.
func TrySend(ch chan<- struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// Receive waits for a token, or until the channel is closed.
func Receive(ch <-chan struct{}) { <-ch }

// Close closes a channel.
func Close(ch chan struct{}) { close(ch) }

// WaitAny waits until one of the channels has a token, which it takes, or is closed, and returns its place. A nil
// channel never is.
func WaitAny(a, b, c <-chan struct{}) int {
	select {
	case <-a:
		return 0
	case <-b:
		return 1
	case <-c:
		return 2
	}
}
