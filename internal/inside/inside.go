// Package inside lets packages of this module use what package eventloop does not export.
package inside

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop/internal/blocking"
)

// A Loop is a loop as packages of this module see it.
type Loop interface {
	// WaitError is the error of a call that waited for the loop until ctx ended: [ContextError], and
	// eventloop.ErrLoopNotRunning if nobody has called Run.
	WaitError(ctx context.Context) error

	// These are for package adapter, which has their meaning.
	Accepting() bool
	Callback(fn func()) bool
	Hold(n int)
	Isolate(fn func())
	Slept() bool
	TakeImmediate() bool
	Value(key any) any
	Clock() func() time.Time
	EnqueueJob(job Job) error
	Fail(err error)

	// FetchJobs moves the microtasks of other goroutines to the owner's queue. For [Core.Enqueue].
	FetchJobs()

	// Asleep reports whether the loop sleeps. Nudge has it look again at what there is to do. Load is about how many
	// tasks wait, those of the batch in progress included, and one for a loop that does not sleep. For packages looptest and
	// loopgroup, from any goroutine.
	Asleep() bool
	Nudge()
	Load() int

	// WithTimeout is [context.WithTimeoutCause] on the loop's clock. It must be called on the loop. What then does is done
	// when the context has ended because of the time, unless the clock is the machine's.
	WithTimeout(ctx context.Context, d time.Duration, cause error, then func()) (context.Context, context.CancelFunc)

	// Blocking is where functions that may block run on behalf of the loop.
	Blocking() *blocking.Pool
}

// Of returns that view of an *eventloop.Loop. Package eventloop sets it.
var Of func(loop any) Loop

// WithValue returns the eventloop.Option of adapter.WithValue. Package eventloop sets it.
var WithValue func(key, value any) any
