package coarselock

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"
)

// Run runs tasks until the loop ends. If one of them calls [runtime.Goexit], that ends the goroutine, but not before
// the loop has ended.
func (l *Loop) Run(ctx context.Context) error {
	if err := l.begin(); err != nil {
		return err
	}
	defer close(l.done)
	release := context.AfterFunc(ctx, func() { l.stop(context.Cause(ctx)) })
	defer release()
	l.own()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	return l.cause
}

// own runs tasks until the end. When one calls Goexit, the rest of the loop's life is spent in a deferred call, for
// nothing else runs on a goroutine that is being ended.
func (l *Loop) own() {
	finished := false
	defer func() {
		if !finished {
			l.settle(false)
			l.own()
		}
	}()
	for {
		task, timer := l.next()
		if task == nil {
			break
		}
		l.perform(task)
		l.settle(timer)
	}
	finished = true
	l.alarm.Stop()
}

func (l *Loop) begin() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.owned {
		return ErrRunning
	}
	l.owned = true
	if l.state == created {
		l.become(running)
	}
	return nil
}

// next waits for something to run, and returns nil at the end. The order is microtasks, priority lane, due timers,
// tasks.
func (l *Loop) next() (task func(), timer bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		l.verify("step")
		if l.broken != nil {
			return nil, false
		}
		if task, timer = l.pick(); task != nil {
			if l.books.inside {
				l.breaks(oneAtATime, "step", "another task has not returned")
				return nil, false
			}
			l.books.inside = true
			if timer {
				l.books.accepted++ // a timer becomes a task when it is due
			}
			return task, timer
		}
		if l.state == stopping {
			l.become(ended)
			l.verify("end")
			return nil, false
		}
		if when, ok := l.timers.Next(); ok {
			l.alarm.Reset(time.Until(when))
		}
		l.some.Wait()
	}
}

// pick takes out the next task, or returns nil. The caller holds the lock.
func (l *Loop) pick() (task func(), timer bool) {
	if task = l.micros.pop(); task != nil {
		return task, false
	}
	if task = l.internal.pop(); task != nil {
		return task, false
	}
	if l.timers.Len() > 0 {
		if task = l.timers.PopDue(time.Now()); task != nil {
			return task, true
		}
	}
	return l.external.pop(), false
}

// settle books a task that has returned.
func (l *Loop) settle(timer bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.books.inside = false
	l.books.ran++
	l.verify("return")
	if l.log != nil {
		l.log.Debug("coarselock: step", "ran", l.books.ran, "timer", timer, "state", l.state)
	}
}

// perform runs one task, whose panic is its own affair.
func (l *Loop) perform(task func()) {
	defer func() {
		if v := recover(); v != nil {
			slog.Error("coarselock: a task panicked", "panic", v, "stack", string(debug.Stack()))
		}
	}()
	task()
}
