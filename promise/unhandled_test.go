package promise_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/promise"
)

// reports collects a loop's reports of rejections.
type reports struct {
	log  []string
	seen []*promise.Rejection
}

func (r *reports) options() []eventloop.Option {
	return []eventloop.Option{
		promise.WithUnhandledRejection(func(x *promise.Rejection) {
			r.log = append(r.log, "unhandled "+x.Err.Error())
			r.seen = append(r.seen, x)
		}),
	}
}

func (r *reports) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(r.log, want) {
		t.Errorf("got %q, want %q", r.log, want)
	}
}

func keep(error) (int, error) { return 0, nil }

func TestAnUnhandledRejectionIsReportedOnceAfterTheMicrotasks(t *testing.T) {
	var r reports
	onALoop(t, func(loop *eventloop.Loop) {
		promise.Reject[int](loop, errOops)
		promise.Then(promise.Resolve(loop, 1), func(int) (int, error) {
			r.log = append(r.log, "microtask")
			return 0, nil
		})
		_ = loop.Submit(func() { r.log = append(r.log, "next task") })
	}, r.options()...)
	r.want(t, "microtask", "unhandled oops", "next task")
}

func TestARejectionHandledInTheSameCheckpointIsNotReported(t *testing.T) {
	var r reports
	onALoop(t, func(loop *eventloop.Loop) {
		p := promise.Reject[int](loop, errOops)
		promise.Then(promise.Then(promise.Resolve(loop, 1), addOne), func(int) (int, error) {
			p.Catch(keep)
			return 0, nil
		})
	}, r.options()...)
	r.want(t)
}

func TestOnlyTheEndOfAChainIsReported(t *testing.T) {
	var r reports
	onALoop(t, func(loop *eventloop.Loop) {
		p := promise.Reject[int](loop, errOops)
		for range 10 {
			p = promise.Then(p, addOne)
		}
	}, r.options()...)
	r.want(t, "unhandled oops")
}

func TestAnOutcomeThatIsWaitedForInAnyWayIsHandled(t *testing.T) {
	for name, attach := range map[string]func(*promise.Promise[int]){
		"Race": func(p *promise.Promise[int]) {
			promise.Race(p.Loop(), p).Catch(keep)
		},
		"a race that is over": func(p *promise.Promise[int]) {
			promise.Race(p.Loop(), promise.Resolve(p.Loop(), 1), p)
		},
		"Any":        func(p *promise.Promise[int]) { promise.Any(p.Loop(), p).Catch(keep) },
		"AllSettled": func(p *promise.Promise[int]) { promise.AllSettled(p.Loop(), p) },
		"Channel":    func(p *promise.Promise[int]) { p.Channel() },
		"WithTimeout": func(p *promise.Promise[int]) {
			promise.WithTimeout(context.Background(), p.Loop(), time.Hour, func(context.Context) *promise.Promise[int] { return p }).Catch(keep)
		},
		"Follow": func(p *promise.Promise[int]) {
			q, r := promise.WithResolvers[int](p.Loop())
			q.Catch(keep)
			r.Follow(p)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var r reports
			onALoop(t, func(loop *eventloop.Loop) {
				p, res := promise.WithResolvers[int](loop)
				attach(p)
				_ = loop.Submit(func() { res.Reject(errOops) })
			}, r.options()...)
			r.want(t)
		})
	}
}

func TestARejectionFromAnotherGoroutineIsReported(t *testing.T) {
	got := make(chan *promise.Rejection, 1)
	loop := beside(t, promise.WithUnhandledRejection(func(x *promise.Rejection) { got <- x }))
	_, r := promise.WithResolvers[int](loop)
	r.Reject(errOops)
	if x := <-got; x.Err != errOops || x.Stack() != "" {
		t.Errorf("got %v", x)
	}
}

func TestTheCreationStackIsReportedWhenItIsTraced(t *testing.T) {
	promise.TraceCreation(true)
	defer promise.TraceCreation(false)
	var r reports
	onALoop(t, func(loop *eventloop.Loop) {
		promise.Reject[int](loop, errOops)
		promise.Then(promise.Resolve(loop, 1), func(int) (int, error) { return 0, errors.New("then") })
		p, res := promise.WithResolvers[int](loop)
		promise.Then(p, addOne)
		promise.Race(loop, p)
		promise.Then(p, addOne)
		res.Resolve(1)
	}, r.options()...)
	r.want(t, "unhandled oops", "unhandled then")
	for _, x := range r.seen {
		first, _, _ := strings.Cut(x.Stack(), "\n")
		if !strings.Contains(first, "eventloop/promise.") || !strings.Contains(x.Stack(), "TestTheCreationStackIsReported") {
			t.Errorf("stack of %v:\n%s", x.Err, x.Stack())
		}
	}
}

// logged returns a loop's output to the default log while body and its consequences run on it.
func logged(t *testing.T, body func(loop *eventloop.Loop), opts ...eventloop.Option) string {
	var out bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	defer slog.SetDefault(old)
	onALoop(t, body, opts...)
	return out.String()
}

// late leaves a rejection that is handled, twice, after it was reported.
func late(loop *eventloop.Loop) {
	p := promise.Reject[int](loop, errOops)
	_ = loop.Submit(func() {
		p.Catch(keep)
		p.Catch(keep)
	})
}

func TestByDefaultAnUnhandledRejectionIsLoggedAndOnceThatItWasHandledLater(t *testing.T) {
	log := logged(t, late)
	for _, want := range []string{"level=ERROR", "unhandled rejection", "error=oops", "level=WARN", "handled after"} {
		if strings.Count(log, want) != 1+strings.Count(want, "error=oops") {
			t.Errorf("%q is not in the log as often as it should be:\n%s", want, log)
		}
	}
}

func TestWithAFunctionForUnhandledRejectionsNothingIsLogged(t *testing.T) {
	var r reports
	if log := logged(t, late, r.options()...); log != "" {
		t.Errorf("logged: %s", log)
	}
	r.want(t, "unhandled oops")
}

func TestALoggedRejectionTellsThePlaceAndThePanicInALineEach(t *testing.T) {
	promise.TraceCreation(true)
	defer promise.TraceCreation(false)
	log := logged(t, func(loop *eventloop.Loop) {
		promise.Then(promise.Resolve(loop, 1), func(int) (int, error) { panic(errOops) })
	})
	if strings.Count(log, "\n") != 1 || strings.Contains(log, `\n`) || !strings.Contains(log, `error="eventloop: callback panicked: oops"`) ||
		!strings.Contains(log, "unhandled_test.go:") || !strings.Contains(log, `stack="github.com/eventloop-go/eventloop/promise_test.TestALogged`) {
		t.Error(log)
	}
}

func TestAnUnhandledRejectionEndsRunByOption(t *testing.T) {
	loop := eventloop.New(promise.WithUnhandledRejection(promise.EndRun))
	ran := false
	_ = loop.Submit(func() {
		promise.Reject[int](loop, errOops)
		promise.Reject[int](loop, errors.New("the second"))
	})
	_ = loop.Submit(func() { ran = true })
	err := loop.Run(context.Background())
	var r *promise.Rejection
	if !errors.Is(err, errOops) || !errors.As(err, &r) || r.Err != errOops || err.Error() != "promise: unhandled rejection: oops" {
		t.Errorf("got %v", err)
	}
	if !ran {
		t.Error("work that was accepted before has not run")
	}
}

func TestARejectionDuringAShutdownEndsRunWithItUnlessThereIsAReason(t *testing.T) {
	for name, end := range map[string]func(*eventloop.Loop, context.CancelCauseFunc) error{
		"Shutdown": func(loop *eventloop.Loop, _ context.CancelCauseFunc) error {
			_ = loop.Shutdown(context.Background())
			return errOops
		},
		"context": func(_ *eventloop.Loop, cancel context.CancelCauseFunc) error { cancel(errBad); return errBad },
		"Close": func(loop *eventloop.Loop, _ context.CancelCauseFunc) error {
			_ = loop.Close()
			return eventloop.ErrLoopClosed
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			loop := eventloop.New(promise.WithUnhandledRejection(promise.EndRun))
			var want error
			_ = loop.Submit(func() {
				promise.Reject[int](loop, errOops)
				if name != "context" {
					want = end(loop, cancel)
				}
			})
			if name == "context" { // it ends the loop from another goroutine otherwise
				want = end(loop, cancel)
			}
			if err := loop.Run(ctx); !errors.Is(err, want) {
				t.Errorf("got %v, want %v", err, want)
			}
		})
	}
}
