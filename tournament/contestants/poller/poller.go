// Package poller enters AlternateThree: an event loop that sleeps in the operating system's poller, with its
// descriptors, and is woken through it.
//
// Tasks gather in a slice under a mutex and the loop takes all of them at once. Without tasks it blocks in the
// poller: epoll_wait on Linux, kevent on macOS and the BSDs, poll elsewhere. A producer writes to a descriptor in the
// poller's set: an eventfd on Linux, a pipe elsewhere. This is the simplest form of event loops in C, where a thread
// has nothing else to do: it does not track whether the loop sleeps. In Go it makes a thread sleep in a system call
// for each loop. Every task costs a system call. Every wake-up costs two more, the waking of that thread, and a wait
// for one of the scheduler's processors, which the loop lost while it slept.
//
// Each variant differs from it in one respect, and the difference of the results is the cost of that respect. See
// variants.go.
//
// Windows has no such poller for pipes or events, so the design is not available there.
package poller

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/eventloop-go/eventloop/tournament/contestants/internal/timerqueue"
)

// The errors of a loop.
var (
	ErrTerminated = errors.New("poller: loop terminated")
	ErrRunning    = errors.New("poller: loop has been run before")
)

// A sleeper is where a loop waits.
type sleeper interface {
	// wait returns when it was woken, when a watched descriptor can be read, or when timeout has passed, unless that
	// is negative. It appends the descriptors that can be read to ready. Only the loop calls it.
	wait(timeout time.Duration, ready []int) ([]int, error)

	// wake makes the next or the present wait return. Any goroutine may call it.
	wake()

	// close frees all resources. No goroutine waits or wakes any more.
	close()
}

// A watcher is a sleeper that watches descriptors. Any goroutine may call its methods.
type watcher interface {
	sleeper
	watch(fd int) error
	unwatch(fd int) error
}

// options are the differences between variants.
type options struct {
	sleeper   func() (sleeper, error)
	pinned    bool // the loop keeps its OS thread to itself
	coalesced bool // producers wake the loop only if it sleeps, not for every task
}

// A loop is an event loop.
type loop struct {
	options
	sleep sleeper
	done  chan struct{}
	wakes atomic.Int32 // producers between their decision to wake the loop and its end

	mu       sync.Mutex // guards all that follows but the batch
	stopping bool
	ended    bool
	owned    bool
	cause    error // what Run returns
	sleeping bool  // the loop waits, or is about to; the goroutine that clears it wakes the loop
	external []func()
	internal []func()
	timers   timerqueue.Queue
	watched  map[int]func()

	// The batch is the loop's.
	batch []func()
	pos   int
	ready []int
}

func newLoop(o options) (*loop, error) {
	s, err := o.sleeper()
	if err != nil {
		return nil, err
	}
	return &loop{options: o, sleep: s, done: make(chan struct{})}, nil
}

// Submit queues a task behind those that were submitted before.
func (l *loop) Submit(task func()) error {
	l.mu.Lock()
	if l.stopping {
		l.mu.Unlock()
		return ErrTerminated
	}
	l.external = append(l.external, task)
	l.unlockAndWake()
	return nil
}

// SubmitInternal queues a task ahead of tasks of Submit. Tasks may do so until the loop has ended.
func (l *loop) SubmitInternal(task func()) error {
	l.mu.Lock()
	if l.ended {
		l.mu.Unlock()
		return ErrTerminated
	}
	l.internal = append(l.internal, task)
	l.unlockAndWake()
	return nil
}

// AfterFunc schedules a timer. One that is not due when the loop ends never fires.
func (l *loop) AfterFunc(delay time.Duration, task func()) (cancel func(), err error) {
	l.mu.Lock()
	if l.stopping {
		l.mu.Unlock()
		return nil, ErrTerminated
	}
	timer := l.timers.Add(time.Now().Add(delay), task)
	l.unlockAndWake() // it may be the first
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.timers.Remove(timer)
	}, nil
}

// unlockAndWake unlocks and wakes the loop, if it sleeps or wake-ups are not coalesced. The loop does not end before
// wakes is back at zero. Otherwise a producer could write to a closed descriptor, which may be another file's by
// then.
func (l *loop) unlockAndWake() {
	if l.ended || l.coalesced && !l.sleeping {
		l.mu.Unlock()
		return
	}
	l.sleeping = false
	l.wakes.Add(1)
	l.mu.Unlock()
	l.sleep.wake()
	l.wakes.Add(-1)
}

// Shutdown ends the loop when all accepted tasks have run.
func (l *loop) Shutdown(ctx context.Context) error {
	l.stop(nil)
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stop makes the loop refuse tasks and drain. Run will return cause.
func (l *loop) stop(cause error) {
	l.mu.Lock()
	if !l.stopping {
		l.stopping, l.cause = true, cause
	}
	l.unlockAndWake()
}

// finish ends the loop, which can no longer be woken.
func (l *loop) finish() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	for l.wakes.Load() > 0 {
		runtime.Gosched()
	}
	l.sleep.close()
	close(l.done)
}
