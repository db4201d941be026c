package promise_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// settledAs runs make on a loop and returns how the promise that it returns has settled.
func settledAs(t *testing.T, make func(loop *eventloop.Loop) *promise.Dynamic) (value, reason any) {
	t.Helper()
	var d *promise.Dynamic
	onALoop(t, func(loop *eventloop.Loop) {
		d = make(loop)
		d.Catch(func(error) (any, error) { return nil, nil })
	}, eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	r := result(t, d.Promise())
	if r.Err != nil {
		return nil, promise.Reason(r.Err)
	}
	return r.Value, nil
}

func resolvedWith(v any) func(*eventloop.Loop) *promise.Dynamic {
	return func(loop *eventloop.Loop) *promise.Dynamic { return promise.ResolveDynamic(loop, v) }
}

func TestResolvingADynamicPromise(t *testing.T) {
	for _, c := range []struct {
		name          string
		make          func(*eventloop.Loop) *promise.Dynamic
		value, reason any
	}{
		{"with a value", resolvedWith(1), 1, nil},
		{"with an error, which is a value", resolvedWith(errOops), errOops, nil},
		{"with a promise", func(l *eventloop.Loop) *promise.Dynamic {
			d, r := promise.WithDynamicResolver(l)
			r.Resolve(promise.ResolveDynamic(l, 1))
			return d
		}, 1, nil},
		{"with a rejected promise", func(l *eventloop.Loop) *promise.Dynamic {
			d, r := promise.WithDynamicResolver(l)
			r.Resolve(promise.RejectDynamic(l, "no"))
			return d
		}, nil, "no"},
		{"with a typed promise of a promise", func(l *eventloop.Loop) *promise.Dynamic {
			return promise.ResolveDynamic(l, promise.Resolve(l, promise.Resolve(l, 1)))
		}, 1, nil},
		{"with a rejected typed promise", func(l *eventloop.Loop) *promise.Dynamic {
			return promise.ResolveDynamic(l, promise.Reject[string](l, errOops))
		}, nil, errOops},
		{"with itself", func(l *eventloop.Loop) *promise.Dynamic {
			d, r := promise.WithDynamicResolver(l)
			r.Resolve(d)
			return d
		}, nil, promise.ErrSelfResolution},
		{"by a handler, with its own promise", func(l *eventloop.Loop) (d *promise.Dynamic) {
			d = promise.ResolveDynamic(l, 1).Then(func(any) (any, error) { return d, nil }, nil)
			return d
		}, nil, promise.ErrSelfResolution},
		{"with a thenable that resolves with another", resolvedWith(thenableFunc(func(r promise.DynamicResolver) error {
			r.Resolve(thenableFunc(func(r promise.DynamicResolver) error { r.Resolve(1); return nil }))
			return nil
		})), 1, nil},
		{"with a thenable that calls more than once", resolvedWith(thenableFunc(func(r promise.DynamicResolver) error {
			if !r.Resolve(1) || r.Resolve(2) || r.Reject(3) {
				return errors.New("a later call counted")
			}
			return errOops
		})), 1, nil},
		{"with a thenable that rejects, then panics", resolvedWith(thenableFunc(func(r promise.DynamicResolver) error {
			r.Reject("no")
			panic("too late")
		})), nil, "no"},
		{"with a thenable that throws", resolvedWith(thenableFunc(func(promise.DynamicResolver) error {
			return promise.Throw(3)
		})), nil, 3},
		{"with a handler that throws nil", func(l *eventloop.Loop) *promise.Dynamic {
			return promise.ResolveDynamic(l, 1).Then(func(any) (any, error) { return nil, promise.Throw(nil) }, nil)
		}, nil, nil},
		{"finally with a promise that rejects", func(l *eventloop.Loop) *promise.Dynamic {
			return promise.ResolveDynamic(l, 1).Finally(func() (any, error) { return promise.RejectDynamic(l, "no"), nil })
		}, nil, "no"},
		{"finally with an error", func(l *eventloop.Loop) *promise.Dynamic {
			return promise.RejectDynamic(l, 1).Finally(func() (any, error) { return nil, errOops })
		}, nil, errOops},
		{"passing a reason on", func(l *eventloop.Loop) *promise.Dynamic {
			return promise.RejectDynamic(l, 1).Then(func(any) (any, error) { return 2, nil }, nil).Finally(func() (any, error) { return 3, nil })
		}, nil, 1},
		{"recovering", func(l *eventloop.Loop) *promise.Dynamic {
			return promise.RejectDynamic(l, 1).Catch(func(err error) (any, error) { return promise.Reason(err), nil })
		}, 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			value, reason := settledAs(t, c.make)
			if value != c.value || reason != c.reason {
				t.Errorf("value %v, reason %v, want %v, %v", value, reason, c.value, c.reason)
			}
		})
	}
}

func TestAThenableThatPanicsOrExitsRejects(t *testing.T) {
	_, reason := settledAs(t, resolvedWith(thenableFunc(func(promise.DynamicResolver) error { panic(errOops) })))
	if e, ok := reason.(*eventloop.PanicError); !ok || e.Value != errOops {
		t.Errorf("got %v", reason)
	}
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	var d *promise.Dynamic
	_ = loop.Submit(func() {
		d = promise.ResolveDynamic(loop, thenableFunc(func(promise.DynamicResolver) error { runtime.Goexit(); return nil }))
		d.Catch(func(error) (any, error) { return nil, nil })
	})
	go func() { _ = loop.Run(bg) }()
	<-loop.Done()
	if err := result(t, d.Promise()).Err; !errors.Is(err, eventloop.ErrGoexit) {
		t.Errorf("got %v", err)
	}
}

func TestResolveDynamicReturnsAPromiseOfTheSameLoopAsItIs(t *testing.T) {
	here, there := beside(t), beside(t)
	d := promise.ResolveDynamic(here, 1)
	if promise.ResolveDynamic(here, d) != d {
		t.Error("another promise")
	}
	e := promise.ResolveDynamic(there, d)
	if v, err := e.Promise().Wait(bg); v != 1 || err != nil || e.Promise().Loop() != there {
		t.Errorf("got %v, %v", v, err)
	}
}
