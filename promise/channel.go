package promise

import (
	"weak"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/internal/sched"
)

// Channel returns a channel that delivers the outcome of p, and is then closed. If the loop ends while p is pending,
// the outcome is [eventloop.ErrLoopTerminated]. If the garbage collector finds that p can no longer be settled, it
// may be [ErrAbandoned]. Channel handles a rejection.
//
// As long as p is pending, all calls return one channel, so that a select statement in a loop may call Channel each
// time. It delivers the outcome at most once for each call: to all who are waiting when p settles, and to the next
// eight who receive. A goroutine that keeps the channel, is not waiting and comes after those receives nil;
// [Promise.Result] then has the outcome.
//
// The outcome is sent by a reaction on the loop. Callbacks must not wait for it there.
func (p *Promise[T]) Channel() <-chan *Result[T] {
	p.home()
	var o *outlet[T] // of an earlier call
	same := func(job inside.Job) bool {
		o, _ = job.(*outlet[T])
		if o != nil && !o.join() {
			o = nil
		}
		return o != nil
	}
	var fresh *outlet[T]
	create := func() *node {
		fresh = &outlet[T]{p: weak.Make(p), out: make(chan *Result[T], outletRoom)}
		fresh.calls.Store(1)
		fresh.job = fresh
		return &fresh.node
	}
	for {
		switch {
		case !p.attachOnce(same, create):
			if r, ok := p.settledResult(); ok {
				out := make(chan *Result[T], 1)
				out <- &r
				close(out)
				return out
			}
		case o != nil:
			return o.out
		default:
			onEnd(p.loop, fresh)
			return fresh.out
		}
	}
}

const outletRoom = 8

// An outlet is the reaction behind the channel of a promise.
type outlet[T any] struct {
	node
	p     weak.Pointer[Promise[T]]
	out   chan *Result[T]
	calls sched.Int64 // of Channel, that got this outlet
	sent  sched.Bool
}

// join counts a call, and reports false if it has come after the sending. One of the two sees the other.
func (o *outlet[T]) join() bool {
	o.calls.Add(1)
	return !o.sent.Load()
}

func (o *outlet[T]) Run() {
	p := from[T](&o.node)
	o.job = nil
	p.outcome()
	r, _ := p.Result()
	o.send(r)
}

func (o *outlet[T]) send(r Result[T]) {
	if o.sent.Swap(true) {
		return
	}
	defer close(o.out)
	for range o.calls.Load() {
		select {
		case o.out <- &r:
		default:
			return // without waiters, and the channel is full
		}
	}
}

// end runs when the loop has ended.
func (o *outlet[T]) end() {
	if p := o.p.Value(); p != nil {
		if r, ok := p.Result(); ok {
			o.send(r)
			return
		}
	}
	o.send(Result[T]{Err: eventloop.ErrLoopTerminated})
}

func (o *outlet[T]) over() bool {
	if o.p.Value() == nil {
		o.send(Result[T]{Err: ErrAbandoned})
	}
	return o.sent.Load()
}

func (o *outlet[T]) abandoned() bool { return o.sent.Load() }

func (*outlet[T]) bridge() {}
