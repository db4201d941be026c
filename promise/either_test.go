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
			p.Tap(func(s string, err error) { log = append(log, fmt.Sprint(s, " ", err)) }).Catch(func(error) (string, error) { return "", nil })
		}
		note(choose(promise.Resolve(loop, 1), nil))
		note(choose(promise.Reject[int](loop, errOops), nil))
		note(choose(promise.Resolve(loop, 1), errOther)) // not given to the other
	})
	if want := []string{"value 1 <nil>", "error oops <nil>", " other"}; !slices.Equal(log, want) {
		t.Errorf("got %q, want %q", log, want)
	}
}

func TestTapPassesTheOutcomeThrough(t *testing.T) {
	var good, bad, panicked *promise.Promise[int]
	onALoop(t, func(loop *eventloop.Loop) {
		see := func(want int, wantErr error) func(int, error) {
			return func(v int, err error) {
				if v != want || err != wantErr {
					t.Errorf("sees %v, %v", v, err)
				}
			}
		}
		good = promise.Resolve(loop, 7).Tap(see(7, nil))
		bad = promise.Reject[int](loop, errOops).Tap(see(0, errOops))
		panicked = promise.Resolve(loop, 7).Tap(func(int, error) { panic(errOops) })
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
	one, bad := promise.Resolve(loop, 1), promise.Reject[int](loop, errOops)
	for name, p := range map[string]*promise.Promise[int]{
		"ThenElse":     promise.ThenElse(one, func(int) (int, error) { runtime.Goexit(); return 0, nil }, keep),
		"Tap":          one.Tap(func(int, error) { runtime.Goexit() }),
		"CatchPromise": bad.CatchPromise(func(error) *promise.Promise[int] { runtime.Goexit(); return nil }),
	} {
		if _, err := p.Await(bg); !errors.Is(err, eventloop.ErrGoexit) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := loop.Shutdown(bg); err != nil {
		t.Fatal(err)
	}
}

func TestCatchPromiseFollowsAnotherWayToTheValue(t *testing.T) {
	here := beside(t, quietly)
	there := beside(t)
	for name, c := range map[string]struct {
		p    *promise.Promise[int]
		fn   func(error) *promise.Promise[int]
		want promise.Result[int]
	}{
		"fulfilled": {promise.Resolve(here, 1), nil, promise.Result[int]{Value: 1}},
		"rejected": {promise.Reject[int](here, errOops), func(error) *promise.Promise[int] {
			return promise.Resolve(here, 2)
		}, promise.Result[int]{Value: 2}},
		"another loop": {promise.Reject[int](here, errOops), func(error) *promise.Promise[int] {
			return promise.Then(promise.Resolve(there, 2), addOne)
		}, promise.Result[int]{Value: 3}},
		"rejected again": {promise.Reject[int](here, errOops), func(err error) *promise.Promise[int] {
			return promise.Reject[int](here, fmt.Errorf("again: %w", err))
		}, promise.Result[int]{Err: errOops}},
		"nil": {promise.Reject[int](here, errOops), func(err error) *promise.Promise[int] { return nil }, promise.Result[int]{Err: promise.ErrNilPromise}},
	} {
		v, err := c.p.CatchPromise(c.fn).Await(bg)
		if v != c.want.Value || !errors.Is(err, c.want.Err) {
			t.Errorf("%s: got %v, %v", name, v, err)
		}
	}
	var itself *promise.Promise[int]
	if err := here.Do(bg, func() {
		itself = promise.Reject[int](here, errOops).CatchPromise(func(error) *promise.Promise[int] { return itself })
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := itself.Await(bg); err != promise.ErrSelfResolution {
		t.Errorf("itself: %v", err)
	}
}
