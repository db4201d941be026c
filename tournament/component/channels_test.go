package component

import (
	"context"
	"sync"
	"testing"

	"github.com/eventloop-go/eventloop/internal/queue"
)

// Arrangements of Go primitives with a loop's function: round trip per task, with a channel that the task closes.

// trips gives b.N tasks to submit, each awaited.
func trips(b *testing.B, submit func(func())) {
	b.ReportAllocs()
	ran := 0
	b.ResetTimer()
	for range b.N {
		done := make(chan struct{})
		submit(func() { ran++; close(done) })
		<-done
	}
	expect(b, "tasks", ran, b.N)
}

func BenchmarkPureChannelPingPong(b *testing.B) {
	tasks := make(chan func())
	go func() {
		for task := range tasks {
			task()
		}
	}()
	trips(b, func(fn func()) { tasks <- fn })
	close(tasks)
}

// A swapper runs tasks from a locked slice, in batches or one by one, on a worker woken by a channel of one slot.
type swapper struct {
	mu    sync.Mutex
	tasks []func()
	wake  chan struct{}
}

func (s *swapper) submit(fn func()) {
	s.mu.Lock()
	s.tasks = append(s.tasks, fn)
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *swapper) one() bool {
	s.mu.Lock()
	if len(s.tasks) == 0 {
		s.mu.Unlock()
		return false
	}
	fn := s.tasks[0]
	s.tasks = s.tasks[1:]
	s.mu.Unlock()
	fn()
	return true
}

func BenchmarkChannelWithMutexQueue(b *testing.B) {
	s := &swapper{wake: make(chan struct{}, 1)}
	go func() {
		for range s.wake {
			for s.one() {
			}
		}
	}()
	trips(b, s.submit)
	close(s.wake)
}

func (s *swapper) batch(spare []func()) []func() {
	s.mu.Lock()
	batch := s.tasks
	s.tasks = spare[:0]
	s.mu.Unlock()
	for i, fn := range batch {
		batch[i] = nil
		fn()
	}
	return batch
}

func BenchmarkGojaStyleSwap(b *testing.B) {
	s := &swapper{wake: make(chan struct{}, 1)}
	go func() {
		var spare []func()
		for range s.wake {
			spare = s.batch(spare)
		}
	}()
	trips(b, s.submit)
	close(s.wake)
}

func BenchmarkMinimalLoop(b *testing.B) {
	s := &swapper{wake: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		var spare []func()
		for {
			select {
			case <-s.wake:
				spare = s.batch(spare)
			case <-ctx.Done():
				return
			}
		}
	}()
	trips(b, s.submit)
}

// BenchmarkLoopDirect is the product's queue without Run and Submit: the lane, under a lock, taken in one swap.
func BenchmarkLoopDirect(b *testing.B) {
	var mu sync.Mutex
	var in queue.Inbox
	wake := make(chan struct{}, 1)
	go func() {
		var tasks queue.Backlog
		for range wake {
			mu.Lock()
			if in.Len() > 0 {
				tasks.Take(&in)
			}
			mu.Unlock()
			for tasks.Next() {
				tasks.Pop()()
			}
		}
	}()
	trips(b, func(fn func()) {
		mu.Lock()
		in.Push(fn)
		mu.Unlock()
		wake <- struct{}{}
	})
	close(wake)
}

// BenchmarkLoopDirectWithSubmit has the product's Submit. Only Run can take its tasks, so unlike the published one it
// has Run too.
func BenchmarkLoopDirectWithSubmit(b *testing.B) { closes(b, func() {}) }
