package coarselock

// A fifo is a queue of tasks.
type fifo struct {
	tasks []func()
	head  int
}

// keep is the capacity that a queue keeps when it has become empty.
const keep = 4096

func (q *fifo) len() int { return len(q.tasks) - q.head }

func (q *fifo) push(task func()) {
	if q.head > keep && q.head > len(q.tasks)/2 && len(q.tasks) == cap(q.tasks) {
		// Most of it has run: move the rest down instead of growing.
		n := copy(q.tasks, q.tasks[q.head:])
		clear(q.tasks[n:])
		q.tasks, q.head = q.tasks[:n], 0
	}
	q.tasks = append(q.tasks, task)
}

// pop returns nil if the queue is empty.
func (q *fifo) pop() func() {
	if q.head == len(q.tasks) {
		return nil
	}
	task := q.tasks[q.head]
	q.tasks[q.head] = nil
	q.head++
	if q.head == len(q.tasks) {
		q.tasks, q.head = q.tasks[:0], 0
		if cap(q.tasks) > keep {
			q.tasks = nil
		}
	}
	return task
}
