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

func TestAwaitReturnsTheOutcome(t *testing.T) {
	loop := beside(t)
	p, r := promise.WithResolvers[int](loop)
	got := make(chan error, 1)
	go func() {
		v, err := promise.Then(p, addOne).Await(bg)
		if err == nil && v != 42 {
			err = errors.New("wrong value")
		}
		got <- err
	}()
	r.Resolve(41)
	if err := <-got; err != nil {
		t.Error(err)
	}
	if _, err := promise.Reject[int](loop, errOops).Await(bg); err != errOops {
		t.Errorf("got %v", err)
	}
}

func TestAwaitOnTheLoopReturnsAtOnce(t *testing.T) {
	onALoop(t, func(loop *eventloop.Loop) {
		p, _ := promise.WithResolvers[int](loop)
		if _, err := p.Await(bg); err != eventloop.ErrOnLoop {
			t.Errorf("pending: got %v", err)
		}
		if v, err := promise.Resolve(loop, 7).Await(bg); v != 7 || err != nil {
			t.Errorf("settled: got %v, %v", v, err)
		}
	})
}

func TestAwaitEndsWithItsContextOrTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New()
		go func() { _ = loop.Run(bg) }()
		p, _ := promise.WithResolvers[int](loop)
		ctx, cancel := context.WithTimeoutCause(bg, time.Hour, errOops)
		defer cancel()
		if _, err := p.Await(ctx); err != errOops {
			t.Errorf("got %v", err)
		}
		errs := make(chan error)
		go func() { _, err := p.Await(bg); errs <- err }()
		synctest.Wait()
		if err := loop.Shutdown(bg); err != nil {
			t.Fatal(err)
		}
		if err := <-errs; err != eventloop.ErrLoopTerminated {
			t.Errorf("got %v", err)
		}
		if _, err := p.Await(bg); err != eventloop.ErrLoopTerminated {
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

func TestAPromiseOfAChannelTakesTheNextValue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New()
		go func() { _ = loop.Run(bg) }()
		ch := make(chan int)
		ctx, cancel := context.WithCancelCause(bg)
		one, two := promise.FromChannel(bg, loop, ch), promise.FromChannel(ctx, loop, make(chan int))
		open := promise.FromChannel(bg, loop, make(chan int))
		ch <- 7
		if v, err := one.Await(bg); v != 7 || err != nil {
			t.Errorf("got %v, %v", v, err)
		}
		close(ch)
		if _, err := promise.FromChannel(bg, loop, ch).Await(bg); err != promise.ErrChannelClosed {
			t.Errorf("closed: got %v", err)
		}
		cancel(errOops)
		if _, err := two.Await(bg); err != errOops {
			t.Errorf("cancelled: got %v", err)
		}
		_ = loop.Shutdown(bg)
		if _, err := open.Await(bg); err != eventloop.ErrLoopTerminated {
			t.Errorf("after the end: got %v", err)
		}
	})
}

func TestContextsAndPromisesEndEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New()
		go func() { _ = loop.Run(bg) }()
		parent, end := context.WithCancelCause(bg)
		p, stop := promise.FromContext[int](parent, loop)
		defer stop()
		ctx, cancel := promise.Context(bg, p)
		defer cancel()
		good, r := promise.WithResolvers[int](loop)
		fulfilled, cancel2 := promise.Context(bg, good)
		defer cancel2()
		given, cancel3 := promise.Context(bg, good)
		pending, _ := promise.WithResolvers[int](loop)
		orphan, cancel4 := promise.Context(bg, pending)
		defer cancel4()
		cancel3()
		if context.Cause(given) != context.Canceled {
			t.Errorf("given up: got %v", context.Cause(given))
		}
		end(errOops)
		<-ctx.Done()
		if context.Cause(ctx) != errOops {
			t.Errorf("rejected: got %v", context.Cause(ctx))
		}
		r.Resolve(1)
		<-fulfilled.Done()
		if context.Cause(fulfilled) != promise.ErrFulfilled {
			t.Errorf("fulfilled: got %v", context.Cause(fulfilled))
		}
		_ = loop.Shutdown(bg)
		<-orphan.Done()
		if context.Cause(orphan) != eventloop.ErrLoopTerminated {
			t.Errorf("ended: got %v", context.Cause(orphan))
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
		if slept != time.Minute || early != errOops {
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

func TestTimeoutEndsTheWaitOrLeavesNoTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(eventloop.WithAutoExit())
		start := time.Now()
		var late, fast *promise.Promise[int]
		_ = loop.Submit(func() {
			p, _ := promise.WithResolvers[int](loop)
			late = promise.Timeout(p, time.Second)
			late.Catch(keep)
			fast = promise.Timeout(promise.Resolve(loop, 7), time.Hour)
		})
		if err := loop.Run(bg); err != nil {
			t.Fatal(err)
		}
		if err := result(t, late).Err; err != promise.ErrTimeout {
			t.Errorf("got %v", err)
		}
		if r := result(t, fast); r.Value != 7 || r.Err != nil {
			t.Errorf("got %v", r)
		}
		if d := time.Since(start); d != time.Second {
			t.Errorf("the loop ended after %v", d)
		}
		if err := result(t, promise.Timeout(promise.Resolve(loop, 1), 1)).Err; err != eventloop.ErrLoopTerminated {
			t.Errorf("after the end: %v", err)
		}
	})
}
