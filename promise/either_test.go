package promise_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// quietly is for promises that are awaited after they may have rejected.
var quietly = promise.WithUnhandledRejection(func(*promise.Rejection) {})

func TestThenElseRunsOneOfTwo(t *testing.T) {
	errOther := errors.New("other")
	var log []string
	onALoop(t, func(loop *eventloop.Loop) {
		choose := func(p *promise.Promise[int], fulfilled error) *promise.Promise[string] {
			return promise.ThenElse(p,
				func(v int) (string, error) { return fmt.Sprint("value ", v), fulfilled },
				func(err error) (string, error) { return "error " + err.Error(), nil })
		}
		note := func(p *promise.Promise[string]) {
			p.Finally(func() {
				r, _ := p.Result()
				log = append(log, fmt.Sprint(r.Value, " ", r.Err))
			}).Catch(func(error) (string, error) { return "", nil })
		}
		note(choose(promise.Resolve(loop, 1), nil))
		note(choose(promise.Reject[int](loop, errOops), nil))
		note(choose(promise.Resolve(loop, 1), errOther)) // not given to the other
	})
	if want := []string{"value 1 <nil>", "error oops <nil>", " other"}; !slices.Equal(log, want) {
		t.Errorf("got %q, want %q", log, want)
	}
}

func TestFinallySeesTheOutcomeAndPassesItOn(t *testing.T) {
	var good, bad, panicked *promise.Promise[int]
	onALoop(t, func(loop *eventloop.Loop) {
		see := func(p *promise.Promise[int], want promise.Result[int]) *promise.Promise[int] {
			return p.Finally(func() {
				if r, ok := p.Result(); !ok || r != want {
					t.Errorf("sees %v, %v", r, ok)
				}
			})
		}
		good = see(promise.Resolve(loop, 7), promise.Result[int]{Value: 7})
		bad = see(promise.Reject[int](loop, errOops), promise.Result[int]{Err: errOops})
		panicked = promise.Resolve(loop, 7).Finally(func() { panic(errOops) })
		for _, p := range []*promise.Promise[int]{bad, panicked} {
			p.Catch(keep)
		}
	})
	if r := result(t, good); r.Value != 7 || r.Err != nil {
		t.Errorf("got %v", r)
	}
	if r := result(t, bad); r.Err != errOops {
		t.Errorf("got %v", r)
	}
	var e *eventloop.PanicError
	if r := result(t, panicked); !errors.As(r.Err, &e) || e.Value != errOops {
		t.Errorf("got %v", r)
	}
}

func TestGoexitInAnyHandlerRejects(t *testing.T) {
	loop := eventloop.New(quietly, eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	go func() { _ = loop.Run(bg) }()
	one := promise.Resolve(loop, 1)
	for name, p := range map[string]*promise.Promise[int]{
		"ThenElse":    promise.ThenElse(one, func(int) (int, error) { runtime.Goexit(); return 0, nil }, keep),
		"Finally":     one.Finally(func() { runtime.Goexit() }),
		"ThenPromise": promise.ThenPromise(one, func(int) *promise.Promise[int] { runtime.Goexit(); return nil }),
	} {
		if _, err := p.Wait(bg); !errors.Is(err, eventloop.ErrGoexit) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := loop.Shutdown(bg); err != nil {
		t.Fatal(err)
	}
}
