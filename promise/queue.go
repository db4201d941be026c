package promise

import (
	"errors"
	"fmt"
	"iter"

	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// ErrQueueClosed is the error of [Queue.Push] after Close, and of [Queue.Pop] when a closed queue is empty.
var ErrQueueClosed = errors.New("promise: queue is closed")

// A Queue hands elements from coroutines to coroutines, first in, first out. It is bounded: Push waits for room, Pop for
// an element. So a stage of a pipeline that is fast waits for one that is slow, and memory stays bounded.
//
// Those who wait are served in the order of their calls. Coroutines of several loops can share a queue. Goroutines and
// callbacks use TryPush and TryPop, or start a coroutine: [Spawn](ctx, loop, q.Pop) is the promise of an element. For events
// from goroutines to the loop, see also package loopsource.
type Queue[T any] struct {
	capacity int

	mu      sched.Mutex // guards the rest
	closed  bool
	items   queue.FIFO[T]
	pushers line[T] // empty unless the queue is full
	poppers line[T] // empty unless the queue is empty
}

// NewQueue returns a queue with room for capacity elements. With 0 each Push waits for its Pop, as with a channel that has
// no buffer. NewQueue panics if capacity is negative.
func NewQueue[T any](capacity int) *Queue[T] {
	if capacity < 0 {
		panic(fmt.Sprintf("promise: NewQueue(%d): the capacity must not be negative", capacity))
	}
	return &Queue[T]{capacity: capacity}
}

// Push adds v, and suspends the coroutine while the queue is full.
//
// On an error v was not added. Push returns [ErrQueueClosed] if the queue is closed, also while it waits. It returns
// the errors of [Await] once the context or the loop has ended. If there is room as the context ends, Push may still
// succeed.
//
// It returns at once, without a microtask, if there is room; otherwise it costs an Await and one allocation. It panics
// outside the coroutine's function, as Await does.
func (q *Queue[T]) Push(c *Coroutine, v T) error {
	c.mustRun("Queue.Push")
	if err := c.ended(); err != nil {
		return err
	}
	q.mu.Lock()
	added := q.push(v)
	if added || q.closed {
		q.mu.Unlock()
		if !added {
			return ErrQueueClosed
		}
		return nil
	}
	t := q.pushers.join(c, v)
	q.mu.Unlock()
	if err := q.pushers.await(c, &q.mu, t); err != nil {
		return err
	}
	if t.refused {
		return ErrQueueClosed
	}
	return nil
}

// Pop takes the oldest element. It suspends the coroutine while the queue is empty.
//
// On an error no element was taken. Pop returns [ErrQueueClosed] when the queue is closed and empty, and the errors
// of [Await] once the context or the loop has ended. If an element arrives as the context ends, Pop may still return
// it.
//
// It returns at once, without a microtask, if there is an element; otherwise it costs an Await and one allocation. It
// panics outside the coroutine's function, as Await does.
func (q *Queue[T]) Pop(c *Coroutine) (T, error) {
	c.mustRun("Queue.Pop")
	var zero T
	if err := c.ended(); err != nil {
		return zero, err
	}
	q.mu.Lock()
	v, ok := q.pop()
	if ok || q.closed {
		q.mu.Unlock()
		if !ok {
			return zero, ErrQueueClosed
		}
		return v, nil
	}
	t := q.poppers.join(c, zero)
	q.mu.Unlock()
	if err := q.poppers.await(c, &q.mu, t); err != nil {
		return zero, err
	}
	if t.refused {
		return zero, ErrQueueClosed
	}
	return t.value, nil
}

// TryPush adds v if there is room, or hands it to a waiting Pop, and reports whether it did. It reports false for a
// closed queue. Any goroutine may call it.
func (q *Queue[T]) TryPush(v T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.push(v)
}

// TryPop takes the oldest element, and reports whether there was one. Any goroutine may call it.
func (q *Queue[T]) TryPop() (T, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.pop()
}

// Close closes the queue: no element can be added, and coroutines in Push get [ErrQueueClosed]. Elements that are in the
// queue can still be taken. Any goroutine may call it, and more than once.
func (q *Queue[T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, l := range []*line[T]{&q.pushers, &q.poppers} {
		for t := l.first; t != nil; t = l.first {
			t.refused = true
			l.serve(t)
		}
	}
}

// All takes elements until the queue is closed and empty, or until the context or the loop has ended; the coroutine's
// context distinguishes these. The ranging coroutine is suspended while the queue is empty.
func (q *Queue[T]) All(c *Coroutine) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			v, err := q.Pop(c)
			if err != nil || !yield(v) {
				return
			}
		}
	}
}

// Len returns how many elements are in the queue. Elements of coroutines that wait in Push do not count. Any
// goroutine may call it.
func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.items.Len()
}

// push and pop move an element without waiting. The lock is held.
func (q *Queue[T]) push(v T) bool {
	switch t := q.poppers.first; {
	case q.closed:
		return false
	case t != nil:
		t.value = v
		q.poppers.serve(t)
	case q.items.Len() < q.capacity:
		q.items.Push(v)
	default:
		return false
	}
	return true
}

func (q *Queue[T]) pop() (v T, ok bool) {
	t := q.pushers.first
	switch {
	case q.items.Len() > 0:
		v = q.items.Pop()
		if t != nil { // there is room for its element now
			q.items.Push(t.value)
			q.pushers.serve(t)
		}
	case t != nil: // the capacity is 0
		v = t.value
		q.pushers.serve(t)
	default:
		return v, false
	}
	return v, true
}
