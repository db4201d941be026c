package poller

import (
	"context"
	"log/slog"
	"runtime"
	"runtime/debug"
	"time"
)

// Run runs tasks until the loop ends.
func (l *loop) Run(ctx context.Context) error {
	l.mu.Lock()
	if l.owned {
		l.mu.Unlock()
		return ErrRunning
	}
	l.owned = true
	l.mu.Unlock()
	if l.pinned {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
	}
	defer l.finish()
	release := context.AfterFunc(ctx, func() { l.stop(context.Cause(ctx)) })
	defer release()
	for !l.work() {
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// work runs batches until the end, which it reports, or until a task panics. The batch keeps its place, so calling
// work again goes on behind that task.
func (l *loop) work() (finished bool) {
	defer func() {
		if !finished {
			if v := recover(); v != nil {
				slog.Error("poller: a task panicked", "panic", v, "stack", string(debug.Stack()))
			}
		}
	}()
	for {
		for l.pos < len(l.batch) {
			task := l.batch[l.pos]
			l.batch[l.pos] = nil
			l.pos++
			task()
		}
		more, err := l.gather()
		if err != nil {
			l.stop(err)
		} else if !more {
			return true
		}
	}
}

// keep is the capacity up to which a batch is used again.
const keep = 4096

// gather makes the next batch, for which it waits if need be, and reports false at the end.
func (l *loop) gather() (more bool, err error) {
	l.mu.Lock()
	l.take()
	watching := len(l.watched) > 0
	if len(l.batch) > 0 && !watching {
		l.mu.Unlock()
		return true, nil
	}
	timeout := time.Duration(0)
	if len(l.batch) == 0 {
		if l.stopping {
			l.ended = true // in the same critical section: nothing can be accepted in between
			l.mu.Unlock()
			return false, nil
		}
		timeout = -1
		if when, ok := l.timers.Next(); ok {
			timeout = max(0, time.Until(when))
		}
		l.sleeping = true
	}
	l.mu.Unlock()

	l.ready, err = l.sleep.wait(timeout, l.ready[:0])

	l.mu.Lock()
	defer l.mu.Unlock()
	l.sleeping = false
	for _, fd := range l.ready {
		if callback := l.watched[fd]; callback != nil {
			l.batch = append(l.batch, callback)
		}
	}
	return true, err
}

// take makes a batch of the waiting work: the priority lane, due timers, tasks. The caller holds the lock.
func (l *loop) take() {
	spare := l.batch[:0]
	if cap(spare) > keep {
		spare = nil
	}
	l.pos = 0
	if len(l.internal) == 0 && l.timers.Len() == 0 {
		// The common case: swap the two slices.
		l.batch, l.external = l.external, spare
		return
	}
	l.batch = append(spare, l.internal...)
	clear(l.internal)
	l.internal = l.internal[:0]
	now := time.Now()
	for task := l.timers.PopDue(now); task != nil; task = l.timers.PopDue(now) {
		l.batch = append(l.batch, task)
	}
	l.batch = append(l.batch, l.external...)
	clear(l.external)
	l.external = l.external[:0]
	if cap(l.external) > keep {
		l.external = nil
	}
}
