package loopsim

import "container/heap"

// An event is something that happens in a world at a time. The order is total, as no two events of a world have the same tie: see [draws].
type event struct {
	at  int64  // nanoseconds since the world began
	tie uint64 // who goes first at the same time, which the seed decides
	run func()
}

// A queue is a heap of events: see [heap.Interface].
type queue []event

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].tie < q[j].tie
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push is for package heap alone.
func (q *queue) Push(e any) { *q = append(*q, e.(event)) }

// Pop is for package heap alone.
func (q *queue) Pop() any {
	h := *q
	last := h[len(h)-1]
	h[len(h)-1] = event{}
	*q = h[:len(h)-1]
	return last
}

func (q *queue) push(e event) { heap.Push(q, e) }
func (q *queue) pop() event   { return heap.Pop(q).(event) }
