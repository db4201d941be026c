package promise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
)

// A RetryPolicy sets the number of attempts of [Retry], and the delays in between. The zero value makes 3 attempts,
// the second after 100 ms, the third after another 200 ms.
type RetryPolicy struct {
	// Attempts is how often the work is called at most, the first time included. 0 means 3; below 0 there is no limit.
	Attempts int

	// Delay is the time between the end of the first attempt and the second. 0 means 100 ms; negative means no delay.
	Delay time.Duration

	// Factor multiplies each delay to give the next. Values ≤ 0 mean 2; 1 keeps the delay constant.
	Factor float64

	// MaxDelay is the longest delay. Values ≤ 0 mean no limit.
	MaxDelay time.Duration

	// Jitter is the random part of each delay, from 0 to 1. It keeps many clients from coming back at the same
	// moment: a delay d becomes one between d·(1−Jitter) and d. 0 means no jitter.
	Jitter float64

	// Rand returns the chance: numbers from 0 up to, not including, 1. It is called on the loop. Nil means
	// [math/rand/v2.Float64]. For the same delays at each run, take the Float64 method of a [rand.Rand] with a seed.
	Rand func() float64

	// Retryable reports whether an error is worth another attempt. It is called on the loop. Nil means all errors but
	// panics ([*eventloop.PanicError]), [eventloop.ErrLoopTerminated] and [ErrNilPromise].
	Retryable func(error) bool
}

// Retry calls work on the loop, as a microtask. It calls work again after a delay as long as its promise rejects and
// policy allows another attempt. The promise returned takes the value of the first attempt that succeeds, or rejects
// with the error of the last.
//
// Each attempt gets ctx. When ctx has ended, no further attempt begins: a delay ends at once, and Retry waits for an
// attempt. The promise then rejects with an error that matches ctx's error, its cause, and the error of the last
// attempt. To limit the time of an attempt, have work call [WithTimeout]. To limit the total time, give ctx a
// deadline or call Retry within WithTimeout.
//
// Delays are timers of the loop. If the loop no longer accepts them, the promise rejects with
// [eventloop.ErrLoopTerminated] and the error of the last attempt. If the loop ends during a delay, the promise stays
// pending. Work must not block: see [Promisify]. If it panics, the attempt rejects as with [Then]. Retry costs one
// allocation and, for each delay, a [Sleep]: BenchmarkRetry.
func Retry[T any](ctx context.Context, loop *eventloop.Loop, policy RetryPolicy, work func(context.Context) *Promise[T]) *Promise[T] {
	r := &retry[T]{ctx: ctx, policy: policy, work: work}
	r.start(coreOf(loop))
	if err := r.loop.EnqueueJob(r); err != nil {
		r.reject(err)
	}
	return &r.Promise
}

// A retry is the reaction to its attempts and to its delays, one after the other. All of it happens on the loop.
type retry[T any] struct {
	Promise[T]
	node
	ctx      context.Context
	policy   RetryPolicy
	work     func(context.Context) *Promise[T]
	state    retryState
	attempts int
	last     error // of the last attempt
}

type retryState uint8

const (
	retryNew      retryState = iota
	retryWorking             // attached to the promise of an attempt
	retrySleeping            // attached to the promise of a delay
)

func (r *retry[T]) Run() {
	switch r.state {
	case retryNew:
		r.attempt()
	case retryWorking:
		p := from[T](&r.node)
		r.job = nil
		if rejected := p.outcome(); rejected != nil {
			r.failed(rejected.err)
			return
		}
		r.fulfilOnLoop(p.value)
		r.forget()
	case retrySleeping:
		p := from[struct{}](&r.node)
		r.job = nil
		if rejected := p.outcome(); rejected != nil {
			r.stop(rejected.err)
			return
		}
		r.attempt()
	}
}

func (r *retry[T]) attempt() {
	if r.ctx.Err() != nil {
		r.stop(inside.ContextError(r.ctx))
		return
	}
	r.attempts++
	begin(r.loop, r, func() *Promise[T] { return r.work(r.ctx) })
}

func (r *retry[T]) begun(p *Promise[T]) {
	if p == &r.Promise {
		r.failed(ErrSelfResolution)
		return
	}
	r.job, r.state = r, retryWorking
	p.attachOnLoop(&r.node)
}

// failed decides the next step after a failed attempt.
func (r *retry[T]) failed(err error) {
	r.last = err
	if r.ctx.Err() != nil {
		r.stop(inside.ContextError(r.ctx))
		return
	}
	var delay time.Duration
	again, decided := false, false
	defer func() { // the policy's functions are the caller's
		switch {
		case !decided:
			r.end(failure(recover()))
		case !again:
			r.end(err)
		default:
			r.job, r.state = r, retrySleeping
			Sleep(r.ctx, public(r.loop), delay).attachOnLoop(&r.node)
		}
	}()
	if again = r.policy.again(r.attempts, err); again {
		delay = r.policy.wait(r.attempts)
	}
	decided = true
}

// stop ends the attempts for a reason other than theirs.
func (r *retry[T]) stop(reason error) {
	switch {
	case r.last == nil:
		r.end(reason)
	case errors.Is(r.last, reason), r.ctx.Err() != nil && errors.Is(r.last, r.ctx.Err()) && errors.Is(r.last, context.Cause(r.ctx)):
		r.end(r.last)
	default:
		r.end(fmt.Errorf("%w; attempt %d: %w", reason, r.attempts, r.last))
	}
}

func (r *retry[T]) end(err error) {
	r.rejectOnLoop(err)
	r.forget()
}

// forget drops the references that led to the outcome.
func (r *retry[T]) forget() { r.ctx, r.work, r.policy, r.last = nil, nil, RetryPolicy{}, nil }

// again reports whether another attempt follows one that has failed.
func (p *RetryPolicy) again(attempts int, err error) bool {
	most := p.Attempts
	if most == 0 {
		most = 3
	}
	if most > 0 && attempts >= most {
		return false
	}
	if p.Retryable != nil {
		return p.Retryable(err)
	}
	var panicked *eventloop.PanicError
	return !errors.As(err, &panicked) && !errors.Is(err, eventloop.ErrLoopTerminated) && !errors.Is(err, ErrNilPromise)
}

// wait returns the delay after an attempt.
func (p *RetryPolicy) wait(attempts int) time.Duration {
	delay, factor, jitter := p.Delay, p.Factor, p.Jitter
	if delay == 0 {
		delay = 100 * time.Millisecond
	}
	if !(factor > 0) {
		factor = 2
	}
	if delay < 0 {
		return 0
	}
	d := float64(delay) * math.Pow(factor, float64(attempts-1))
	if limit := float64(p.MaxDelay); limit > 0 {
		d = min(d, limit)
	}
	if jitter > 0 {
		chance := p.Rand
		if chance == nil {
			chance = rand.Float64
		}
		d *= 1 - min(jitter, 1)*chance()
	}
	if d < math.MaxInt64 {
		return time.Duration(d)
	}
	return math.MaxInt64
}
