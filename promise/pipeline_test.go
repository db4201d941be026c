package promise_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/promise"
)

type intPromise = *promise.Promise[int]

// onVirtualTime runs body beside a loop, in a bubble in which time is virtual.
func onVirtualTime(t *testing.T, body func(t *testing.T, loop *eventloop.Loop)) {
	synctest.Test(t, func(t *testing.T) { body(t, beside(t, quietly)) })
}

func TestATimeLimitCancelsTheWork(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		start := time.Now()
		seen := make(chan error, 2)
		p := promise.WithTimeout(bg, loop, time.Second, func(ctx context.Context) intPromise {
			if d, ok := ctx.Deadline(); !ok || d.Sub(start) != time.Second {
				t.Errorf("deadline after %v, %v", d.Sub(start), ok)
			}
			return promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) {
				<-ctx.Done()
				seen <- ctx.Err()
				seen <- context.Cause(ctx)
				time.Sleep(time.Hour) // the promise does not wait for that
				return 0, nil
			})
		})
		_, err := p.Wait(bg)
		if err != promise.ErrTimeout || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		if err := <-seen; err != context.DeadlineExceeded {
			t.Errorf("the work's context ends with %v", err)
		}
		if err := <-seen; err != promise.ErrTimeout {
			t.Errorf("the cause is %v", err)
		}
		time.Sleep(time.Hour)
	})
}

func TestATimeLimitPassesOutcomesThatComeInTime(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		for want, work := range map[error]func(context.Context) intPromise{
			nil: func(ctx context.Context) intPromise {
				return promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) {
					return eventloop.Call(ctx, loop, func() (int, error) { return 7, nil })
				})
			},
			errOops:                  func(context.Context) intPromise { return promise.Reject[int](loop, errOops) },
			promise.ErrNilPromise:    func(context.Context) intPromise { return nil },
			fmt.Errorf("%w", errBad): func(context.Context) intPromise { panic(errBad) },
		} {
			var ended context.Context
			v, err := promise.WithTimeout(bg, loop, time.Hour, func(ctx context.Context) intPromise {
				ended = ctx
				return work(ctx)
			}).Wait(bg)
			if unwrapped := errors.Unwrap(want); unwrapped != nil {
				want = unwrapped
			}
			if !errors.Is(err, want) || err == nil && v != 7 {
				t.Errorf("got %v, %v, want %v", v, err, want)
			}
			if <-ended.Done(); context.Cause(ended) != context.Canceled {
				t.Errorf("the context has ended with %v", context.Cause(ended))
			}
		}
	})
}

var errBad = errors.New("bad")

func TestATimeLimitEndsWithItsContextOrTheLoop(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		pending, _ := promise.WithResolvers[int](loop)
		var inner context.Context
		work := func(ctx context.Context) intPromise { inner = ctx; return pending }
		ctx, cancel := context.WithCancelCause(bg)
		p := promise.WithTimeout(ctx, loop, time.Hour, work)
		synctest.Wait()
		cancel(errOops)
		if _, err := p.Wait(bg); !endedBy(err, context.Canceled, errOops) || context.Cause(inner) != errOops {
			t.Errorf("got %v, cause %v", err, context.Cause(inner))
		}
		called := func(context.Context) intPromise { t.Error("called"); return pending }
		if _, err := promise.WithTimeout(ctx, loop, time.Hour, called).Wait(bg); !endedBy(err, context.Canceled, errOops) {
			t.Errorf("after the end: %v", err)
		}
		if _, err := promise.WithTimeout(bg, loop, 0, called).Wait(bg); err != promise.ErrTimeout {
			t.Errorf("no time: %v", err)
		}
		p = promise.WithTimeout(bg, loop, time.Hour, work)
		synctest.Wait()
		if err := loop.Shutdown(bg); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := result(t, p).Err; err != eventloop.ErrLoopTerminated || context.Cause(inner) != eventloop.ErrLoopTerminated {
			t.Errorf("got %v, cause %v", err, context.Cause(inner))
		}
		if err := result(t, promise.WithTimeout(bg, loop, time.Hour, called)).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("after the loop: %v", err)
		}
	})
}

// Work that rejects because its time is up may be first on the loop; the error is the same.
func TestWorkThatRejectsAfterItsTimeIsATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := beside(t, quietly)
		for range 200 {
			_, err := promise.WithTimeout(bg, loop, time.Second, func(ctx context.Context) intPromise {
				return promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) {
					<-ctx.Done()
					return 0, errOops
				})
			}).Wait(bg)
			if err != promise.ErrTimeout {
				t.Fatalf("got %v", err)
			}
		}
	})
}

func TestALoopWaitsForATimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p intPromise
		onALoop(t, func(loop *eventloop.Loop) {
			pending, _ := promise.WithResolvers[int](loop)
			p = promise.WithTimeout(bg, loop, time.Hour, func(context.Context) intPromise { return pending })
			p.Catch(keep)
		})
		if err := result(t, p).Err; err != promise.ErrTimeout {
			t.Errorf("got %v", err)
		}
	})
}

// attempts makes work that fails at the given moments after its first call, and then succeeds.
func attempts(t *testing.T, loop *eventloop.Loop, failures int) (work func(context.Context) intPromise, at *[]time.Duration) {
	var start time.Time
	at = &[]time.Duration{}
	return func(context.Context) intPromise {
		if !adapter.Of(loop).OnLoop() {
			t.Error("work is not called on the loop")
		}
		if len(*at) == 0 {
			start = time.Now()
		}
		*at = append(*at, time.Since(start))
		if len(*at) <= failures {
			return promise.Reject[int](loop, fmt.Errorf("%w %d", errOops, len(*at)))
		}
		return promise.Resolve(loop, len(*at))
	}, at
}

func TestRetryWaitsByItsPolicy(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	half := func() float64 { return 0.5 }
	for name, c := range map[string]struct {
		policy   promise.RetryPolicy
		failures int
		at       []time.Duration
		ok       bool
	}{
		"zero":            {promise.RetryPolicy{}, 2, []time.Duration{0, 100 * ms, 300 * ms}, true},
		"at once":         {promise.RetryPolicy{}, 0, []time.Duration{0}, true},
		"gives up":        {promise.RetryPolicy{}, 3, []time.Duration{0, 100 * ms, 300 * ms}, false},
		"factor":          {promise.RetryPolicy{Attempts: 4, Delay: s, Factor: 3}, 3, []time.Duration{0, s, 4 * s, 13 * s}, true},
		"constant":        {promise.RetryPolicy{Attempts: 4, Delay: s, Factor: 1}, 3, []time.Duration{0, s, 2 * s, 3 * s}, true},
		"maximum":         {promise.RetryPolicy{Attempts: 4, Delay: 2 * s, MaxDelay: 3 * s}, 3, []time.Duration{0, 2 * s, 5 * s, 8 * s}, true},
		"no delay":        {promise.RetryPolicy{Attempts: 2000, Delay: -1}, 1999, make([]time.Duration, 2000), true},
		"jitter":          {promise.RetryPolicy{Delay: s, Jitter: 1, Rand: half}, 2, []time.Duration{0, s / 2, 3 * s / 2}, true},
		"some jitter":     {promise.RetryPolicy{Delay: s, Jitter: 0.5, Rand: half}, 2, []time.Duration{0, 750 * ms, 2250 * ms}, true},
		"too much jitter": {promise.RetryPolicy{Delay: s, Jitter: 9, Rand: half}, 1, []time.Duration{0, s / 2}, true},
		"no limit":        {promise.RetryPolicy{Attempts: -1, MaxDelay: s}, 5, []time.Duration{0, 100 * ms, 300 * ms, 700 * ms, 1500 * ms, 2500 * ms}, true},
		"predicate": {promise.RetryPolicy{Retryable: func(err error) bool { return err.Error() != "oops 2" }}, 2,
			[]time.Duration{0, 100 * ms}, false},
	} {
		t.Run(name, func(t *testing.T) {
			onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
				work, at := attempts(t, loop, c.failures)
				v, err := promise.Retry(bg, loop, c.policy, work).Wait(bg)
				if ok := err == nil; !slices.Equal(*at, c.at) || ok != c.ok || ok && v != len(c.at) ||
					!ok && err.Error() != fmt.Sprint("oops ", len(c.at)) {
					t.Errorf("got %v, %v after attempts at %v", v, err, *at)
				}
			})
		})
	}
}

func TestRetryWithASeedWaitsTheSameAgain(t *testing.T) {
	var runs [2][]time.Duration
	for i := range runs {
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			work, at := attempts(t, loop, 4)
			policy := promise.RetryPolicy{Attempts: 5, Delay: time.Second, Jitter: 1, Rand: rand.New(rand.NewPCG(1, 2)).Float64}
			if _, err := promise.Retry(bg, loop, policy, work).Wait(bg); err != nil {
				t.Error(err)
			}
			runs[i] = *at
		})
	}
	if !slices.Equal(runs[0], runs[1]) || runs[0][1] == time.Second {
		t.Errorf("attempts at %v and %v", runs[0], runs[1])
	}
}

func TestRetryDoesNotOverflow(t *testing.T) {
	for name, policy := range map[string]promise.RetryPolicy{
		"delay":  {Delay: math.MaxInt64},
		"factor": {Delay: time.Hour, Factor: math.Inf(1), Attempts: 3},
	} {
		onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
			ctx, cancel := context.WithTimeout(bg, 100*365*24*time.Hour)
			defer cancel()
			work, at := attempts(t, loop, 3)
			if _, err := promise.Retry(ctx, loop, policy, work).Wait(bg); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v after attempts at %v", name, err, *at)
			}
		})
	}
}

func TestRetryStopsWithItsContext(t *testing.T) {
	onVirtualTime(t, func(t *testing.T, loop *eventloop.Loop) {
		start := time.Now()
		ctx, cancel := context.WithTimeoutCause(bg, time.Second, errBad)
		defer cancel()
		work, at := attempts(t, loop, 100)
		_, err := promise.Retry(ctx, loop, promise.RetryPolicy{Attempts: -1, Delay: 300 * time.Millisecond}, work).Wait(bg)
		if !endedBy(err, context.DeadlineExceeded, errBad) || !errors.Is(err, errOops) || len(*at) != 3 || time.Since(start) != time.Second {
			t.Errorf("during a delay: %v after %v, attempts at %v", err, time.Since(start), *at)
		}
		if _, err := promise.Retry(ctx, loop, promise.RetryPolicy{}, work).Wait(bg); !endedBy(err, context.DeadlineExceeded, errBad) || len(*at) != 3 {
			t.Errorf("before the first attempt: %v", err)
		}
		ctx, cancel = context.WithTimeoutCause(bg, time.Second, errBad)
		defer cancel()
		for _, own := range []error{errBad, errOops} {
			_, err = promise.Retry(ctx, loop, promise.RetryPolicy{}, func(ctx context.Context) intPromise {
				return promise.Promisify(ctx, loop, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, own })
			}).Wait(bg)
			if !endedBy(err, context.DeadlineExceeded, errBad) || !errors.Is(err, own) {
				t.Errorf("during an attempt: %v", err)
			}
			ctx, cancel = context.WithTimeoutCause(bg, time.Second, errBad)
			defer cancel()
		}
	})
}

func TestRetryDoesNotRepeatMistakes(t *testing.T) {
	loop := beside(t, quietly)
	calls := 0
	for name, work := range map[string]func(context.Context) intPromise{
		"panic": func(context.Context) intPromise { calls++; panic(errOops) },
		"nil":   func(context.Context) intPromise { calls++; return nil },
		"zero":  func(context.Context) intPromise { calls++; return &promise.Promise[int]{} },
	} {
		calls = 0
		_, err := promise.Retry(bg, loop, promise.RetryPolicy{}, work).Wait(bg)
		if calls != 1 || !errors.Is(err, errOops) && err != promise.ErrNilPromise {
			t.Errorf("%s: %d calls, %v", name, calls, err)
		}
	}
	for name, policy := range map[string]promise.RetryPolicy{
		"Retryable": {Retryable: func(error) bool { panic(errBad) }},
		"Rand":      {Jitter: 1, Rand: func() float64 { panic(errBad) }},
	} {
		work, _ := attempts(t, loop, 3)
		if _, err := promise.Retry(bg, loop, policy, work).Wait(bg); !errors.Is(err, errBad) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRetryOnALoopThatShutsDownTellsBothErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(quietly)
		p := promise.Retry(bg, loop, promise.RetryPolicy{}, func(context.Context) intPromise {
			_ = loop.Shutdown(bg) // only begins it
			return promise.Reject[int](loop, errOops)
		})
		if err := loop.Run(bg); err != nil {
			t.Fatal(err)
		}
		if err := result(t, p).Err; !errors.Is(err, errOops) || !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("got %v", err)
		}
		if err := result(t, promise.Retry(bg, loop, promise.RetryPolicy{}, nil2)).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("after the end: %v", err)
		}
	})
}

func nil2(context.Context) intPromise { return nil }
