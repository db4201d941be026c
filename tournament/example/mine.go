package main

import (
	"context"
	"errors"
	"sync"
)

// A loop is the smallest event loop that loses nothing.
type loop struct {
	mu      sync.Mutex
	tasks   []func()
	stopped bool
	wake    chan struct{} // capacity 1
	done    chan struct{}
}

func newLoop() *loop { return &loop{wake: make(chan struct{}, 1), done: make(chan struct{})} }

func (l *loop) Run(ctx context.Context) error {
	defer close(l.done)
	defer context.AfterFunc(ctx, l.stop)()
	for {
		l.mu.Lock()
		batch, stopped := l.tasks, l.stopped
		l.tasks = nil
		l.mu.Unlock()
		for _, task := range batch {
			task()
		}
		if len(batch) == 0 {
			if stopped {
				return nil
			}
			<-l.wake
		}
	}
}

func (l *loop) Submit(task func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return errors.New("mine: stopped")
	}
	l.tasks = append(l.tasks, task)
	l.nudge()
	return nil
}

func (l *loop) Shutdown(ctx context.Context) error {
	l.stop()
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *loop) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
	l.nudge()
}

// nudge wakes the loop. A token that is there already will do.
func (l *loop) nudge() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
