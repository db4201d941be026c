package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Map calls fn on the loop for each of the items, in their order, each time as part of a microtask, and returns a promise
// that is fulfilled with the values of fn's promises, in the order of the items. At most limit of these promises are
// pending at a time: fn is called for the next item when one is settled. A limit that is not positive means none.
//
// The first promise that rejects decides: the promise returned rejects with the same error at once, fn is not called any
// more, and the context that fn has been given ends, with the error as its cause. That context is derived from ctx; it
// ends as well when the promise is settled, and with the cause [eventloop.ErrLoopTerminated] when the loop has ended,
// which the promise then rejects with. When ctx has ended, no further item begins, and the promise rejects with an error
// of the work that is pending, or else with the cause of ctx.
//
// fn must not block: see [Promisify]. If it panics, the promise rejects as with [Then]. The promises may belong to other
// loops; what is left pending by an error counts as handled. Items must not be changed until the promise is settled.
// Costs a constant number of allocations, and those of fn.
func Map[T, U any](ctx context.Context, loop *eventloop.Loop, limit int, items []T, fn func(context.Context, T) *Promise[U]) *Promise[[]U] {
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
	n := len(m.items)
	if m.limit > 0 {
		n = min(n, m.limit)
	}
	slots := make([]slot[T, U], n)
	for i := range slots {
		slots[i].m = m
		m.loop.Enqueue(&slots[i])
	}
	m.forget = sched.AfterContext(public(m.loop).Context(), m.loopEnded)
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

// release lets go of what led to the outcome.
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
		m.fail(context.Cause(m.ctx))
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
