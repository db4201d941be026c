package promise

import (
	"context"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Channel returns a channel that delivers the outcome of p once, and is then closed. It is buffered: nobody needs to
// receive. If the loop ends while p is pending, it delivers [eventloop.ErrLoopTerminated]. It handles a rejection.
//
// The outcome is sent by a reaction on the loop. Callbacks must not wait for it there.
func (p *Promise[T]) Channel() <-chan Result[T] {
	s := &sender[T]{p: p, out: make(chan Result[T], 1)}
	s.job = s
	s.forget = sched.AfterContext(p.loop.Context(), s.send)
	p.attach(&s.node)
	return s.out
}

type sender[T any] struct {
	node
	p      *Promise[T]
	out    chan Result[T]
	sent   sched.Bool
	forget func() bool
}

func (s *sender[T]) react() {
	s.forget()
	s.send()
}

// send runs when the promise is settled, or its loop has ended.
func (s *sender[T]) send() {
	if s.sent.Swap(true) {
		return
	}
	r, ok := s.p.Result()
	if !ok {
		r.Err = eventloop.ErrLoopTerminated
	}
	s.out <- r
	close(s.out)
}

func (s *sender[T]) home() *eventloop.Loop { return s.p.loop }

// FromChannel returns a promise of the next value received from ch. It rejects with [ErrChannelClosed] if the channel
// closes, with the cause of ctx if that ends first, and with [eventloop.ErrLoopTerminated] if the loop does.
//
// A goroutine receives; it ends with the first of these events, and may have taken the value from the channel though
// the promise was rejected. A loop with [eventloop.WithAutoExit] stays open until then.
func FromChannel[T any](ctx context.Context, loop *eventloop.Loop, ch <-chan T) *Promise[T] {
	return Promisify(ctx, loop, func(ctx context.Context) (T, error) {
		select {
		case v, ok := <-ch:
			if !ok {
				return v, ErrChannelClosed
			}
			return v, nil
		case <-ctx.Done():
			var zero T
			return zero, context.Cause(ctx)
		}
	})
}
