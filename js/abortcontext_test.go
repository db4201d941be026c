package js_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/js"
)

func TestContextEndsWithTheReasonOfTheSignal(t *testing.T) {
	c := js.New(eventloop.New()).NewAbortController()
	type key struct{}
	ctx, cancel := c.Signal().Context(context.WithValue(context.Background(), key{}, 42))
	defer cancel()
	if ctx.Err() != nil || ctx.Value(key{}) != 42 {
		t.Errorf("error %v, value %v", ctx.Err(), ctx.Value(key{}))
	}
	_ = c.Abort(errReason)
	if ctx.Err() != context.Canceled || context.Cause(ctx) != errReason {
		t.Errorf("error %v, cause %v", ctx.Err(), context.Cause(ctx))
	}
	late, cancelLate := c.Signal().Context(context.Background())
	defer cancelLate()
	if late.Err() == nil || context.Cause(late) != errReason {
		t.Errorf("of an aborted signal: error %v, cause %v", late.Err(), context.Cause(late))
	}
}

func TestContextEndsWithItsParentOrByCancelAndLeavesTheSignalAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := js.New(eventloop.New()).NewAbortController()
		parent, endParent := context.WithCancelCause(context.Background())
		ctx, cancel := c.Signal().Context(parent)
		defer cancel()
		endParent(errReason)
		if context.Cause(ctx) != errReason {
			t.Errorf("cause %v, want the parent's", context.Cause(ctx))
		}
		other, cancelOther := c.Signal().Context(context.Background())
		cancelOther()
		cancelOther()
		if context.Cause(other) != context.Canceled {
			t.Errorf("cause %v after cancel", context.Cause(other))
		}
		synctest.Wait()
		if c.Signal().Aborted() {
			t.Error("the signal has aborted")
		}
		if err := c.Abort(errors.New("later")); err != nil || context.Cause(ctx) != errReason {
			t.Errorf("%v, cause %v", err, context.Cause(ctx))
		}
	})
}

func TestContextEndsWhileTheLoopIsBusy(t *testing.T) {
	scripted(t, func(s *script) {
		c := s.NewAbortController()
		ctx, cancel := c.Signal().Context(context.Background())
		defer cancel()
		go func() { s.abort(c, errReason) }()
		<-ctx.Done() // the loop is here
	})
}

func TestSignalAbortsWhenItsContextEnds(t *testing.T) {
	scripted(t, func(s *script) {
		deadline, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		cause, end := context.WithCancelCause(context.Background())
		s.timeout(func() { end(errReason) }, 10)
		for ctx, want := range map[context.Context]error{deadline: context.DeadlineExceeded, cause: errReason} {
			signal, _ := s.AbortSignalFromContext(ctx)
			s.onAbort(signal, func() {
				s.say(signal.Reason().Error())()
				if signal.Reason() != want {
					s.t.Errorf("reason %v, want %v", signal.Reason(), want)
				}
			})
		}
		s.timeout(func() {
			cancel()
			if signal, stop := s.AbortSignalFromContext(deadline); signal.Reason() != context.DeadlineExceeded || stop() {
				s.t.Errorf("of a context that has ended: reason %v", signal.Reason())
			}
		}, 20)
	}, context.DeadlineExceeded.Error(), errReason.Error())
}

func TestStoppedSignalDoesNotAbortWithItsContext(t *testing.T) {
	scripted(t, func(s *script) {
		ctx, cancel := context.WithCancel(context.Background())
		signal, stop := s.AbortSignalFromContext(ctx)
		s.onAbort(signal, s.say("never"))
		if !stop() || stop() {
			s.t.Error("the first stop, and only that, stops")
		}
		cancel()
		s.timeout(func() {
			if signal.Aborted() {
				s.t.Error("aborted")
			}
		}, 5)
	})
}

// Others of the test binary may come and go; 2,000 would be seen.
func TestNoGoroutineWaitsForContextsOrSignals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := js.New(eventloop.New())
		parent, end := context.WithCancel(context.Background())
		for range 100 {
			_, cancel := env.NewAbortController().Signal().Context(parent)
			defer cancel()
			env.AbortSignalFromContext(parent)
		}
		before := runtime.NumGoroutine()
		for range 1000 {
			_, cancel := env.NewAbortController().Signal().Context(parent)
			defer cancel()
			env.AbortSignalFromContext(parent)
		}
		if after := runtime.NumGoroutine(); after > before+10 {
			t.Errorf("%d goroutines before, %d after", before, after)
		}
		end()
		synctest.Wait()
	})
}
