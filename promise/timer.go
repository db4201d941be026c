package promise

import (
	"context"
	"time"
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Sleep returns a promise that is fulfilled by a timer of the loop when d has passed. If ctx ends first, it rejects
// with its cause and the timer is cancelled; if the loop no longer accepts timers, it rejects with
// [eventloop.ErrLoopTerminated]. Timers that are pending when the loop ends leave the promise pending.
func Sleep(ctx context.Context, loop *eventloop.Loop, d time.Duration) *Promise[struct{}] {
	s := &sleeper{ctx: ctx}
	s.start(coreOf(loop))
	s.forget = afterContext(ctx, s, (*sleeper).cancel)
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
	if s.resolver().Reject(context.Cause(s.ctx)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		public(s.loop).CancelTimer(s.timer)
	}
}

// afterContext calls end for x when ctx has ended, unless x has been collected.
func afterContext[T any](ctx context.Context, x *T, end func(*T)) (stop func() bool) {
	kept := weak.Make(x)
	return sched.AfterContext(ctx, func() {
		if x := kept.Value(); x != nil {
			end(x)
		}
	})
}

// Timeout returns a promise that takes the outcome of p, or rejects with [ErrTimeout] if p is still pending when d has
// passed. Then it lets go of p, which goes on: to stop the work itself, use a context.
//
// When p settles, the timer is cancelled. If the loop no longer accepts timers, the promise rejects with
// [eventloop.ErrLoopTerminated].
func Timeout[T any](p *Promise[T], d time.Duration) *Promise[T] {
	t := &timeout[T]{}
	t.job = t
	t.start(p.home())
	timer, err := public(p.loop).ScheduleTimer(d, t.expire)
	if err != nil {
		t.reject(err)
		return &t.Promise
	}
	t.timer = timer
	p.attachAbandonable(&t.node)
	return &t.Promise
}

// A timeout is settled by its timer or as a reaction. Both run on the loop.
type timeout[T any] struct {
	Promise[T]
	node
	timer eventloop.Timer
	over  sched.Bool // the loop sets it
}

func (t *timeout[T]) expire() {
	if !t.over.Swap(true) {
		t.rejectOnLoop(ErrTimeout)
	}
}

func (t *timeout[T]) Run() {
	p := from[T](&t.node)
	t.job = nil
	if !t.over.Swap(true) {
		public(t.loop).CancelTimer(t.timer)
		t.copyOnLoop(p)
	}
}

func (t *timeout[T]) abandoned() bool { return t.over.Load() }
