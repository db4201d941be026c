package workload_test

import (
	"context"
	"errors"
	"sync"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// A queue is the plainest correct loop: an unbounded slice under a mutex. Faults are built on it, since a Submit that
// never blocks leaves nobody behind when the loop dies.
type queue struct {
	mu      sync.Mutex
	more    sync.Cond
	tasks   []func()
	stopped bool
	done    chan struct{}
}

func newQueue() *queue {
	q := &queue{done: make(chan struct{})}
	q.more.L = &q.mu
	return q
}

var queued = contestant.Contestant{
	Name: "Queue",
	New:  func() (contestant.Loop, error) { return newQueue(), nil },
}

func (q *queue) Run(context.Context) error {
	defer close(q.done)
	for {
		q.mu.Lock()
		for len(q.tasks) == 0 && !q.stopped {
			q.more.Wait()
		}
		batch := q.tasks
		q.tasks = nil
		q.mu.Unlock()
		if len(batch) == 0 {
			return nil
		}
		for _, task := range batch {
			task()
		}
	}
}

func (q *queue) Submit(task func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return errors.New("queue: stopped")
	}
	q.tasks = append(q.tasks, task)
	q.more.Signal()
	return nil
}

func (q *queue) Shutdown(ctx context.Context) error {
	q.mu.Lock()
	q.stopped = true
	q.more.Signal()
	q.mu.Unlock()
	select {
	case <-q.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
