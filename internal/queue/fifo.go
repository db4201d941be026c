// Package queue has the queues of the loop: plain data, without locks.
package queue

// A FIFO is a queue in a ring that doubles when full. The zero value is ready for use.
type FIFO[T any] struct {
	ring []T // its length is a power of two, or zero
	head int // index of the oldest element
	n    int
}

// Keep is the longest ring that Trim leaves to an empty queue.
const Keep = 4096

// Push adds an element at the end.
func (q *FIFO[T]) Push(v T) {
	if q.n == len(q.ring) {
		q.resize(max(2*q.n, 16))
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = v
	q.n++
}

// Pop removes the oldest element; the queue must not be empty.
func (q *FIFO[T]) Pop() T {
	var zero T
	v := q.ring[q.head]
	q.ring[q.head] = zero
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return v
}

// First returns the oldest element, which stays; the queue must not be empty.
func (q *FIFO[T]) First() T { return q.ring[q.head] }

// Len returns the number of elements.
func (q *FIFO[T]) Len() int { return q.n }

// Cap returns the number of elements that there is room for.
func (q *FIFO[T]) Cap() int { return len(q.ring) }

// Trim gives a ring that a burst made long back to the garbage collector. The loop calls it before it sleeps, not
// when the queue empties: a steady load that fills and empties the queue must not allocate each time.
func (q *FIFO[T]) Trim() {
	if q.n == 0 && len(q.ring) > Keep {
		q.ring, q.head = nil, 0
	}
}

func (q *FIFO[T]) resize(size int) {
	ring := make([]T, size)
	k := copy(ring, q.ring[q.head:])
	copy(ring[k:], q.ring[:q.head])
	q.ring, q.head = ring, 0
}
