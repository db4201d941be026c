package promises_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

// An outcome is the outcome of a promise, as handlers saw it.
type outcome struct {
	value  any
	reason error
	times  int // how often a handler ran
}

// watch fills in the outcome of p.
func watch(e design.Engine, p design.Promise, o *outcome) {
	e.Then(p,
		func(v any) (any, error) { o.value, o.times = v, o.times+1; return nil, nil },
		func(err error) (any, error) { o.reason, o.times = err, o.times+1; return nil, nil })
}

// became runs body and returns the outcome of its promise.
func became(t *testing.T, d design.Design, body func(e design.Engine) design.Promise) outcome {
	t.Helper()
	var o outcome
	drain(t, d, func(_ *eventloop.Loop, e design.Engine) { watch(e, body(e), &o) })
	return o
}

// settledBy makes a promise and lets fn settle it.
func settledBy(fn func(e design.Engine, r design.Resolver)) func(design.Engine) design.Promise {
	return func(e design.Engine) design.Promise {
		p, r := e.Pending()
		fn(e, r)
		return p
	}
}

func TestOutcomes(t *testing.T) {
	fail := func(any) (any, error) { return nil, errOops }
	never := func(any) (any, error) { panic("this handler must not run") }
	neverErr := func(error) (any, error) { panic("this handler must not run") }
	for _, c := range []struct {
		name   string
		make   func(e design.Engine) design.Promise
		value  any
		reason error
	}{
		{"resolved", settledBy(func(_ design.Engine, r design.Resolver) { r.Resolve(7) }), 7, nil},
		{"resolved with nil", settledBy(func(_ design.Engine, r design.Resolver) { r.Resolve(nil) }), nil, nil},
		{"rejected", settledBy(func(_ design.Engine, r design.Resolver) { r.Reject(errOops) }), nil, errOops},
		{"rejected with nil", settledBy(func(_ design.Engine, r design.Resolver) { r.Reject(nil) }), nil, design.ErrNilReason},
		{"settled again", settledBy(func(_ design.Engine, r design.Resolver) {
			if !r.Resolve(1) || r.Resolve(2) || r.Reject(errOops) {
				panic("each call must say whether it decided")
			}
		}), 1, nil},
		{"settled again after a rejection", settledBy(func(_ design.Engine, r design.Resolver) {
			if !r.Reject(errOops) || r.Resolve(2) || r.Reject(nil) {
				panic("each call must say whether it decided")
			}
		}), nil, errOops},
		{"settled again after it follows", settledBy(func(e design.Engine, r design.Resolver) {
			q, rq := e.Pending()
			r.Resolve(q)
			if r.Resolve(2) || r.Reject(errOops) {
				panic("each call must say whether it decided")
			}
			rq.Resolve(3)
		}), 3, nil},
		{"a value passes through", func(e design.Engine) design.Promise {
			return e.Then(e.Then(e.Resolved(5), nil, neverErr), nil, nil)
		}, 5, nil},
		{"a reason passes through", func(e design.Engine) design.Promise {
			return e.Then(e.Then(e.Then(e.Resolved(5), fail, nil), never, nil), nil, nil)
		}, nil, errOops},
		{"a handler recovers", func(e design.Engine) design.Promise {
			return e.Then(e.Then(e.Resolved(5), fail, nil), never, func(err error) (any, error) { return err.Error(), nil })
		}, "oops", nil},
		{"a handler of reasons fails", func(e design.Engine) design.Promise {
			return e.Then(e.Then(e.Resolved(5), fail, nil), never, func(err error) (any, error) { return nil, context.Canceled })
		}, nil, context.Canceled},
		{"a handler returns a rejected promise", func(e design.Engine) design.Promise {
			q, r := e.Pending()
			r.Reject(errOops)
			return e.Then(e.Resolved(1), func(any) (any, error) { return q, nil }, nil)
		}, nil, errOops},
		{"a promise follows one that follows one", settledBy(func(e design.Engine, r design.Resolver) {
			p, rp := e.Pending()
			q, rq := e.Pending()
			r.Resolve(p)
			rp.Resolve(q)
			rq.Resolve(9)
		}), 9, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, d design.Design) {
				o := became(t, d, c.make)
				if o != (outcome{c.value, c.reason, 1}) {
					t.Errorf("%+v, want %v, %v, told once", o, c.value, c.reason)
				}
			})
		})
	}
}

func TestAPromiseResolvedWithItselfRejects(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		o := became(t, d, func(e design.Engine) design.Promise {
			p, r := e.Pending()
			r.Resolve(p)
			return p
		})
		if o.reason == nil || o.times != 1 {
			t.Errorf("%+v", o)
		}
		o = became(t, d, func(e design.Engine) design.Promise {
			var p design.Promise
			p = e.Then(e.Resolved(1), func(any) (any, error) { return p, nil }, nil)
			return p
		})
		if o.reason == nil || o.times != 1 {
			t.Errorf("returned by its handler: %+v", o)
		}
	})
}

func TestAPanicInAHandlerRejectsAndLeavesTheOthersAlone(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		var panicked, after outcome
		drain(t, d, func(_ *eventloop.Loop, e design.Engine) {
			p, r := e.Pending()
			q := e.Then(p, func(any) (any, error) { panic(errOops) }, nil)
			watch(e, p, &after)
			watch(e, q, &panicked)
			r.Resolve(1)
		})
		var pe *eventloop.PanicError
		if !errors.As(panicked.reason, &pe) || pe.Value != errOops || len(pe.Stack) == 0 || panicked.times != 1 || after.times != 1 {
			t.Errorf("%+v, then %+v", panicked, after)
		}
	})
}

func TestGoexitInAHandlerRejectsAndLeavesTheOthersAlone(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		loop := newLoop(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
		var exited, again, after outcome
		_ = loop.Submit(func() {
			e := d.New(loop)
			p, r := e.Pending()
			exit := func(any) (any, error) { runtime.Goexit(); return nil, nil }
			q1, q2 := e.Then(p, exit, nil), e.Then(p, exit, nil)
			watch(e, p, &after)
			watch(e, q1, &exited)
			watch(e, q2, &again)
			r.Resolve(1)
		})
		go func() { _ = loop.Run(context.Background()) }()
		<-loop.Done()
		if !errors.Is(exited.reason, eventloop.ErrGoexit) || !errors.Is(again.reason, eventloop.ErrGoexit) || after.times != 1 {
			t.Errorf("%+v, %+v, then %+v", exited, again, after)
		}
	})
}

func TestRaces(t *testing.T) {
	race := func(fn func(e design.Engine, r []design.Resolver)) func(design.Engine) design.Promise {
		return func(e design.Engine) design.Promise {
			promises, resolvers := make([]design.Promise, 3), make([]design.Resolver, 3)
			for i := range promises {
				promises[i], resolvers[i] = e.Pending()
			}
			w := e.(design.Racer).Race(promises)
			fn(e, resolvers)
			return w
		}
	}
	for _, c := range []struct {
		name   string
		make   func(e design.Engine) design.Promise
		value  any
		reason error
		times  int
	}{
		{"the first to settle wins", race(func(_ design.Engine, r []design.Resolver) {
			r[1].Resolve(1)
			r[0].Resolve(0)
			r[2].Reject(errOops)
		}), 1, nil, 1},
		{"a rejection wins too", race(func(_ design.Engine, r []design.Resolver) {
			r[2].Reject(errOops)
			r[0].Resolve(0)
		}), nil, errOops, 1},
		{"nobody settles", race(func(design.Engine, []design.Resolver) {}), nil, nil, 0},
		{"of nothing", func(e design.Engine) design.Promise { return e.(design.Racer).Race(nil) }, nil, nil, 0},
		{"of settled promises", func(e design.Engine) design.Promise {
			p, _ := e.Pending()
			return e.(design.Racer).Race([]design.Promise{p, e.Resolved(1), e.Resolved(2)})
		}, 1, nil, 1},
		{"of one promise with itself and with reactions", func(e design.Engine) design.Promise {
			p, r := e.Pending()
			e.Then(p, nil, nil)
			w := e.(design.Racer).Race([]design.Promise{p, p})
			e.Then(p, nil, nil)
			r.Resolve(4)
			return w
		}, 4, nil, 1},
		{"of races", func(e design.Engine) design.Promise {
			p, r := e.Pending()
			q, _ := e.Pending()
			racer := e.(design.Racer)
			w := racer.Race([]design.Promise{racer.Race([]design.Promise{q, p}), q})
			r.Resolve(6)
			return w
		}, 6, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, d design.Design) {
				if o := became(t, d, c.make); o != (outcome{c.value, c.reason, c.times}) {
					t.Errorf("%+v, want %v, %v, told %d times", o, c.value, c.reason, c.times)
				}
			})
		})
	}
}

func TestAllGathersTheValuesInTheirOrderOrTheFirstRejection(t *testing.T) {
	each(t, func(t *testing.T, d design.Design) {
		var all, failed, none outcome
		drain(t, d, func(_ *eventloop.Loop, e design.Engine) {
			a, ra := e.Pending()
			b, rb := e.Pending()
			c, rc := e.Pending()
			watch(e, design.All(e, []design.Promise{a, e.Resolved(2), b, a}), &all)
			watch(e, design.All(e, []design.Promise{a, b, c}), &failed)
			watch(e, design.All(e, nil), &none)
			rb.Resolve(3)
			rc.Reject(errOops)
			ra.Resolve(1)
		})
		if v, ok := all.value.([]any); !ok || !slices.Equal(v, []any{1, 2, 3, 1}) || all.times != 1 {
			t.Errorf("all: %+v", all)
		}
		if failed.reason != errOops || failed.times != 1 {
			t.Errorf("with a rejection: %+v", failed)
		}
		if v, ok := none.value.([]any); !ok || len(v) != 0 {
			t.Errorf("of nothing: %+v", none)
		}
	})
}
