package promise_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

func TestANilPromiseOrAZeroOnePanicsWithAdvice(t *testing.T) {
	loop := eventloop.New()
	type P = *promise.Promise[int]
	for name, use := range map[string]func(P){
		"Loop":        func(p P) { p.Loop() },
		"Result":      func(p P) { p.Result() },
		"Wait":        func(p P) { _, _ = p.Wait(bg) },
		"Channel":     func(p P) { p.Channel() },
		"Then":        func(p P) { promise.Then(p, addOne) },
		"ThenElse":    func(p P) { promise.ThenElse(p, addOne, keep) },
		"ThenPromise": func(p P) { promise.ThenPromise(p, func(int) P { return p }) },
		"Catch":       func(p P) { p.Catch(keep) },
		"Finally":     func(p P) { p.Finally(func() {}) },
		"On":          func(p P) { promise.On(loop, p) },
		"Race":        func(p P) { promise.Race(loop, p) },
		"All":         func(p P) { promise.All(loop, p) },
	} {
		for kind, p := range map[string]P{"nil": nil, "zero": {}} {
			t.Run(name+" of a "+kind+" one", func(t *testing.T) {
				defer func() {
					if s, _ := recover().(string); !strings.Contains(s, "make promises with") {
						t.Errorf("panics with %q", s)
					}
				}()
				use(p)
			})
		}
	}
	t.Run("Dynamic", func(t *testing.T) {
		defer func() {
			if s, _ := recover().(string); !strings.Contains(s, "make promises with") {
				t.Errorf("panics with %q", s)
			}
		}()
		(*promise.Dynamic)(nil).Catch(nil)
	})
}

func TestToFollowAZeroPromiseRejects(t *testing.T) {
	zero := &promise.Promise[int]{}
	onALoop(t, func(loop *eventloop.Loop) {
		one := promise.Resolve(loop, 1)
		follow, r := promise.WithResolvers[int](loop)
		r.Follow(zero)
		for name, p := range map[string]*promise.Promise[int]{
			"ThenPromise": promise.ThenPromise(one, func(int) *promise.Promise[int] { return zero }),
			"Follow":      follow,
			"Dynamic":     promise.Then(promise.ResolveDynamic(loop, zero).Promise(), func(any) (int, error) { return 1, nil }),
			"a handler of Dynamic": promise.Then(promise.ResolveDynamic(loop, 1).Then(func(any) (any, error) {
				return &promise.Dynamic{}, nil
			}, nil).Promise(), func(any) (int, error) { return 1, nil }),
		} {
			called := false
			p.Catch(func(err error) (int, error) {
				called = true
				if err != promise.ErrNilPromise {
					t.Errorf("%s rejects with %v", name, err)
				}
				return 0, nil
			})
			_, _ = loop.ScheduleTimer(time.Nanosecond, func() {
				if !called {
					t.Errorf("%s is pending, or fulfilled", name)
				}
			})
		}
	})
}

func TestTimeoutErrorsAreDeadlineErrors(t *testing.T) {
	var timeout interface{ Timeout() bool }
	if err := promise.ErrTimeout; !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, promise.ErrTimeout) || errors.Is(err, context.Canceled) ||
		!errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("%v", err)
	}
}
