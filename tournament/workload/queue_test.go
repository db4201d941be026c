package workload_test

import (
	"context"
	"errors"
	"sync"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// A queue is the plainest correct loop: an unbounded slice under a mutex. Faults are built on it, because its Submit
// never blocks. So no goroutine remains when the loop dies.
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
		task := q.pop()
		if task == nil {
			return nil
		}
		task()
	}
}

// pop waits for a task. It returns nil when no more tasks will come.
func (q *queue) pop() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) == 0 {
		if q.stopped {
			return nil
		}
		q.more.Wait()
	}
	task := q.tasks[0]
	q.tasks = q.tasks[1:]
	return task
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
