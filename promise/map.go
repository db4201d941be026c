package promise

import (
	"context"
	"fmt"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Map calls fn on the loop for each item in order, each call as part of a microtask. The promise returned is
// fulfilled with the values of fn's promises, in the order of the items. At most limit of these promises are pending
// at a time: when one settles, fn is called for the next item. [math.MaxInt] means no limit. If limit is not
// positive, the promise rejects with an error that matches [eventloop.ErrInvalid].
//
// The first promise that rejects decides. The promise returned rejects with the same error at once, and fn is not
// called again. The context passed to fn ends, with the error as its cause. That context is derived from ctx and also
// ends when the promise is settled. When the loop has ended, the context ends with the cause
// [eventloop.ErrLoopTerminated], and the promise rejects with it. When ctx has ended, no further item begins. The
// promise then rejects with an error of pending work, or else with one that matches the error of ctx and its cause.
//
// fn must not block: see [Promisify]. If it panics, the promise rejects as with [Then]. The promises may belong to
// other loops. After an error the pending ones count as handled. Items must not change until the promise is settled.
// Map costs a constant number of allocations, plus those of fn. [MapSeq] and [MapChan] take items that are not in a
// slice.
func Map[T, U any](ctx context.Context, loop *eventloop.Loop, limit int, items []T, fn func(context.Context, T) *Promise[U]) *Promise[[]U] {
	if err := checkLimit("Map", limit); err != nil {
		return Reject[[]U](loop, err)
	}
	if len(items) == 0 {
		return Resolve(loop, []U{})
	}
	m := &mapping[T, U]{ctx: ctx, limit: limit, items: items, fn: fn, left: len(items)}
	m.start(coreOf(loop))
	if err := m.loop.EnqueueJob(m); err != nil {
		m.reject(err)
	}
	return &m.Promise
}

func checkLimit(call string, limit int) error {
	if limit > 0 {
		return nil
	}
	return fmt.Errorf("promise: %s with a limit of %d: give how many may be pending at a time, or math.MaxInt: %w", call, limit, eventloop.ErrInvalid)
}

// A mapping is one call of Map. All of it happens on the loop, but for the loop's end, after which nothing runs there.
type mapping[T, U any] struct {
	Promise[[]U]
	ctx    context.Context
	cancel context.CancelCauseFunc
	forget func() bool // the loop's end
	limit  int
	items  []T
	fn     func(context.Context, T) *Promise[U]
	values []U
	next   int // item to begin
	left   int // items that are not done
	over   sched.Bool
}

// Run begins as many items as may be pending at a time, each in a microtask of its own.
func (m *mapping[T, U]) Run() {
	m.ctx, m.cancel = context.WithCancelCause(m.ctx)
	m.values = make([]U, len(m.items))
	slots := make([]slot[T, U], min(len(m.items), m.limit))
	for i := range slots {
		slots[i].m = m
		m.loop.Enqueue(&slots[i])
	}
	m.forget = m.loop.Loop.AfterContext(m.loop.Loop.Context(), m.loopEnded)
}

func (m *mapping[T, U]) fail(err error) {
	if !m.over.Swap(true) {
		m.rejectOnLoop(err)
		m.release(err)
	}
}

// loopEnded runs on another goroutine when nothing runs on the loop any more.
func (m *mapping[T, U]) loopEnded() {
	if !m.over.Swap(true) {
		m.reject(eventloop.ErrLoopTerminated)
		m.release(eventloop.ErrLoopTerminated)
	}
}

// release drops the references that led to the outcome.
func (m *mapping[T, U]) release(cause error) {
	m.forget()
	m.cancel(cause)
	m.ctx, m.cancel, m.forget, m.items, m.fn, m.values = nil, nil, nil, nil, nil, nil
}

// A slot goes through items, one after the other. As a job it begins the first, and then is the reaction to the promise
// of one.
type slot[T, U any] struct {
	node
	m     *mapping[T, U]
	index int
}

func (s *slot[T, U]) Run() {
	m := s.m
	if m.over.Load() {
		s.job = nil
		return
	}
	if s.job != nil {
		p := from[U](&s.node)
		s.job = nil
		if r := p.outcome(); r != nil {
			m.fail(r.err)
			return
		}
		m.values[s.index] = p.value
		if m.left--; m.left == 0 {
			m.over.Store(true)
			m.fulfilOnLoop(m.values)
			m.release(nil)
			return
		}
	}
	switch {
	case m.next == len(m.items):
	case m.ctx.Err() != nil:
		m.fail(inside.ContextError(m.ctx))
	default:
		s.index = m.next
		m.next++
		begin(m.loop, s, func() *Promise[U] { return m.fn(m.ctx, m.items[s.index]) })
	}
}

func (s *slot[T, U]) begun(p *Promise[U]) {
	s.job = s
	p.attachAbandonableOnLoop(&s.node)
}

func (s *slot[T, U]) failed(err error) { s.m.fail(err) }

func (s *slot[T, U]) abandoned() bool { return s.m.over.Load() }
