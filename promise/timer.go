package promise

import (
	"context"
	"time"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Sleep returns a promise that is fulfilled by a timer of the loop when d has passed. If ctx ends first, the timer is
// cancelled, and the promise rejects with an error that matches that of ctx and its cause; if the loop no longer accepts timers, it rejects with
// [eventloop.ErrLoopTerminated]. Timers that are pending when the loop ends leave the promise pending.
func Sleep(ctx context.Context, loop *eventloop.Loop, d time.Duration) *Promise[struct{}] {
	s := &sleeper{ctx: ctx}
	s.start(coreOf(loop))
	s.forget = afterContext(ctx, s.loop, s, (*sleeper).cancel)
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.timer, err = loop.ScheduleTimer(d, s.fire); err != nil {
		s.forget()
		s.resolver().Reject(err)
	}
	return &s.Promise
}

// A sleeper is kept by its timer. The context must not keep it: it may live longer than the loop.
type sleeper struct {
	root[struct{}]
	ctx    context.Context
	forget func() bool
	mu     sched.Mutex // guards timer: ctx may end while the timer is being scheduled
	timer  eventloop.Timer
}

func (s *sleeper) resolver() Resolver[struct{}] { return Resolver[struct{}]{&s.root} }

func (s *sleeper) fire() {
	s.forget()
	s.resolver().Resolve(struct{}{})
}

func (s *sleeper) cancel() {
	if s.resolver().Reject(inside.ContextError(s.ctx)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		public(s.loop).CancelTimer(s.timer)
	}
}

// afterContext calls end for x when ctx has ended, unless x has been collected.
func afterContext[T any](ctx context.Context, loop *core, x *T, end func(*T)) (stop func() bool) {
	kept := weak.Make(x)
	return loop.Loop.AfterContext(ctx, func() {
		if x := kept.Value(); x != nil {
			end(x)
		}
	})
}
