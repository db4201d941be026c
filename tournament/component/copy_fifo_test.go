//lint:file-ignore U1000 a copy of the core's fifo.go has what the core uses

package component

// A fifo is a queue in a ring that doubles when full. The zero value is ready for use.
type fifo[T any] struct {
	ring []T // its length is a power of two, or zero
	head int // index of the oldest element
	n    int
}

// fifoKeep is the longest ring that trim leaves to an empty queue.
const fifoKeep = 4096

func (q *fifo[T]) push(v T) {
	if q.n == len(q.ring) {
		q.resize(max(2*q.n, 16))
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = v
	q.n++
}

// pop removes the oldest element; the queue must not be empty.
func (q *fifo[T]) pop() T {
	var zero T
	v := q.ring[q.head]
	q.ring[q.head] = zero
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return v
}

// trim gives a ring that a burst made long back to the garbage collector. The loop calls it before it sleeps, not
// when the queue empties: a steady load that fills and empties the queue must not allocate each time.
func (q *fifo[T]) trim() {
	if q.n == 0 && len(q.ring) > fifoKeep {
		q.ring, q.head = nil, 0
	}
}

func (q *fifo[T]) resize(size int) {
	ring := make([]T, size)
	k := copy(ring, q.ring[q.head:])
	copy(ring[k:], q.ring[:q.head])
	q.ring, q.head = ring, 0
}
