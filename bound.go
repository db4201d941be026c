package eventloop

import (
	"errors"

	"github.com/eventloop-go/eventloop/internal/queue"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// ErrQueueFull says that a queue with a limit is full. The callback, or the event, was not accepted.
var ErrQueueFull = errors.New("eventloop: queue is full")

// WithQueueLimit bounds the external lane: [Loop.Submit] and [Loop.Do] return [ErrQueueFull] as long as n tasks that were
// accepted have not begun to run. A limit below one means none, which is the default.
//
// It bounds what other goroutines bring, and not what work in progress causes: SubmitInternal, immediates, microtasks,
// timers, and Do on the loop are never refused for it. The events of a [Source] have a limit of their own.
func WithQueueLimit(n int) Option {
	return optionFunc(func(l *Loop) {
		l.bound = nil
		if n > 0 {
			l.bound = &bound{limit: int64(n)}
		}
	})
}

// A bound counts the tasks in the external lane. Producers add before the owner can see the task, those whom the limit
// can refuse under the ingress lock; the owner takes away when a task begins. So no two of them share the last place.
type bound struct {
	limit   int64
	waiting sched.Int64
}

// enter adds a task if there is room.
func (b *bound) enter() bool {
	if b.waiting.Load() >= b.limit {
		return false
	}
	b.waiting.Add(1)
	return true
}

// runBounded is runBatch for an external lane with a limit.
func (l *Loop) runBounded() {
	b, m := l.bound, l.meter
	for n := 0; n < queue.BatchSize && l.external.Next(); {
		n += l.external.Ready()
		for l.external.Ready() > 0 {
			fn := l.external.Pop()
			b.waiting.Add(-1)
			fn()
			open := !l.jobsWaiting() || l.checkpoint()
			if m != nil && m.Ran() {
				m.RanAt(l.now())
			}
			if !open {
				return
			}
		}
	}
}
