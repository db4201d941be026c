// Package timerqueue orders the timers of contestants that have no better idea than a binary heap.
package timerqueue

import (
	"container/heap"
	"time"
)

// A Queue holds timers by deadline; equal deadlines keep the order of age. It has no lock: its owner has one.
type Queue struct {
	heap heapOfTimers
	age  uint64
}

// A Timer is a task and its deadline.
type Timer struct {
	when  time.Time
	age   uint64
	task  func()
	index int // in the heap; -1 when it is not there
}

// Len counts the timers.
func (q *Queue) Len() int { return len(q.heap) }

// Add inserts a timer.
func (q *Queue) Add(when time.Time, task func()) *Timer {
	q.age++
	t := &Timer{when: when, age: q.age, task: task}
	heap.Push(&q.heap, t)
	return t
}

// Remove takes a timer out and reports whether it was still there.
func (q *Queue) Remove(t *Timer) bool {
	if t.index < 0 {
		return false
	}
	heap.Remove(&q.heap, t.index)
	return true
}

// Next returns the first deadline.
func (q *Queue) Next() (when time.Time, ok bool) {
	if len(q.heap) == 0 {
		return time.Time{}, false
	}
	return q.heap[0].when, true
}

// PopDue takes out the first timer if its deadline has come, and returns its task, or nil.
func (q *Queue) PopDue(now time.Time) func() {
	if len(q.heap) == 0 || q.heap[0].when.After(now) {
		return nil
	}
	return heap.Pop(&q.heap).(*Timer).task
}

// heapOfTimers is a heap.Interface.
type heapOfTimers []*Timer

func (h heapOfTimers) Len() int { return len(h) }

func (h heapOfTimers) Less(i, j int) bool {
	if h[i].when.Equal(h[j].when) {
		return h[i].age < h[j].age
	}
	return h[i].when.Before(h[j].when)
}

func (h heapOfTimers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *heapOfTimers) Push(x any) {
	t := x.(*Timer)
	t.index = len(*h)
	*h = append(*h, t)
}

func (h *heapOfTimers) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.index = -1
	return t
}
