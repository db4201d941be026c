package eventloop

import (
	"github.com/eventloop-go/eventloop/internal/sched"
)

// WithQueueLimit bounds the external lane: [Loop.Submit] and [Loop.Do] return [ErrQueueFull] as long as n accepted
// tasks have not begun to run. By default, and for n < 1, there is no limit.
//
// It bounds work from other goroutines, but not the consequences of work in progress: SubmitInternal, immediates,
// microtasks, timers, and Do on the loop are never refused for it. The events of package loopsource have a limit of
// their own.
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
