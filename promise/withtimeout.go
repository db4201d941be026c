package promise

import (
	"context"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// WithTimeout calls work on the loop, as a microtask. It returns a promise that takes the outcome of work's promise
// if that is settled within d of the call. Otherwise the promise rejects with [ErrTimeout], and the context passed to
// work ends with the same cause.
//
// That context is derived from ctx and has a deadline, so callees can plan by it. It also ends when ctx ends and when
// the promise is settled. When the loop has ended, it ends with the cause [eventloop.ErrLoopTerminated]. When it ends
// first, the promise rejects at once, without waiting for the work. The promise also rejects so if the work rejects
// after that. The error matches that of the context and its cause. If the context ends before work could begin, work
// is not called.
//
// Work usually hands its context to [Promisify], [Sleep], [Retry] or [Map]. It must not block. If it panics, the promise
// rejects as with [Then]. A loop with [eventloop.WithAutoExit] stays open until the promise is settled. If the loop no
// longer accepts work, the promise rejects with ErrLoopTerminated.
//
// To limit work that is already under way, return its promise from work; it goes on after the timeout. WithTimeout
// costs two contexts and a timer of the Go runtime, some twenty allocations: BenchmarkWithTimeout.
func WithTimeout[T any](ctx context.Context, loop *eventloop.Loop, d time.Duration, work func(context.Context) *Promise[T]) *Promise[T] {
	if work == nil {
		panic("promise: WithTimeout of nil work")
	}
	p, r := WithResolvers[T](loop)
	if err := p.loop.EnqueueJob(&limited[T]{r: r, ctx: ctx, after: d, work: work}); err != nil {
		r.Reject(err)
	}
	return p
}

// A limited settles a promise: as the reaction to the work's promise, on the loop, or when the work's context has ended,
// on another goroutine. The resolver's claim decides between the two, and the one that has it lets go of the rest.
//
// As a job it serves two microtasks: the first calls work, the second is the reaction.
type limited[T any] struct {
	node
	r      Resolver[T]
	ctx    context.Context // the parent's; when work has been called, the work's
	after  time.Duration
	work   func(context.Context) *Promise[T]
	alive  inside.KeepAlive
	forget [2]func() bool // the ends of the loop and of the context; the second is the loop's own
	cancel func()
}

func (l *limited[T]) Run() {
	if l.work != nil {
		work := l.work
		l.work = nil
		l.call(work)
		return
	}
	p := from[T](&l.node)
	l.job = nil
	rejected := p.outcome()
	if !l.r.claim() {
		return
	}
	l.forget[1]()
	if rejected != nil && l.ctx.Err() != nil {
		l.r.r.rejectOnLoop(l.ended())
	} else {
		l.r.r.copyOnLoop(p)
	}
	l.release()
}

func (l *limited[T]) call(work func(context.Context) *Promise[T]) {
	home := l.r.r.loop
	var err error
	if l.alive, err = home.Loop.KeepAlive(); err != nil {
		l.r.Reject(err)
		return
	}
	ctx, end := context.WithCancelCause(l.ctx)
	ctx, stop := home.Loop.WithTimeout(ctx, l.after, ErrTimeout, l.expire)
	l.ctx, l.cancel = ctx, func() {
		stop()
		end(nil)
	}
	l.forget[0] = home.Loop.AfterContext(home.Loop.Context(), func() { end(eventloop.ErrLoopTerminated) })
	l.forget[1] = home.Loop.AfterContext(ctx, l.expire)
	if ctx.Err() == nil {
		begin(home, l, func() *Promise[T] { return work(ctx) })
	}
}

func (l *limited[T]) begun(p *Promise[T]) {
	l.job = l
	p.attachAbandonableOnLoop(&l.node)
}

func (l *limited[T]) failed(err error) {
	if l.r.claim() {
		l.forget[1]()
		l.r.r.rejectOnLoop(err)
		l.release()
	}
}

func (l *limited[T]) expire() {
	if l.r.Reject(l.ended()) {
		l.release()
	}
}

// ended is the error of the work's context, which has ended. If the limit or the loop has ended it, that says it all.
func (l *limited[T]) ended() error {
	switch cause := context.Cause(l.ctx); cause {
	case ErrTimeout, eventloop.ErrLoopTerminated:
		return cause
	default:
		return inside.ContextError(l.ctx)
	}
}

// release runs when the promise is settled: the loop might end in between otherwise.
func (l *limited[T]) release() {
	l.forget[0]()
	l.cancel()
	l.alive.Release()
}

func (l *limited[T]) abandoned() bool { return l.r.r.claimed.Load() }
