package check_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop/tournament/contestant"
)

// A queue is the plainest correct loop, an unbounded slice under a mutex, with a place for each fault.
type queue struct {
	faults
	mu      sync.Mutex
	more    sync.Cond
	tasks   []func()
	urgent  []func()
	kept    []func()
	seen    int
	stopped bool
	killed  bool
	done    chan struct{}
}

// faults describe the faults of a queue. Each is a hook that the correct queue does without.
type faults struct {
	accept   func(q *queue, n int, task func()) // queues the n-th task; the lock is held
	run      func(q *queue, task func())        // runs a task
	shutdown func(q *queue, ctx context.Context) error
	end      func(q *queue)                  // before Run returns
	sleep    func(q *queue, unlocked func()) // waits for tasks; the lock is held
	internal func(q *queue, task func()) error
	deaf     bool // Run ignores its context
}

// broken enters a queue with faults. The end of the test ends all queues made, with any fault.
func broken(t *testing.T, f faults) contestant.Contestant {
	var mu sync.Mutex
	var made []*queue
	t.Cleanup(func() {
		for _, q := range made {
			q.kill()
		}
	})
	return contestant.Contestant{Name: "Broken", New: func() (contestant.Loop, error) {
		q := &queue{faults: f, done: make(chan struct{})}
		q.more.L = &q.mu
		mu.Lock()
		defer mu.Unlock()
		made = append(made, q)
		return q, nil
	}}
}

func (q *queue) kill() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.killed = true
	q.more.Broadcast()
}

func (q *queue) Run(ctx context.Context) error {
	defer close(q.done)
	if !q.deaf {
		defer context.AfterFunc(ctx, q.kill)()
	}
	for {
		task := q.pop()
		if task == nil {
			if q.end != nil {
				q.end(q)
			}
			return nil
		}
		if q.run != nil {
			q.run(q, task)
		} else {
			isolated(task)
		}
	}
}

func isolated(task func()) {
	defer func() { _ = recover() }()
	task()
}

// pop waits for a task. It returns nil when no more tasks will come.
func (q *queue) pop() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		if q.killed {
			return nil
		}
		if len(q.urgent) > 0 {
			task := q.urgent[0]
			q.urgent = q.urgent[1:]
			return task
		}
		if len(q.tasks) > 0 {
			task := q.tasks[0]
			q.tasks = q.tasks[1:]
			return task
		}
		if q.stopped {
			return nil
		}
		if q.sleep != nil {
			q.sleep(q, func() { q.mu.Unlock(); defer q.mu.Lock(); spinABit() })
			continue
		}
		q.more.Wait()
	}
}

// spinABit gives others time to do something meanwhile, and on a single processor the processor.
func spinABit() {
	for range 20_000 {
	}
	runtime.Gosched()
}

func (q *queue) Submit(task func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return errors.New("queue: stopped")
	}
	q.seen++
	if q.accept != nil {
		q.accept(q, q.seen, task)
	} else {
		q.tasks = append(q.tasks, task)
	}
	q.more.Signal()
	return nil
}

func (q *queue) SubmitInternal(task func()) error {
	if q.internal != nil {
		return q.internal(q, task)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stopped {
		return errors.New("queue: stopped")
	}
	q.urgent = append(q.urgent, task)
	q.more.Signal()
	return nil
}

func (q *queue) Shutdown(ctx context.Context) error {
	if q.shutdown != nil {
		return q.shutdown(q, ctx)
	}
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
