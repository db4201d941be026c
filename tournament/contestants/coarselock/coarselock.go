// Package coarselock enters AlternateOne: an event loop made for safety before all else.
//
// One lock guards everything, and is released only while a task runs. Tasks are taken one at a time, so that nothing
// is in flight when one panics. Every step checks the state and the books (see invariants.go). The loop ends under
// the lock that Submit takes, in the critical section that finds no tasks. So a task cannot be accepted and forgotten
// between check and end.
//
// The price is a lock taken twice, and a check, for each task, and producers that wait for the loop between any two.
package coarselock

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestant"
	"github.com/eventloop-go/eventloop/tournament/contestants/internal/timerqueue"
)

// Contestant is AlternateOne.
var Contestant = contestant.Contestant{
	Name:  "AlternateOne",
	About: "maximum safety: one coarse lock around everything, one task at a time, state and books checked at every step; the lock is taken twice for each task",
	New:   func() (contestant.Loop, error) { return New(Options{}), nil },
}

// Options are optional diagnostics of a loop.
type Options struct {
	// Diagnostics gets every change of state and every step. It is off by default: a line for each step costs many
	// times as much as the step.
	Diagnostics *slog.Logger
}

// The errors of a loop, beside an [*InvariantError].
var (
	ErrTerminated = errors.New("coarselock: loop terminated")
	ErrRunning    = errors.New("coarselock: loop has been run before")
)

// A Loop is an event loop. Make one with [New].
type Loop struct {
	log  *slog.Logger
	done chan struct{}

	mu    sync.Mutex // guards all that follows
	some  sync.Cond  // there may be something to do
	state state
	owned bool  // Run has been called
	cause error // what Run returns

	micros   fifo
	internal fifo
	external fifo
	timers   timerqueue.Queue
	alarm    *time.Timer
	books    books
	broken   *InvariantError
}

// New makes a loop.
func New(o Options) *Loop {
	l := &Loop{log: o.Diagnostics, done: make(chan struct{})}
	l.some.L = &l.mu
	l.alarm = time.AfterFunc(time.Hour, l.ring)
	l.alarm.Stop()
	return l
}

// ring wakes the loop for a timer.
func (l *Loop) ring() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.some.Signal()
}

// Submit queues a task behind those that were submitted before.
func (l *Loop) Submit(task func()) error { return l.accept(&l.external, created, running, task) }

// SubmitInternal queues a task ahead of tasks of Submit. Tasks may do so until the loop has ended.
func (l *Loop) SubmitInternal(task func()) error {
	return l.accept(&l.internal, created, stopping, task)
}

// ScheduleMicrotask queues a callback ahead of all tasks.
func (l *Loop) ScheduleMicrotask(callback func()) error {
	return l.accept(&l.micros, created, stopping, callback)
}

// accept queues a task if the state lies between first and last.
func (l *Loop) accept(lane *fifo, first, last state, task func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refusal(first, last); err != nil {
		return err
	}
	lane.push(task)
	l.books.accepted++
	l.verify("submit")
	l.some.Signal()
	return nil
}

// refusal says why the loop accepts nothing unless its state lies between first and last. The lock is held.
func (l *Loop) refusal(first, last state) error {
	switch {
	case l.broken != nil:
		return l.broken
	case l.state < first || l.state > last:
		return ErrTerminated
	}
	return nil
}

// AfterFunc schedules a timer. One that is not due when the loop ends never fires.
func (l *Loop) AfterFunc(delay time.Duration, task func()) (cancel func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refusal(created, running); err != nil {
		return nil, err
	}
	timer := l.timers.Add(time.Now().Add(delay), task)
	l.some.Signal() // it may be the first
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.timers.Remove(timer)
	}, nil
}

// Shutdown ends the loop when all accepted tasks have run.
func (l *Loop) Shutdown(ctx context.Context) error {
	l.stop(nil)
	select {
	case <-l.done:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	return nil
}

// stop makes the loop drain. Run will return cause.
func (l *Loop) stop(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state <= running {
		l.become(stopping)
		l.cause = cause
	}
	l.some.Signal()
}
