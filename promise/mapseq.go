package promise

import (
	"context"
	"iter"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// MapSeq is [Map] over a sequence. The next item is asked for when there is room for it, on the loop: the sequence must not
// block. A panic in it rejects the promise.
//
// When ctx ends, the promise rejects with an error that matches ctx's error and its cause, without waiting for
// pending work. Otherwise it ends as Map does. It costs a coroutine, and one allocation for each item besides those
// of fn: BenchmarkMapSeq_100.
func MapSeq[T, U any](ctx context.Context, loop *eventloop.Loop, limit int, items iter.Seq[T], fn func(context.Context, T) *Promise[U]) *Promise[[]U] {
	m := &stream[T, U]{fn: fn, items: func(_ context.Context, _ *Coroutine, do func(T) bool) error {
		for v := range items {
			if !do(v) {
				break
			}
		}
		return nil
	}}
	return m.enqueue(ctx, loop, "MapSeq", limit)
}

// MapChan is [MapSeq] over the values that are received from ch until it is closed. A value is received when there is room
// for it. If none is ready, a goroutine waits for one, as with [Promisify]; when the promise is settled early, this may take
// one value that no fn gets. A loop with [eventloop.WithAutoExit] stays open while it waits.
func MapChan[T, U any](ctx context.Context, loop *eventloop.Loop, limit int, ch <-chan T, fn func(context.Context, T) *Promise[U]) *Promise[[]U] {
	m := &stream[T, U]{fn: fn, items: func(ctx context.Context, c *Coroutine, do func(T) bool) error {
		for {
			v, ok, err := receive(ctx, c, ch)
			if err != nil || !ok || !do(v) {
				return err
			}
		}
	}}
	return m.enqueue(ctx, loop, "MapChan", limit)
}

// receive receives from ch in a coroutine, for work with that context.
func receive[T any](ctx context.Context, c *Coroutine, ch <-chan T) (v T, ok bool, err error) {
	select {
	case v, ok = <-ch:
		return v, ok, nil
	default:
	}
	type received struct {
		v  T
		ok bool
	}
	r, err := Await(c, Promisify(ctx, c.Loop(), func(ctx context.Context) (r received, err error) {
		select {
		case r.v, r.ok = <-ch:
		case <-ctx.Done():
			err = inside.ContextError(ctx)
		}
		return r, err
	}))
	return r.v, r.ok, err
}

// A stream is one call of MapSeq or MapChan: a coroutine that begins items, each with a permit that it holds until its
// promise is settled. All of it happens on the loop, but for the loop's end, after which nothing runs there. As a job it
// starts the coroutine.
type stream[T, U any] struct {
	Promise[[]U]
	ctx    context.Context // when it has started, the work's
	cancel context.CancelCauseFunc
	forget func() bool // the loop's end
	items  func(ctx context.Context, c *Coroutine, do func(T) bool) error
	fn     func(context.Context, T) *Promise[U]
	places *Semaphore
	values []U
	left   int  // items that were begun and are not done
	begun  bool // all of them
	over   sched.Bool
}

func (m *stream[T, U]) enqueue(ctx context.Context, loop *eventloop.Loop, call string, limit int) *Promise[[]U] {
	if err := checkLimit(call, limit); err != nil {
		return Reject[[]U](loop, err)
	}
	m.ctx, m.places, m.values = ctx, NewSemaphore(limit), []U{}
	m.start(coreOf(loop))
	if err := m.loop.EnqueueJob(m); err != nil {
		m.reject(err)
	}
	return &m.Promise
}

func (m *stream[T, U]) Run() {
	parent, loop := m.ctx, public(m.loop)
	m.ctx, m.cancel = context.WithCancelCause(parent)
	m.forget = m.loop.Loop.AfterContext(m.loop.Loop.Context(), m.loopEnded)
	Async(parent, loop, m.begin).Catch(func(err error) (struct{}, error) {
		m.fail(err)
		return struct{}{}, nil
	})
}

// begin is the coroutine. When it asks for an item it has a place for it.
func (m *stream[T, U]) begin(c *Coroutine) (none struct{}, err error) {
	m.places.TryAcquire(1)
	stopped := m.items(m.ctx, c, func(v T) bool {
		switch {
		case m.over.Load():
			return false
		case m.ctx.Err() != nil:
			err = inside.ContextError(m.ctx)
			return false
		}
		m.left++
		s := &streamed[T, U]{m: m, index: len(m.values)}
		m.values = append(m.values, *new(U))
		begin(m.loop, s, func() *Promise[U] { return m.fn(m.ctx, v) })
		err = m.places.Acquire(c, 1)
		return err == nil && !m.over.Load()
	})
	if err == nil {
		err = stopped
	}
	if err == nil {
		m.begun = true
		m.finish()
	}
	return none, err
}

func (m *stream[T, U]) finish() {
	if m.begun && m.left == 0 && !m.over.Swap(true) {
		m.fulfilOnLoop(m.values)
		m.release(nil)
	}
}

func (m *stream[T, U]) fail(err error) {
	if !m.over.Swap(true) {
		m.rejectOnLoop(err)
		m.release(err)
	}
}

// loopEnded runs on another goroutine when nothing runs on the loop any more.
func (m *stream[T, U]) loopEnded() {
	if !m.over.Swap(true) {
		m.reject(eventloop.ErrLoopTerminated)
		m.release(eventloop.ErrLoopTerminated)
	}
}

// release drops the references that led to the outcome.
func (m *stream[T, U]) release(cause error) {
	m.forget()
	m.cancel(cause)
	m.ctx, m.cancel, m.forget, m.items, m.fn, m.values = nil, nil, nil, nil, nil, nil
}

// A streamed is the reaction to the promise of an item.
type streamed[T, U any] struct {
	node
	m     *stream[T, U]
	index int
}

func (s *streamed[T, U]) begun(p *Promise[U]) {
	s.job = s
	p.attachAbandonableOnLoop(&s.node)
}

func (s *streamed[T, U]) failed(err error) {
	s.m.fail(err)
	s.m.places.Release(1)
}

func (s *streamed[T, U]) Run() {
	m, p := s.m, from[U](&s.node)
	s.job = nil
	if r := p.outcome(); r != nil {
		m.fail(r.err)
	} else if !m.over.Load() {
		m.values[s.index] = p.value
		m.left--
		m.finish()
	}
	m.places.Release(1)
}

func (s *streamed[T, U]) abandoned() bool { return s.m.over.Load() }
