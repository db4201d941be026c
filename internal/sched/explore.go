//go:build explore

package sched

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop/internal/explore"
)

// The types are the scheduler's, which are Go's own outside a run.
type (
	Mutex          = explore.Mutex
	Bool           = explore.Bool
	Int32          = explore.Int32
	Int64          = explore.Int64
	Uint32         = explore.Uint32
	Uint64         = explore.Uint64
	Pointer[T any] = explore.Pointer[T]
	Timer          = explore.Timer
)

// Go runs fn on a goroutine of its own.
func Go(fn func()) { explore.Go(fn) }

// YieldIfQuick lets other goroutines run.
func YieldIfQuick() bool {
	explore.Yield()
	return true
}

// Pause is a point of choice.
func Pause(iterations int) { explore.Pause(iterations) }

// Processors is the number of goroutines that seem to run at the same time.
func Processors() int { return explore.Processors() }

// Now is the time.
func Now() time.Time { return explore.Now() }

// Since is the time that has passed since t.
func Since(t time.Time) time.Duration { return explore.Since(t) }

// AfterFunc runs fn on a goroutine of its own when d has passed.
func AfterFunc(d time.Duration, fn func()) *Timer { return explore.AfterFunc(d, fn) }

// AfterContext runs fn on a goroutine of its own when ctx has ended: see [context.AfterFunc].
func AfterContext(ctx context.Context, fn func()) (stop func() bool) {
	return explore.AfterContext(ctx, fn)
}

// WithTimeout returns a context that ends, with cause, when d has passed.
func WithTimeout(ctx context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := AfterFunc(d, func() { cancel(cause) })
	return ctx, func() {
		t.Stop()
		cancel(nil)
	}
}

// Send puts a token into a channel that has room for it, or waits until it has.
func Send(ch chan<- struct{}) { explore.Send(ch) }

// TrySend puts a token into a channel if that has room for it.
func TrySend(ch chan<- struct{}) { explore.TrySend(ch) }

// Receive waits for a token, or until the channel is closed.
func Receive(ch <-chan struct{}) { explore.Receive(ch) }

// Close closes a channel.
func Close(ch chan struct{}) { explore.Close(ch) }

// WaitAny waits until one of the channels has a token, which it takes, or is closed, and returns its place. A nil
// channel never is.
func WaitAny(a, b, c <-chan struct{}) int { return explore.WaitAny(a, b, c) }
