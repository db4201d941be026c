package eventloop

import (
	"context"
	"fmt"
	"time"

	"github.com/eventloop-go/eventloop/internal/blocking"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/meter"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// waitError is [inside.ContextError] for a wait for the loop: if nobody has called Run, it matches [ErrLoopNotRunning] too.
func (l *Loop) waitError(ctx context.Context) error {
	err := inside.ContextError(ctx)
	select {
	case <-l.started:
		return err
	case <-l.done: // closed before Run
		return err
	default:
		return fmt.Errorf("%w: %w", ErrLoopNotRunning, err)
	}
}

// A view is what packages of this module see of a loop.
type view struct{ *Loop }

func init() {
	inside.Of = func(loop any) inside.Loop { return view{loop.(*Loop)} }
	inside.CoreOf = coreOf
	inside.WithClock = func(c inside.Clock) any {
		return optionFunc(func(l *Loop) {
			l.clock, l.epoch, l.blocking.Idle = c, c.Epoch(), l.wake
			l.simulation, _ = c.(inside.Simulation)
		})
	}
	inside.Option = func(apply func(inside.Diagnosis)) any { return optionFunc(func(l *Loop) { apply(view{l}) }) }
	inside.WithValue = func(key, value any) any { return withValue(key, value) }
}

func coreOf(loop any) *inside.Core {
	switch l := loop.(*Loop); {
	case l == nil:
		return nil
	case l.core.Loop == nil: // a zero Loop, which refuses everything
		return &inside.Core{Loop: view{l}, Public: l}
	default:
		return &l.core
	}
}

func (v view) Accepting() bool              { return v.accepting() }
func (v view) AtEnd(stop, end func()) error { return v.addEnder(ender{stop, end}) }
func (v view) Callback(fn func()) bool      { return v.callback(fn) }
func (v view) Hold(n int)                   { v.holds += n }
func (v view) Isolate(fn func())            { v.isolate(fn) }
func (v view) Slept() bool                  { return v.slept }
func (v view) TakeImmediate() bool          { return v.takeImmediate() }
func (v view) Value(key any) any            { return v.values[key] }

func (v view) WaitError(ctx context.Context) error { return v.waitError(ctx) }
func (v view) FetchJobs()                          { v.fetchJobs() }
func (v view) Wake()                               { v.wake() }

func (v view) EnqueueJob(job inside.Job) error {
	if job == nil {
		return inside.ErrNilCallback
	}
	return v.enqueue(&v.in.micros, job)
}

func (v view) Fail(err error) {
	_ = v.beginShutdown(err)
	in := &v.in
	in.mu.lock()
	if in.state == stateStopping && in.cause == nil { // Shutdown, which has no reason, came first
		in.cause = err
	}
	in.mu.unlock()
}

func (v view) Asleep() bool {
	v.in.mu.lock()
	defer v.in.mu.unlock()
	return v.in.sleeping
}

// Drained reads fields of the owner. That is safe because the owner sleeps: it goes on only when sleeping has been
// cleared, under the lock.
func (v view) Drained(holds int) bool {
	v.in.mu.lock()
	defer v.in.mu.unlock()
	return v.in.sleeping && v.holds <= holds
}

func (v view) Load() int {
	in := &v.in
	in.mu.lock()
	defer in.mu.unlock()
	if in.sleeping {
		return 0
	}
	return 1 + in.taken + in.inboxes[meter.External].Size()
}

func (v view) Clock() func() time.Time {
	if v.clock == nil {
		return nil
	}
	return func() time.Time { return v.epoch.Add(time.Duration(v.clock.Now())) }
}

func (v view) WithTimeout(ctx context.Context, d time.Duration, cause error, then func()) (context.Context, context.CancelFunc) {
	if v.clock == nil {
		return sched.WithTimeout(ctx, d, cause)
	}
	return inside.WithTimeout(ctx, func(d time.Duration, fn func()) func() {
		t, _ := v.ScheduleTimer(d, fn) // refused by a loop that is ending, whose end the context follows too
		return func() { v.CancelTimer(t) }
	}, d, cause, then)
}

func (v view) AfterContext(ctx context.Context, fn func()) (stop func() bool) {
	if v.simulation != nil {
		return v.simulation.AfterContext(ctx, fn)
	}
	return sched.AfterContext(ctx, fn)
}

func (v view) Blocking() *blocking.Pool { return &v.blocking }
