package promise_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/promise"
)

var errOops = errors.New("oops")

// endedBy reports whether err matches the error of a context that has ended, and its cause.
func endedBy(err, how, cause error) bool { return errors.Is(err, how) && errors.Is(err, cause) }

func result[T any](t *testing.T, p *promise.Promise[T]) promise.Result[T] {
	t.Helper()
	r, ok := p.Result()
	if !ok {
		t.Fatal("the promise is pending")
	}
	return r
}

func TestAPanicInAHandlerRejectsWithItsValueAndStack(t *testing.T) {
	var p *promise.Promise[int]
	onALoop(t, func(loop *eventloop.Loop) {
		p = promise.Then(promise.Resolve(loop, 1), func(int) (int, error) { panic(errOops) })
		p.Catch(func(error) (int, error) { return 0, nil })
	}, eventloop.WithPanicHandler(func(e *eventloop.PanicError) { t.Errorf("the panic handler got %v", e) }))
	var e *eventloop.PanicError
	err := result(t, p).Err
	if !errors.As(err, &e) || e.Value != errOops || !errors.Is(err, errOops) {
		t.Fatalf("rejected with %v", err)
	}
	if !strings.Contains(string(e.Stack), "TestAPanicInAHandler") {
		t.Errorf("the stack does not show where it panicked:\n%s", e.Stack)
	}
}

func TestEveryKindOfHandlerMayPanic(t *testing.T) {
	onALoop(t, func(loop *eventloop.Loop) {
		ok, bad := promise.Resolve(loop, 1), promise.Reject[int](loop, errOops)
		for name, p := range map[string]*promise.Promise[int]{
			"Then":        promise.Then(ok, func(int) (int, error) { panic("x") }),
			"Catch":       bad.Catch(func(error) (int, error) { panic("x") }),
			"Finally":     ok.Finally(func() { panic("x") }),
			"ThenPromise": promise.ThenPromise(ok, func(int) *promise.Promise[int] { panic("x") }),
			"Try":         promise.Try(loop, func() (int, error) { panic("x") }),
		} {
			p.Catch(func(err error) (int, error) {
				if e := (*eventloop.PanicError)(nil); !errors.As(err, &e) || e.Value != "x" {
					t.Errorf("%s rejected with %v", name, err)
				}
				return 0, nil
			})
		}
	})
}

func TestGoexitInAHandlerRejectsAndTheOtherReactionsRunInOrder(t *testing.T) {
	var log []string
	var gone *promise.Promise[int]
	var r *promise.Promise[int]
	reported := 0
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) { reported++ }))
	_ = loop.Submit(func() {
		p, res := promise.WithResolvers[int](loop)
		add := func(name string) func(int) (int, error) {
			return func(v int) (int, error) { log = append(log, name); return v, nil }
		}
		promise.Then(p, add("a"))
		gone = promise.Then(p, func(int) (int, error) { runtime.Goexit(); return 0, nil })
		gone.Catch(func(err error) (int, error) { log = append(log, "gone"); return 0, nil })
		promise.Then(p, add("b"))
		r = promise.Then(p, func(int) (int, error) { panic(1) })
		r.Catch(func(error) (int, error) { log = append(log, "panicked"); return 0, nil })
		promise.Then(p, add("c"))
		res.Resolve(0)
		_ = loop.ScheduleMicrotask(func() { log = append(log, "x") })
		_ = loop.NextTick(func() { log = append(log, "tick") })
	})
	go func() { _ = loop.Run(context.Background()) }()
	<-loop.Done()
	if want := []string{"tick", "a", "b", "c", "x", "gone", "panicked"}; !slices.Equal(log, want) {
		t.Errorf("got %v, want %v", log, want)
	}
	if err := result(t, gone).Err; !errors.Is(err, eventloop.ErrGoexit) {
		t.Errorf("rejected with %v", err)
	}
	if reported != 1 {
		t.Errorf("the loop reported %d exits of its goroutine, want 1", reported)
	}
}

func TestCloseInAReactionIsTheLastCallback(t *testing.T) {
	ran := 0
	loop := eventloop.New()
	_ = loop.Submit(func() {
		p, r := promise.WithResolvers[int](loop)
		for range 5 {
			promise.Then(p, func(int) (int, error) {
				if ran++; ran == 2 {
					_ = loop.Close()
				}
				return 0, nil
			})
		}
		r.Resolve(1)
	})
	_ = loop.Run(context.Background())
	if ran != 2 {
		t.Errorf("%d reactions ran, want 2", ran)
	}
	// The child of the second was fulfilled and had no reactions; three reactions were left.
	if n := loop.Dropped().Microtasks; n != 3 {
		t.Errorf("%d microtasks were dropped, want 3", n)
	}
}

func TestTheFirstCallOfAResolverWins(t *testing.T) {
	loop := eventloop.New()
	p, r := promise.WithResolvers[int](loop)
	if !r.Resolve(1) || r.Resolve(2) || r.Reject(errOops) || r.Follow(p) {
		t.Error("a later call counted")
	}
	if got := result(t, p); got.Value != 1 || got.Err != nil {
		t.Errorf("got %v", got)
	}
	var zero promise.Resolver[int]
	if zero.Resolve(1) || zero.Reject(nil) || zero.Follow(nil) {
		t.Error("a zero resolver claims to have settled something")
	}
}

func TestRejectingWithNilRejects(t *testing.T) {
	loop := eventloop.New()
	if err := result(t, promise.Reject[int](loop, nil)).Err; err != promise.ErrNilReason {
		t.Errorf("rejected with %v", err)
	}
}

func TestAPromiseThatIsToFollowItselfOrNothingRejects(t *testing.T) {
	var self, none, selfChained, noneChained *promise.Promise[int]
	onALoop(t, func(loop *eventloop.Loop) {
		var r promise.Resolver[int]
		self, r = promise.WithResolvers[int](loop)
		r.Follow(self)
		none, r = promise.WithResolvers[int](loop)
		r.Follow(nil)
		selfChained = promise.ThenPromise(promise.Resolve(loop, 1), func(int) *promise.Promise[int] { return selfChained })
		noneChained = promise.ThenPromise(promise.Resolve(loop, 1), func(int) *promise.Promise[int] { return nil })
		for _, p := range []*promise.Promise[int]{self, none, selfChained, noneChained} {
			p.Catch(func(error) (int, error) { return 0, nil })
		}
	})
	for _, c := range []struct {
		p    *promise.Promise[int]
		want error
	}{{self, promise.ErrSelfResolution}, {selfChained, promise.ErrSelfResolution}, {none, promise.ErrNilPromise}, {noneChained, promise.ErrNilPromise}} {
		if err := result(t, c.p).Err; err != c.want {
			t.Errorf("rejected with %v, want %v", err, c.want)
		}
	}
}

func TestFinallyPassesEitherOutcomeOn(t *testing.T) {
	var good, bad *promise.Promise[int]
	calls := 0
	onALoop(t, func(loop *eventloop.Loop) {
		good = promise.Resolve(loop, 7).Finally(func() { calls++ })
		bad = promise.Reject[int](loop, errOops).Finally(func() { calls++ })
		bad.Catch(func(error) (int, error) { return 0, nil })
	})
	if calls != 2 || result(t, good).Value != 7 || result(t, bad).Err != errOops {
		t.Errorf("%d calls, %v, %v", calls, result(t, good), result(t, bad))
	}
}

func TestSettlingAfterTheLoopHasEndedIsKeptAndRunsNothing(t *testing.T) {
	loop := eventloop.New()
	p, r := promise.WithResolvers[int](loop)
	q, s := promise.WithResolvers[int](loop)
	child := promise.Then(p, func(int) (int, error) { t.Error("a reaction ran"); return 0, nil })
	q.Catch(func(error) (int, error) { t.Error("a reaction ran"); return 0, nil })
	if err := loop.Close(); err != nil {
		t.Fatal(err)
	}
	if !r.Resolve(1) || !s.Reject(errOops) {
		t.Error("the calls did not settle the promises")
	}
	if v, err := p.Wait(context.Background()); v != 1 || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if _, err := q.Wait(context.Background()); err != errOops {
		t.Errorf("got %v", err)
	}
	late := promise.Then(p, func(int) (int, error) { t.Error("a reaction ran"); return 0, nil })
	for _, c := range []*promise.Promise[int]{child, late} {
		if _, err := c.Wait(context.Background()); err != eventloop.ErrLoopTerminated {
			t.Errorf("got %v", err)
		}
	}
}

func TestAPromiseOfAnotherLoopIsFollowed(t *testing.T) {
	here, there := beside(t), beside(t)
	p, r := promise.WithResolvers[int](there)
	q := promise.ThenPromise(promise.Resolve(here, 1), func(int) *promise.Promise[int] { return p })
	all := promise.All(here, promise.Resolve(here, 1), p)
	race := promise.Race(here, p, promise.On(here, p))
	r.Resolve(42)
	ctx := context.Background()
	if v, err := q.Wait(ctx); v != 42 || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := all.Wait(ctx); !slices.Equal(v, []int{1, 42}) || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if v, err := race.Wait(ctx); v != 42 || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	onHere := false
	v, err := promise.Then(promise.On(here, p), func(v int) (int, error) { onHere = adapter.Of(here).OnLoop(); return v, nil }).Wait(ctx)
	if v != 42 || err != nil || !onHere {
		t.Errorf("got %v, %v, on the loop asked for: %v", v, err, onHere)
	}
}

func TestAPromiseOfALoopThatEndsRejectsOnTheOtherLoop(t *testing.T) {
	here, there := beside(t), eventloop.New()
	p, _ := promise.WithResolvers[int](there)
	q := promise.On(here, p)
	if err := there.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := q.Wait(context.Background()); err != eventloop.ErrLoopTerminated {
		t.Errorf("got %v", err)
	}
}

func TestAfterAReactionThatPanicsTheOtherMicrotasksGoOnAheadOfTicks(t *testing.T) {
	const n = 1000
	for _, shared := range []bool{false, true} {
		ran, rejected, reported, tickAt := 0, 0, 0, -1
		onALoop(t, func(loop *eventloop.Loop) {
			p, r := promise.WithResolvers[int](loop)
			for i := range n {
				of := p
				if !shared {
					of = promise.Resolve(loop, 1)
				}
				promise.Then(of, func(int) (int, error) {
					if ran++; i == 0 {
						_ = loop.NextTick(func() { tickAt = ran })
					}
					if i%2 == 0 {
						panic(i)
					}
					return 0, nil
				}).Catch(func(err error) (int, error) {
					var e *eventloop.PanicError
					if errors.As(err, &e) && e.Value == i && len(e.Stack) > 0 {
						rejected++
					}
					return 0, nil
				})
			}
			r.Resolve(1)
		}, eventloop.WithPanicHandler(func(*eventloop.PanicError) { reported++ }))
		if ran != n || rejected != n/2 || reported != 0 || tickAt != n {
			t.Errorf("one promise %v: %d of %d ran, %d of %d rejected with what they panicked with, %d reported, the tick ran after %d",
				shared, ran, n, rejected, n/2, reported, tickAt)
		}
	}
}
