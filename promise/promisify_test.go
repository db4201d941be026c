package promise_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/inspect"
	"github.com/eventloop-go/eventloop/promise"
)

func TestBlockingFunctionsRunWithALimitForEachLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(eventloop.WithAutoExit(), promise.WithBlockingLimit(2))
		start := time.Now()
		var all []*promise.Promise[time.Duration]
		for range 6 {
			all = append(all, promise.Promisify(t.Context(), loop, func(context.Context) (time.Duration, error) {
				time.Sleep(time.Second)
				return time.Since(start), nil
			}))
		}
		other := eventloop.New()
		promise.Promisify(t.Context(), other, func(context.Context) (int, error) { return 0, nil })
		if running, queued := inspect.BlockingCalls(loop); running != 2 || queued != 4 {
			t.Errorf("%d run, %d are queued", running, queued)
		}
		if err := loop.Run(t.Context()); err != nil { // those that are queued keep it open
			t.Fatal(err)
		}
		for i, p := range all {
			if r, _ := p.Result(); r.Value != time.Duration(i/2+1)*time.Second {
				t.Errorf("function %d: %v", i, r)
			}
		}
		if running, queued := inspect.BlockingCalls(loop); running != 0 || queued != 0 {
			t.Errorf("at the end %d run, %d are queued", running, queued)
		}
	})
}

func TestQueuedFunctionIsNotCalledWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reason := errors.New("the reason")
		loop := eventloop.New(eventloop.WithAutoExit(), promise.WithBlockingLimit(1))
		first := promise.Promisify(t.Context(), loop, func(context.Context) (int, error) {
			time.Sleep(time.Minute)
			runtime.Goexit()
			return 0, nil
		})
		first.Catch(func(error) (int, error) { return 0, nil })
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, reason)
		defer cancel()
		ended, end := context.WithCancel(t.Context())
		end()
		var got []error
		for _, ctx := range []context.Context{ctx, ended} {
			p := promise.Promisify(ctx, loop, func(context.Context) (int, error) {
				t.Error("it was called")
				return 0, nil
			})
			p.Catch(func(err error) (int, error) {
				got = append(got, err)
				return 0, nil
			})
		}
		last := promise.Promisify(t.Context(), loop, func(context.Context) (int, error) { return 7, nil })
		if err := loop.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(got) != 2 || !errors.Is(got[0], context.Canceled) || !errors.Is(got[1], context.DeadlineExceeded) || !errors.Is(got[1], reason) {
			t.Errorf("rejected with %v", got)
		}
		if r, ok := last.Result(); !ok || r.Value != 7 {
			t.Errorf("behind them: %v", r)
		}
	})
}

func TestQueuedFunctionIsNotCalledWhenTheLoopHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loop := eventloop.New(promise.WithBlockingLimit(1))
		release := make(chan struct{})
		promise.Promisify(t.Context(), loop, func(context.Context) (int, error) {
			<-release
			return 0, nil
		})
		p := promise.Promisify(t.Context(), loop, func(context.Context) (int, error) {
			t.Error("it was called")
			return 0, nil
		})
		if err := loop.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		close(release)
		synctest.Wait()
		if r, ok := p.Result(); !ok || !errors.Is(r.Err, eventloop.ErrLoopTerminated) {
			t.Errorf("settled %v with %v", ok, r.Err)
		}
	})
}
