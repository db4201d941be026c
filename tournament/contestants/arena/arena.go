// Package arena enters AlternateTwo: an event loop that allocates nothing and takes no lock.
//
// Tasks lie in an arena of 65,536 slots, made with the loop. A producer claims a slot with one compare-and-swap and
// then fills it; the loop empties slots in order and clears only those that were used. The end of the loop is a bit in
// the very word that producers swap, so a slot is claimed before the end or not at all.
//
// When the arena is full, Submit does not block or refuse. Tasks go to an overflow list under a lock, and so do all
// later tasks, until the loop has caught up. Order is kept and nothing is lost. Such a task costs as much as a locked
// append. See lane.go.
//
// The price is a megabyte for each loop, and producers that fight for one word instead of queueing for a lock.
package arena

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync/atomic"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// Contestant is AlternateTwo.
var Contestant = contestant.Contestant{
	Name:  "AlternateTwo",
	About: "no lock and no allocation: producers claim slots of a preallocated arena of 65,536 tasks by compare-and-swap; a full arena spills into a list; 1 MB for each loop",
	New:   func() (contestant.Loop, error) { return New(), nil },
}

// Slots is the size of the arena.
const Slots = 1 << 16

// internalSlots is the size of the priority lane.
const internalSlots = 1 << 10

// The errors of a loop.
var (
	ErrTerminated = errors.New("arena: loop terminated")
	ErrRunning    = errors.New("arena: loop has been run before")
)

// A Loop is an event loop. Make one with [New].
type Loop struct {
	external lane
	internal lane
	sleeping atomic.Bool
	wake     chan struct{} // capacity 1
	done     chan struct{}
	owned    atomic.Bool
	cause    atomic.Pointer[error] // what Run returns
}

// New makes a loop.
func New() *Loop {
	l := &Loop{wake: make(chan struct{}, 1), done: make(chan struct{})}
	l.external.slots = make([]slot, Slots)
	l.internal.slots = make([]slot, internalSlots)
	return l
}

// Submit queues a task behind those that were submitted before.
func (l *Loop) Submit(task func()) error { return l.accept(&l.external, task) }

// SubmitInternal queues a task ahead of tasks of Submit. Tasks may do so until the loop has ended.
func (l *Loop) SubmitInternal(task func()) error { return l.accept(&l.internal, task) }

func (l *Loop) accept(q *lane, task func()) error {
	if !q.push(task) {
		return ErrTerminated
	}
	l.rouse()
	return nil
}

// rouse wakes the loop if it sleeps. The goroutine that clears sleeping sends. One waiting token suffices.
func (l *Loop) rouse() {
	if l.sleeping.Load() && l.sleeping.CompareAndSwap(true, false) {
		select {
		case l.wake <- struct{}{}:
		default:
		}
	}
}

// Run runs tasks until the loop ends.
func (l *Loop) Run(ctx context.Context) error {
	if l.owned.Swap(true) {
		return ErrRunning
	}
	defer close(l.done)
	release := context.AfterFunc(ctx, func() { l.stop(context.Cause(ctx)) })
	defer release()
	for !l.work() {
	}
	if cause := l.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// work runs tasks until the end, which it reports, or until one panics. A task has left its slot before it runs, so a
// further call of work runs the rest. One deferred call for all tasks costs less than one for each.
func (l *Loop) work() (finished bool) {
	defer func() {
		if !finished {
			if v := recover(); v != nil {
				slog.Error("arena: a task panicked", "panic", v, "stack", string(debug.Stack()))
			}
		}
	}()
	for {
		task := l.internal.pop()
		if task == nil {
			task = l.external.pop()
		}
		if task != nil {
			task()
		} else if l.ends() {
			return true
		} else {
			l.park()
		}
	}
}

// ends reports whether there is nothing left and nothing will come.
//
// The external lane was closed by Shutdown. The priority lane closes here, by the operation that sees it empty.
func (l *Loop) ends() bool {
	return l.external.closed() && l.external.empty() && l.internal.closeIfEmpty()
}

// park sleeps until a task comes, or the end.
//
// A producer publishes and then reads sleeping. The loop sets sleeping and then looks for published tasks. So one of
// the two sees the other.
func (l *Loop) park() {
	l.sleeping.Store(true)
	if !l.internal.empty() || !l.external.empty() || l.external.closed() {
		l.sleeping.Store(false) // a token that is on its way makes a later park return early, which does no harm
		return
	}
	<-l.wake
}

// Shutdown ends the loop when all accepted tasks have run.
func (l *Loop) Shutdown(ctx context.Context) error {
	l.stop(nil)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stop makes the loop refuse tasks and drain. Run will return cause.
func (l *Loop) stop(cause error) {
	if l.external.close() && cause != nil {
		l.cause.Store(&cause)
	}
	l.rouse()
}
