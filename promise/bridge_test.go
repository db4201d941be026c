package promise_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

var bg = context.Background()

func TestWaitReturnsTheOutcome(t *testing.T) {
	loop := beside(t)
	p, r := promise.WithResolvers[int](loop)
	got := make(chan error, 1)
	go func() {
		v, err := promise.Then(p, addOne).Wait(bg)
		if err == nil && v != 42 {
			err = errors.New("wrong value")
		}
		got <- err
	}()
	r.Resolve(41)
	if err := <-got; err != nil {
		t.Error(err)
	}
	if _, err := promise.Reject[int](loop, errOops).Wait(bg); err != errOops {
		t.Errorf("got %v", err)
	}
}

func TestWaitOnTheLoopReturnsAtOnce(t *testing.T) {
	onALoop(t, func(loop *eventloop.Loop) {
		p, _ := promise.WithResolvers[int](loop)
		if _, err := p.Wait(bg); err != eventloop.ErrOnLoop {
			t.Errorf("pending: got %v", err)
		}
		if v, err := promise.Resolve(loop, 7).Wait(bg); v != 7 || err != nil {
			t.Errorf("settled: got %v, %v", v, err)
		}
	})
}

func TestWaitEndsWithItsContextOrTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New()
		go func() { _ = loop.Run(bg) }()
		p, _ := promise.WithResolvers[int](loop)
		ctx, cancel := context.WithTimeoutCause(bg, time.Hour, errOops)
		defer cancel()
		if _, err := p.Wait(ctx); !endedBy(err, context.DeadlineExceeded, errOops) {
			t.Errorf("got %v", err)
		}
		errs := make(chan error)
		go func() { _, err := p.Wait(bg); errs <- err }()
		synctest.Wait()
		if err := loop.Shutdown(bg); err != nil {
			t.Fatal(err)
		}
		if err := <-errs; err != eventloop.ErrLoopTerminated {
			t.Errorf("got %v", err)
		}
		if _, err := p.Wait(bg); err != eventloop.ErrLoopTerminated {
			t.Errorf("after the end: got %v", err)
		}
	})
}

func TestPromisifyRunsBlockingWorkBesideTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(eventloop.WithAutoExit())
		var got []error
		note := func(err error) (string, error) { got = append(got, err); return "", nil }
		_ = loop.Submit(func() {
			ctx, cancel := context.WithTimeoutCause(bg, time.Minute, errOops)
			p := promise.Promisify(ctx, loop, func(ctx context.Context) (string, error) {
				<-ctx.Done()
				return "", context.Cause(ctx)
			})
			p.Finally(cancel).Catch(note)
			promise.Then(promise.Promisify(bg, loop, func(context.Context) (string, error) {
				time.Sleep(time.Hour)
				return "slept", nil
			}), func(s string) (string, error) { return note(errors.New(s)) })
			promise.Promisify(bg, loop, func(context.Context) (string, error) { panic(errOops) }).Catch(note)
			promise.Promisify(bg, loop, func(context.Context) (string, error) { runtime.Goexit(); return "", nil }).Catch(note)
		})
		start := time.Now()
		if err := loop.Run(bg); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d != time.Hour {
			t.Errorf("the loop ended after %v, though a function was running", d)
		}
		var oops, goexit, slept int
		for _, err := range got {
			switch {
			case errors.Is(err, errOops):
				oops++
			case errors.Is(err, eventloop.ErrGoexit):
				goexit++
			case err.Error() == "slept":
				slept++
			}
		}
		if len(got) != 4 || oops != 2 || goexit != 1 || slept != 1 {
			t.Errorf("got %v", got)
		}
	})
}

func TestTheEndOfTheLoopCancelsPromisifiedWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New()
		go func() { _ = loop.Run(bg) }()
		cause := make(chan error, 1)
		p := promise.Promisify(bg, loop, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return 1, nil
		})
		synctest.Wait()
		if err := loop.Shutdown(bg); err != nil {
			t.Fatal(err)
		}
		if err := <-cause; err != eventloop.ErrLoopTerminated {
			t.Errorf("the context ended with %v", err)
		}
		synctest.Wait()
		if err := result(t, p).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("rejected with %v", err)
		}
		called := false
		late := promise.Promisify(bg, loop, func(context.Context) (int, error) { called = true; return 0, nil })
		if err := result(t, late).Err; err != eventloop.ErrLoopTerminated || called {
			t.Errorf("after the end: rejected with %v, called %v", err, called)
		}
	})
}

func TestChannelDeliversTheOutcomeOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New()
		ch := promise.Resolve(loop, 7).Channel()
		bad := promise.Reject[int](loop, errOops).Channel()
		p, _ := promise.WithResolvers[int](loop)
		never := p.Channel()
		go func() { _ = loop.Run(bg) }()
		if r, ok := <-ch; r.Value != 7 || r.Err != nil || !ok {
			t.Errorf("got %v, %v", r, ok)
		}
		if _, ok := <-ch; ok {
			t.Error("the channel delivered twice")
		}
		if r := <-bad; r.Err != errOops {
			t.Errorf("got %v", r)
		}
		_ = loop.Shutdown(bg)
		if r := <-never; r.Err != eventloop.ErrLoopTerminated {
			t.Errorf("got %v", r)
		}
	})
}

func TestSleepTakesItsTimeOrEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(eventloop.WithAutoExit())
		start := time.Now()
		var slept time.Duration
		var early error
		_ = loop.Submit(func() {
			promise.Then(promise.Sleep(bg, loop, time.Minute), func(struct{}) (int, error) { slept = time.Since(start); return 0, nil })
			ctx, cancel := context.WithCancelCause(bg)
			promise.Sleep(ctx, loop, time.Hour).Catch(func(err error) (struct{}, error) { early = err; return struct{}{}, nil })
			cancel(errOops)
		})
		if err := loop.Run(bg); err != nil {
			t.Fatal(err)
		}
		if slept != time.Minute || !endedBy(early, context.Canceled, errOops) {
			t.Errorf("slept %v, the other ended with %v", slept, early)
		}
		if d := time.Since(start); d != time.Minute {
			t.Errorf("the cancelled timer kept the loop for %v", d)
		}
		if err := result(t, promise.Sleep(bg, loop, 1)).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("after the end: %v", err)
		}
	})
}
