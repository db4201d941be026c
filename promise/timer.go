package promise

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Sleep returns a promise that is fulfilled by a timer of the loop when d has passed. If ctx ends first, it rejects
// with its cause and the timer is cancelled; if the loop no longer accepts timers, it rejects with
// [eventloop.ErrLoopTerminated]. Timers that are pending when the loop ends leave the promise pending.
func Sleep(ctx context.Context, loop *eventloop.Loop, d time.Duration) *Promise[struct{}] {
	p, r := WithResolvers[struct{}](loop)
	s := &sleeper{resolver: r, loop: loop, ctx: ctx}
	s.forget = sched.AfterContext(ctx, s.cancel)
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	if s.timer, err = loop.ScheduleTimer(d, s.fire); err != nil {
		s.forget()
		r.Reject(err)
	}
	return p
}

type sleeper struct {
	resolver Resolver[struct{}]
	loop     *eventloop.Loop
	ctx      context.Context
	forget   func() bool
	mu       sched.Mutex // guards timer: ctx may end while the timer is being scheduled
	timer    eventloop.Timer
}

func (s *sleeper) fire() {
	s.forget()
	s.resolver.Resolve(struct{}{})
}

func (s *sleeper) cancel() {
	if s.resolver.Reject(context.Cause(s.ctx)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.loop.CancelTimer(s.timer)
	}
}

// Timeout returns a promise that takes the outcome of p, or rejects with [ErrTimeout] if p is still pending when d has
// passed. Then it lets go of p, which goes on: to stop the work itself, use a context.
//
// When p settles, the timer is cancelled. If the loop no longer accepts timers, the promise rejects with
// [eventloop.ErrLoopTerminated].
func Timeout[T any](p *Promise[T], d time.Duration) *Promise[T] {
	t := &timeout[T]{p: p}
	t.job = t
	t.start(p.loop)
	timer, err := p.loop.ScheduleTimer(d, t.expire)
	if err != nil {
		t.reject(err)
		return &t.Promise
	}
	t.timer = timer
	p.attachDetachable(&t.node)
	return &t.Promise
}

// A timeout is settled by its timer or by its reaction. Both run on the loop.
type timeout[T any] struct {
	Promise[T]
	node
	p     *Promise[T]
	timer eventloop.Timer
	above room
	over  bool // the loop's
}

func (t *timeout[T]) expire() {
	if !t.over {
		t.over = true
		t.rejectHome(ErrTimeout)
	}
}

func (t *timeout[T]) react() {
	p := t.p
	t.p = nil
	if !t.over {
		t.over = true
		t.loop.CancelTimer(t.timer)
		t.copyHome(p)
	}
}

func (t *timeout[T]) room() *room     { return &t.above }
func (t *timeout[T]) abandoned() bool { return t.over }
