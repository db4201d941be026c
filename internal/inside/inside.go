// Package inside lets packages of this module use what package eventloop does not export.
package inside

import (
	"context"
	"github.com/eventloop-go/eventloop/internal/meter"
	"time"

	"github.com/eventloop-go/eventloop/internal/blocking"
)

// A Loop is a loop as packages of this module see it.
type Loop interface {
	// WaitError is the error of a call that waited for the loop until ctx ended: [ContextError], and
	// eventloop.ErrLoopNotRunning if nobody has called Run.
	WaitError(ctx context.Context) error

	// MayWait is for a caller that is about to wait for the loop. On the loop it returns eventloop.ErrOnLoop. The
	// context returned ends with that error if the caller turns out to be a generator that the loop waits for. If release
	// is not nil, it must be called after the wait.
	MayWait(ctx context.Context) (_ context.Context, release func(), err error)

	// Post is eventloop.Loop.Submit for package loopsource, whose events have a limit of their own. A graceful
	// shutdown refuses it, unless rest says that it continues accepted work.
	Post(fn func(), rest bool) error

	// KeepAlive is eventloop.Loop.KeepAlive, with one allocation less.
	KeepAlive() (KeepAlive, error)

	// These are for package adapter, which has their meaning.
	Accepting() bool
	OnLoop() bool
	Context() context.Context
	ScheduleClose(fn func()) error
	Drive() (Driver, error)
	AtEnd(stop, end func()) error
	Callback(fn func()) bool
	Hold(n int)
	Isolate(fn func())
	Slept() bool
	TakeImmediate() bool
	Value(key any) any
	Clock() func() time.Time
	EnqueueJob(job Job) error
	Fail(err error)
	Count(f meter.Fault) // from any goroutine

	// FetchJobs moves the microtasks of other goroutines to the owner's queue. For [Core.Enqueue].
	FetchJobs()

	// Asleep reports whether the loop sleeps. Nudge makes the loop check its queues again. Load is about the number
	// of waiting tasks, those of the batch in progress included, plus one for a loop that is awake. For packages
	// looptest and loopgroup, from any goroutine.
	Asleep() bool
	Drained(holds int) bool // it sleeps, and a shutdown waits for no more than so many holds: see adapter.Hooks.Hold
	Wake()
	Load() int

	// WithTimeout is [context.WithTimeoutCause] on the loop's clock. It must be called on the loop. The loop calls
	// then when the context has ended because of the time, unless the clock is the machine's.
	WithTimeout(ctx context.Context, d time.Duration, cause error, then func()) (context.Context, context.CancelFunc)

	// AfterContext is [context.AfterFunc], but for a loop in a [Simulation].
	AfterContext(ctx context.Context, fn func()) (stop func() bool)

	// Blocking is where functions that may block run on behalf of the loop.
	Blocking() *blocking.Pool
}

// A KeepAlive keeps a loop open until its first Release. Any goroutine may call that.
type KeepAlive interface{ Release() }

// A Driver is adapter.Driver.
type Driver interface {
	Ready() <-chan struct{}
	RunReady() (more bool, err error)
	RunOnce(wait time.Duration) (more bool, err error)
	Alive() bool
	Close() error
}

// Of returns that view of an *eventloop.Loop. Package eventloop sets it.
var Of func(loop any) Loop

// WithValue returns the eventloop.Option of adapter.WithValue. Package eventloop sets it.
var WithValue func(key, value any) any
