package eventloop

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/onstack"
	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
	"github.com/eventloop-go/eventloop/internal/timers"
)

// Dropped counts what a loop accepted and did not run.
type Dropped struct {
	External   int // from Submit
	Internal   int // from SubmitInternal
	Immediates int // from ScheduleImmediate
	Closing    int // from ScheduleClose of package adapter
	Ticks      int // from NextTick
	Microtasks int // from ScheduleMicrotask and the hooks of package adapter
	Timers     int // armed and not fired; those of a graceful shutdown too
}

// Callbacks is the sum of all counts but timers.
func (d Dropped) Callbacks() int {
	return d.External + d.Internal + d.Immediates + d.Closing + d.Ticks + d.Microtasks
}

// Done returns a channel that is closed when the loop has ended: its last callback has returned. For a zero Loop,
// which never runs, it is nil.
func (l *Loop) Done() <-chan struct{} { return l.done }

// Dropped tells what the loop had accepted and did not run. It is zero until [Loop.Done] is closed.
func (l *Loop) Dropped() Dropped {
	select {
	case <-l.done:
		return l.dropped
	default:
		return Dropped{}
	}
}

// Shutdown ends the loop gracefully and waits until it has ended: new tasks, immediates and timers are refused,
// everything accepted before runs, with the microtasks, ticks and internal tasks that it causes in turn, and Run
// returns nil. Timers that are due when the shutdown begins run too; others may while it lasts, or are dropped. Any
// number of goroutines may call it; when the loop has already ended it returns nil.
//
// Errors:
//
//   - if ctx ends first, one that matches its error and its cause. The shutdown goes on; [Loop.Close] cuts it short. With a ctx that has ended
//     already, Shutdown only begins it, at little cost, inside a callback too.
//   - [ErrLoopNotRunning] if Run has not been called. Shutdown waits a second for it, because a goroutine that is
//     about to call Run may not have got there. The request stands: new work is refused, and Run, when it is called, drains
//     and returns; [Loop.Close] drops the accepted work. If ctx ends in that second, the error matches both.
//   - [ErrOnLoop] from inside a callback, because the loop cannot end before that returns. The shutdown has begun.
//
// docs/results/linux-amd64/depth.txt has the cost of Shutdown of a loop with nothing to do, at several depths of the
// caller's stack. If the loop does not end soon, the caller also checks once whether it is on the loop. That takes a
// few microseconds (BenchmarkOnLoop), during the wait.
func (l *Loop) Shutdown(ctx context.Context) error {
	_ = ctx.Done() // a nil ctx panics here, before it has changed anything
	err := l.beginShutdown(nil)
	if err == ErrLoopNotRunning {
		err = l.awaitRun(ctx)
	}
	if err != nil {
		return err
	}
	select {
	case <-l.done:
		return nil
	default:
	}
	if ctx.Err() != nil { // the caller does not want to wait, and need not learn at some cost that it must not
		return inside.ContextError(ctx)
	}
	ctx, release, err := view{l}.MayWait(ctx)
	if err != nil {
		return err
	}
	if release != nil {
		defer release()
	}
	if sched.WaitAny(l.done, ctx.Done(), nil) == 1 {
		return inside.ContextError(ctx)
	}
	return nil
}

// runGrace is how long Shutdown waits for a Run that has not been called.
const runGrace = time.Second

// awaitRun waits for Run to be called, but not for long.
func (l *Loop) awaitRun(ctx context.Context) error {
	wait, cancel := context.WithCancel(ctx)
	defer cancel()
	defer sched.AfterFunc(runGrace, cancel).Stop()
	switch {
	case sched.WaitAny(l.started, l.done, wait.Done()) != 2: // done: closed meanwhile
		return nil
	case ctx.Err() != nil:
		return l.waitError(ctx)
	default:
		return ErrLoopNotRunning
	}
}

// beginShutdown makes the loop refuse tasks and drain. Run will return cause.
func (l *Loop) beginShutdown(cause error) error {
	in := &l.in
	in.mu.lock()
	var err error
	var told []ender
	switch in.state {
	case stateZero:
		err = inside.ErrZeroLoop
	case stateNew, stateRunning:
		told = l.enders
		in.state = stateStopping
		in.cause = cause
		in.stopAt = l.now()
		if in.owned {
			l.limitDrain()
		}
		l.core.Attention.Or(inside.AttendStop)
	}
	if err == nil && !in.owned && in.state == stateStopping {
		err = ErrLoopNotRunning
	}
	asleep := in.arrive(pendingNotice)
	in.mu.unlock()
	if asleep {
		l.unpark()
	}
	for _, e := range told { // who has something to do holds the loop up, or it may have drained by now, and refuses the task
		_ = l.SubmitInternal(e.stop)
	}
	return err
}

// limitDrain has the loop closed if it does not drain in time. The lock is held, and the shutdown has begun.
func (l *Loop) limitDrain() {
	switch {
	case l.drainFor <= 0:
	case l.clock != nil:
		l.in.drainAt = timers.After(l.now(), int64(l.drainFor)) // poll looks
	default:
		l.in.drainEnd = sched.AfterFunc(l.drainFor, func() { _ = l.close(ErrDrainTimeout) })
	}
}

// limitDrainByClock closes a loop that has not drained in time by the clock of a test. The lock is held.
func (l *Loop) limitDrainByClock() {
	if l.in.state == stateStopping && l.now() >= l.in.drainAt {
		l.beginClose(ErrDrainTimeout)
	}
}

// beginClose makes the loop drop the remaining work, for a reason. The caller holds the lock.
func (l *Loop) beginClose(reason error) {
	l.in.state = stateClosing
	l.in.cause, l.in.closedFor = ErrLoopClosed, reason
	l.core.Attention.Or(inside.AttendClose)
}

// Close ends the loop at once: the callback in progress is the last. Accepted work that has not run is dropped, and
// counted in [Loop.Dropped] and in the error of Run. Close does not wait; [Loop.Done] does. It may be called from any
// goroutine, from inside a callback, before Run, and during a graceful shutdown.
//
// Errors: [ErrLoopTerminated] if the loop has ended or is being closed already, [ErrInvalid].
func (l *Loop) Close() error { return l.close(nil) }

// close is Close, for a reason.
func (l *Loop) close(reason error) error {
	in := &l.in
	in.mu.lock()
	if !in.draining() {
		err := in.refusal()
		in.mu.unlock()
		return err
	}
	l.beginClose(reason)
	unowned := !in.owned
	if unowned {
		in.state = stateTerminated
	}
	asleep := in.arrive(pendingNotice)
	in.mu.unlock()
	if asleep {
		l.unpark()
	}
	if unowned {
		l.finish()
	}
	return nil
}

// start makes the calling goroutine the owner.
func (l *Loop) start() error {
	in := &l.in
	in.mu.lock()
	defer in.mu.unlock()
	switch {
	case in.state == stateZero:
		return inside.ErrZeroLoop
	case in.state == stateTerminated:
		return ErrLoopTerminated
	case in.owned:
		return ErrLoopRunning
	}
	in.owned = true
	l.core.Attention.And(^inside.AttendNew)
	sched.Close(l.started)
	switch in.state {
	case stateNew:
		in.state = stateRunning
	case stateStopping:
		l.limitDrain()
	}
	l.mark = onstack.New()
	l.owner.Store(uint64(l.mark))
	if l.meter != nil {
		l.meter.Start(l.now())
	}
	l.parallel = sched.Processors() > 1
	return nil
}

// queued counts the callbacks that wait in each lane. The lock is held, or nobody else uses the loop any more.
func (l *Loop) queued() (n [len(lanes)]int) {
	for i := range n {
		n[i] = l.backlogs[i].Len() + l.in.inboxes[i].Len()
	}
	return n
}

// finish is the loop's last act. The state is terminated, so nobody else touches the ingress or the queues.
func (l *Loop) finish() {
	in := &l.in
	if in.alarm != nil {
		in.alarm.Stop()
	}
	if in.drainEnd != nil {
		in.drainEnd.Stop()
	}
	queued := l.queued()
	l.dropped = Dropped{
		External:   queued[meter.External],
		Internal:   queued[meter.Internal],
		Immediates: queued[meter.Immediates],
		Closing:    queued[meter.Closing],
		Ticks:      l.ticks.Len() + len(in.ticks),
		Microtasks: l.core.Micros.Len() + l.core.Afterward.Len() + len(in.micros),
	}
	l.dropped.Timers = l.timers.Clear()
	l.runErr = in.cause
	if in.cause == ErrLoopClosed {
		l.runErr = &closedError{dropped: l.dropped, reason: in.closedFor}
	}
	if in.owned {
		l.core.Attention.Or(inside.AttendStop) // a loop that ends by itself has not refused timers so far
		l.core.Coroutines.End()                // they may still queue jobs, by ways that need no lock; these are not counted
	}
	l.poller.Close()
	clear(l.backlogs[:])
	l.ticks, l.core.Micros, l.core.Afterward = queue.FIFO[inside.Job]{}, queue.FIFO[inside.Job]{}, queue.FIFO[inside.Job]{}
	in.mu.lock()
	clear(in.inboxes[:])
	in.ticks, in.micros = nil, nil
	if l.meter != nil {
		l.meter.Stop(l.now())
	}
	in.mu.unlock()
	l.endEnders(func() {
		if l.endTask != nil {
			l.endTask()
		}
		l.owner.Store(0)
		sched.Close(l.done)
		l.core.Waiters.Close()
		l.ending.end() // after Done, so that goroutines that wait on the context find the loop ended
	})
}
