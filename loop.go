package eventloop

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop/internal/blocking"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/netpoll"
	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// A Loop is an event loop: it runs callbacks one at a time, on the goroutine that called [Loop.Run].
//
// Make one with [New]. All methods may be called from any goroutine, callbacks included. A Loop runs once: when Run
// has returned, the loop is terminated for good, and a new one is to be made.
type Loop struct {
	// Shared with every goroutine. The ingress has its own lock; see ingress.go and poll.go for the protocol.
	in     ingress
	timers timers.Store // begins with what the ingress lock guards, next to the alarm's fields; the rest keeps away from that

	_ [64]byte // keeps the line that producers write apart from what everybody reads

	// Set by New, read-only afterwards.
	epoch    time.Time     // the loop's clock counts from here
	wake     chan struct{} // the one channel the loop parks on, capacity 1
	started  chan struct{} // closed when Run has been called
	done     chan struct{} // closed when the loop has ended
	onPanic  func(*PanicError)
	autoExit bool
	driven   bool          // see Drive, which sets it before anything runs
	meter    *meter.Meter  // see WithMetrics; nil without
	bound    *bound        // see WithQueueLimit; nil without
	values   map[any]any   // see adapter.WithValue
	clock    inside.Clock  // that of a test; nil for the machine's
	name     string        // see WithName
	drainFor time.Duration // see WithDrainTimeout; 0 without

	creations *creations // see WithTraceCreation; nil without

	// Any goroutine's.
	ending   lifetime // see Context
	blocking blocking.Pool
	poller   netpoll.Poller[func(IOEvents)]
	live     sched.Int64  // what keeps an auto-exit loop open; see keepalive.go
	mark     onstack.Mark // of the calls that run the loop, on their goroutine's stack
	owner    sched.Uint64 // mark, while such a call is in progress, or 0

	_ [64]byte

	// Everything below belongs to the owner goroutine.
	core       inside.Core // the queues of microtasks; begins with what others may write, seldom
	ticks      queue.FIFO[inside.Job]
	internal   queue.Backlog
	external   queue.Backlog
	immediates queue.Backlog
	closing    queue.Backlog
	inMicros   bool   // a checkpoint is draining microtasks, or was when one of them panicked
	checks     int    // immediates left to run in this phase
	ioReady    bool   // the poller may have something to report
	jobs       uint64 // ticks and microtasks that have run
	slept      bool   // poll has parked the last time
	parallel   bool   // more than one processor: producers can run while the owner pauses
	holds      int    // see adapter.Hooks.Hold
	withdrawn  int    // calls in the external lane that [Loop.Do] has run inline
	batch      int    // how much came in last time: external tasks, or 1 if there was something else only
	fed        bool   // see feedsItself, and the next
	fedLook    int
	busy       busyPolling
	observed   *observation    // nil if nobody observes the loop
	telling    bool            // guardObserved runs the phase
	task       context.Context // in an execution trace; nil while there has been none
	endTask    func()
	dropped    Dropped
	runErr     error
}

// New makes a loop that is ready to accept work. The work waits until a goroutine calls [Loop.Run].
//
// A loop that is never run needs no Close; the garbage collector takes it.
func New(opts ...Option) *Loop {
	l := &Loop{
		epoch:   sched.Now(),
		wake:    make(chan struct{}, 1),
		started: make(chan struct{}),
		done:    make(chan struct{}),
	}
	l.core.Loop, l.core.Public = view{l}, l
	l.in.state = stateNew
	l.in.armed = never
	l.poller.Init(netpoll.System(), (*ioOwner)(l))
	for _, o := range opts {
		if o != nil {
			o.apply(l)
		}
	}
	l.initTimers()
	return l
}

// Run makes the calling goroutine the owner of the loop and runs callbacks on it until the loop ends:
//
//   - nil after [Loop.Shutdown], or, with [WithAutoExit], when nothing referenced is left;
//   - when ctx ends, or has ended, an error that matches its error and its cause, after the same graceful drain as Shutdown;
//   - a [*ClosedError] after [Loop.Close];
//   - [ErrLoopRunning] or [ErrLoopTerminated], at once, if the loop is running or has ended already. A loop runs once.
//
// If a callback calls [runtime.Goexit], the loop goes on, but the goroutine is doomed: Run then ends it instead of
// returning when the loop has ended. [Loop.Done] and Shutdown tell that end to others. Each such call costs the loop some
// stack, as of today less than a KB, until it ends; return is the way to end a callback.
func (l *Loop) Run(ctx context.Context) error {
	ended := ctx.Err() != nil // a nil ctx panics here, before it can leave a loop without an owner
	if err := l.start(); err != nil {
		return err
	}
	if ended {
		_ = l.beginShutdown(inside.ContextError(ctx)) // AfterFunc would be late: it starts a goroutine
	}
	stop := sched.AfterContext(ctx, func() { _ = l.beginShutdown(inside.ContextError(ctx)) })
	defer stop()
	l.runLabelled(ctx)
	return l.runErr
}

// own runs turns until the loop has ended.
//
// When a callback calls Goexit, nothing can keep this goroutine from unwinding, but deferred calls run for as long
// as they like: the rest of the loop's life is spent in one, still on the goroutine that called Run. Every Goexit
// costs some stack until the end, less than a KB.
//
// A panic that gets here is not a callback's, whose panics end in catch: it is a fault of the loop, which may hold its
// lock. It goes on to Run's caller.
func (l *Loop) own() {
	ended := false
	defer func() {
		if ended {
			return
		}
		if v := recover(); v != nil {
			panic(v)
		}
		defer l.own() // deferred, for the handler may call Goexit in its turn
		l.reportPanic(failure(nil))
	}()
	if m := l.meter; m != nil && m.Exited() {
		m.ExitedAt(l.jobs, l.now())
	}
	l.core.Coroutines.Open()
	l.take()
	for l.turn() {
	}
	l.finish()
	ended = true
}

// turn runs every phase once, in Node's order, and reports whether there is another turn.
//
// A phase runs what was there when it began; what its callbacks add to their own lane waits for the next turn. Work
// for a later phase is taken over in between, so it runs in this turn.
func (l *Loop) turn() bool {
	// Ticks and microtasks that were scheduled with no callback in progress run ahead of everything.
	if l.timersDue() || l.jobsWaiting() {
		l.guard(phaseTimers)
		l.take()
	}
	if !l.internal.Empty() {
		l.guard(phaseInternal)
		l.take()
	}
	if !l.external.Empty() {
		l.guard(phaseExternal)
	}
	if !l.poll() {
		return false
	}
	if l.ioReady {
		l.dispatchIO()
	}
	if l.checks = l.immediates.Len(); l.checks > 0 {
		l.guard(phaseImmediates)
		l.take()
	}
	if !l.closing.Empty() {
		l.guard(phaseClosing)
		l.take()
	}
	return true
}

// now is the loop's monotonic clock, in nanoseconds since New.
func (l *Loop) now() int64 {
	if l.clock != nil {
		return l.clock.Now()
	}
	return int64(sched.Since(l.epoch))
}
