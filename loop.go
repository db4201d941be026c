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
// has returned, the loop is terminated for good. Make a new one then.
type Loop struct {
	// Shared with every goroutine. The ingress has its own lock; see ingress.go and poll.go for the protocol.
	in     ingress
	timers timers.Store // begins with the fields that the ingress lock guards, next to the alarm's fields; the rest keeps away from them

	_ [64]byte // keeps the line that producers write apart from the fields that everybody reads

	// Set by New, read-only afterwards.
	epoch      time.Time     // the loop's clock counts from here
	token      chan struct{} // the one channel the loop parks on, capacity 1
	ready      chan struct{} // notifications of a driven loop to its driver, capacity 1; nil otherwise
	started    chan struct{} // closed when Run has been called
	done       chan struct{} // closed when the loop has ended
	onPanic    func(*PanicError)
	autoExit   bool
	driven     bool              // see adapter.Drive, which sets it before anything runs
	meter      *meter.Meter      // see inspect.WithMetrics; nil without
	bound      *bound            // see WithQueueLimit; nil without
	values     map[any]any       // see adapter.WithValue
	clock      inside.Clock      // that of a test; nil for the machine's
	simulation inside.Simulation // the clock, if it is more than that; else nil
	name       string            // see WithName
	drainFor   time.Duration     // see WithDrainTimeout; 0 without

	creations *creations // see WithTraceCreation; nil without

	// Any goroutine's.
	ending    lifetime // see adapter.Hooks.Context
	enders    []ender  // see atend.go; the ingress lock guards it until the end, when it is the owner's
	blocking  blocking.Pool
	poller    netpoll.Poller[func(IOEvents)]
	spareCall sched.Pointer[call]
	live      sched.Int64  // what keeps an auto-exit loop open; see keepalive.go
	mark      onstack.Mark // of the calls that run the loop, on their goroutine's stack
	owner     sched.Uint64 // mark while the loop is awake, 0 while it sleeps and nobody can be on it; the owner's to set

	_ [64]byte

	// Everything below belongs to the owner goroutine.
	core     inside.Core // the queues of microtasks; begins with the fields that others write, rarely
	ticks    queue.FIFO[inside.Job]
	backlogs [len(lanes)]queue.Backlog
	budget   int    // callbacks that the lane in progress may still run in this turn
	inMicros bool   // a checkpoint is draining microtasks, or was when one of them panicked
	ioReady  bool   // the poller may have something to report
	jobs     uint64 // ticks and microtasks that have run
	alone    uint64 // jobs before a task that ran alone since the last sleep; else noTask
	slept    bool   // the loop has slept since the last turn
	parked   bool   // it sleeps, or has not yet noted that it was woken
	parallel bool   // more than one processor: producers can run while the owner looks for work
	holds    int    // see adapter.Hooks.Hold
	busy     busyPolling
	observed *observation    // nil if nobody observes the loop
	telling  bool            // runPhaseObserved runs the phase
	task     context.Context // in an execution trace; nil while there has been none
	endTask  func()
	dropped  Dropped
	runErr   error
}

// New makes a loop that is ready to accept work. The work waits until a goroutine calls [Loop.Run].
//
// A loop that is never run needs no Close; the garbage collector takes it.
func New(opts ...Option) *Loop {
	l := &Loop{
		epoch:   sched.Now(),
		token:   make(chan struct{}, 1),
		started: make(chan struct{}),
		done:    make(chan struct{}),
	}
	l.core.Loop, l.core.Public = view{l}, l
	l.in.state = stateNew
	l.core.Attention.Store(inside.AttendNew)
	l.in.armed, l.in.drainAt = never, never
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
//   - an error that matches [ErrLoopClosed] after [Loop.Close], with the counts of dropped work in its text;
//   - [ErrLoopRunning] or [ErrLoopTerminated], at once, if the loop is running or has ended already. A loop runs once.
//
// If a callback calls [runtime.Goexit], the loop goes on. But when the loop has ended, Run ends the goroutine instead
// of returning. [Loop.Done] and Shutdown report that end to others. Each such call costs the loop some stack, as of
// today less than a KB, until the loop ends. To end a callback, return.
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
	if l.name == "" {
		l.mark.Call(l.runLoop) // without a frame between: an idle loop's stack has 2 KB
	} else {
		l.runLabelled(ctx)
	}
	return l.runErr
}

// runLoop runs turns until the loop has ended.
//
// When a callback calls Goexit, nothing can keep this goroutine from unwinding, but deferred calls run for as long
// as they like: the rest of the loop's life is spent in one, still on the goroutine that called Run. Every Goexit
// costs some stack until the end, less than a KB.
//
// A panic that gets here is a fault of the loop, which may hold its lock. (Panics of callbacks end in catch.) It goes
// on to Run's caller.
func (l *Loop) runLoop() {
	ended := false
	defer func() {
		if ended {
			return
		}
		if v := recover(); v != nil {
			panic(v)
		}
		defer l.runLoop() // deferred, because the handler may call Goexit too
		l.reportPanic(failure(nil))
	}()
	if m := l.meter; m != nil && m.Exited() {
		m.ExitedAt(l.jobs, l.now())
	}
	l.core.Coroutines.Open()
	l.take()
	for l.turn() {
	}
	ended = true // before finish, in which a package's function may call Goexit
	l.finish()
}

// turn runs every phase once, in Node's order, and reports whether there is another turn.
//
// A phase runs the callbacks that were queued when it began. Callbacks added to its own lane wait for the next turn.
// Work for a later phase is taken over in between, so it runs in this turn.
func (l *Loop) turn() bool {
	// Ticks and microtasks that were scheduled with no callback in progress run ahead of everything.
	if l.timersDue() || l.jobsWaiting() {
		l.runPhase(phaseTimers)
		l.take()
	}
	if !l.backlogs[meter.Internal].Empty() {
		l.runPhase(phaseInternal)
		l.take()
	}
	if !l.backlogs[meter.External].Empty() {
		l.runPhase(phaseExternal)
	}
	v := l.poll()
	for ; v == handed; v = l.poll() {
		l.runPhase(phaseExternal)
	}
	if v == ended {
		return false
	}
	if l.ioReady {
		l.dispatchIO()
	}
	if !l.backlogs[meter.Immediates].Empty() {
		l.runPhase(phaseImmediates)
		l.take()
	}
	if !l.backlogs[meter.Closing].Empty() {
		l.runPhase(phaseClosing)
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
