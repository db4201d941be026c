package js_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/js"
)

var errReason = errors.New("the reason")

// onAbort adds a listener for "abort".
func (s *script) onAbort(signal *js.AbortSignal, fn func()) *js.Listener {
	l := js.NewListener(func(*js.Event) { fn() })
	if err := signal.AddEventListener("abort", l); err != nil {
		s.t.Error(err)
	}
	return l
}

func (s *script) abort(c *js.AbortController, reason error) {
	if err := c.Abort(reason); err != nil {
		s.t.Error(err)
	}
}

// DOM 3.2, signal abort: once, with the first reason, which is an AbortError by default.
func TestAbortSetsTheReasonAndCallsListenersOnce(t *testing.T) {
	scripted(t, func(s *script) {
		c := s.NewAbortController()
		signal := c.Signal()
		if signal.Aborted() || signal.Reason() != nil || signal.ThrowIfAborted() != nil {
			s.t.Error("aborted before Abort")
		}
		s.onAbort(signal, func() {
			s.say("aborted")()
			s.abort(c, nil)
		})
		s.abort(c, errReason)
		s.say("returned")()
		s.abort(c, errors.New("another"))
		if !signal.Aborted() || signal.Reason() != errReason || signal.ThrowIfAborted() != errReason {
			s.t.Errorf("aborted %v with %v", signal.Aborted(), signal.Reason())
		}
		s.onAbort(signal, s.say("too late"))
		if d := s.NewAbortController(); d.Abort(nil) != nil || !errors.Is(d.Signal().Reason(), js.ErrAbort) {
			s.t.Errorf("the reason for none is %v", d.Signal().Reason())
		}
	}, "aborted", "returned")
}

// DOM 3.2: the abort event is the user agent's own, and not cancelable. A synthetic one aborts nothing.
func TestAbortEventIsTrusted(t *testing.T) {
	scripted(t, func(s *script) {
		c := s.NewAbortController()
		_ = c.Signal().AddEventListener("abort", js.NewListener(func(e *js.Event) {
			if e.Target() != &c.Signal().EventTarget || e.Cancelable() || e.IsTrusted() != c.Signal().Aborted() {
				s.t.Errorf("target %p, cancelable %v, trusted %v", e.Target(), e.Cancelable(), e.IsTrusted())
			}
			s.say("event")()
		}))
		s.dispatch(&c.Signal().EventTarget, s.NewEvent("abort"))
		s.abort(c, nil)
	}, "event", "event")
}

// DOM 3.2, AbortSignal.abort.
func TestAbortSignalAbortIsBornAborted(t *testing.T) {
	env := js.New(eventloop.New())
	if s := env.AbortSignalAbort(errReason); s.Reason() != errReason {
		t.Errorf("reason %v", s.Reason())
	}
	if s := env.AbortSignalAbort(nil); !s.Aborted() || !errors.Is(s.Reason(), js.ErrAbort) {
		t.Errorf("reason %v", s.Reason())
	}
}

// DOM 3.2, run the abort steps: the algorithms come before the event.
func TestListenersOfASignalAreRemovedBeforeItsOwnEvent(t *testing.T) {
	scripted(t, func(s *script) {
		c, target := s.NewAbortController(), s.NewEventTarget()
		s.onAbort(c.Signal(), func() { s.dispatch(target, s.NewEvent("x")) })
		s.on(target, "never", js.WithSignal(c.Signal()))
		s.abort(c, nil)
	})
}

func TestAbortFromAnotherGoroutineCallsListenersOnTheLoop(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	env := js.New(loop)
	c := env.NewAbortController()
	called := 0
	_ = c.Signal().AddEventListener("abort", js.NewListener(func(*js.Event) {
		if !adapter.Of(loop).OnLoop() {
			t.Error("a listener was called elsewhere")
		}
		called++
	}))
	if err := c.Abort(errReason); err != nil { // before Run, so not on the loop
		t.Fatal(err)
	}
	if c.Signal().Reason() != errReason || called != 0 {
		t.Errorf("reason %v, %d calls", c.Signal().Reason(), called)
	}
	if err := loop.Run(context.Background()); err != nil || called != 1 {
		t.Errorf("%v, %d calls", err, called)
	}
}

func TestAbortAfterTheLoopHasEndedEndsContextsAndTellsThatListenersAreNotCalled(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit())
	env := js.New(loop)
	heard, silent := env.NewAbortController(), env.NewAbortController()
	_ = heard.Signal().AddEventListener("abort", js.NewListener(func(*js.Event) { t.Error("called") }))
	ctx, cancel := heard.Signal().Context(context.Background())
	defer cancel()
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := heard.Abort(errReason); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("got %v, want ErrLoopTerminated", err)
	}
	if !heard.Signal().Aborted() || context.Cause(ctx) != errReason {
		t.Errorf("aborted %v, cause %v", heard.Signal().Aborted(), context.Cause(ctx))
	}
	if err := silent.Abort(nil); err != nil {
		t.Errorf("without listeners: %v", err)
	}
}

func TestAbortDuringAGracefulShutdownIsDelivered(t *testing.T) {
	scripted(t, func(s *script) {
		c := s.NewAbortController()
		s.onAbort(c.Signal(), s.say("aborted"))
		_ = s.Loop().Shutdown(context.Background()) // which cannot wait, on the loop
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.abort(c, nil)
		}()
		<-done
	}, "aborted")
}

func TestOneOfManyAbortsWins(t *testing.T) {
	loop := eventloop.New()
	env := js.New(loop)
	go func() { _ = loop.Run(context.Background()) }()
	for range 200 {
		a, b := env.NewAbortController(), env.NewAbortController()
		either := env.AbortSignalAny(a.Signal(), b.Signal())
		calls := make(chan error, 4)
		for _, s := range []*js.AbortSignal{a.Signal(), either} {
			_ = s.AddEventListener("abort", js.NewListener(func(*js.Event) { calls <- s.Reason() }))
		}
		var aborting sync.WaitGroup
		for i := range 4 {
			aborting.Go(func() { _ = []*js.AbortController{a, b}[i%2].Abort(errReason) })
		}
		aborting.Wait()
		if r := either.Reason(); r != errReason {
			t.Fatalf("reason %v", r)
		}
		for range 2 { // one for each signal
			if r := <-calls; r != errReason {
				t.Fatalf("reason %v", r)
			}
		}
		if err := loop.Do(context.Background(), func() {}); err != nil || len(calls) > 0 {
			t.Fatalf("%v, %d calls too many", err, len(calls))
		}
	}
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestGoexitOfAListenerLeavesTheOtherSignalsTheirEvents(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	s := &script{Env: js.New(loop), t: t}
	c := s.NewAbortController()
	d := s.AbortSignalAny(c.Signal())
	s.onAbort(c.Signal(), runtime.Goexit)
	s.onAbort(c.Signal(), s.say("next"))
	s.onAbort(d, s.say("dependent"))
	_ = loop.Submit(func() { s.abort(c, nil) })
	go func() { _ = loop.Run(context.Background()) }()
	<-loop.Done()
	if got, want := strings.Join(s.log, " "), "next dependent"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// DOM 3.2, AbortSignal.timeout.
func TestTimeoutAbortsWithATimeoutError(t *testing.T) {
	scripted(t, func(s *script) {
		signal, err := s.AbortSignalTimeout(20.9)
		if err != nil {
			s.t.Fatal(err)
		}
		s.onAbort(signal, func() {
			if after := s.after(); after != 20 || !errors.Is(signal.Reason(), js.ErrTimeout) {
				s.t.Errorf("%v after %v ms", signal.Reason(), after)
			}
			s.say("timeout")()
		})
		s.timeout(func() {
			if signal.Aborted() {
				s.t.Error("early")
			}
		}, 19)
		s.timeout(s.say("end"), 30)
	}, "timeout", "end")
}

func TestTimeoutDoesNotKeepTheLoopOpen(t *testing.T) {
	scripted(t, func(s *script) {
		signal, _ := s.AbortSignalTimeout(1000)
		s.onAbort(signal, s.say("never"))
		s.timeout(s.say("end"), 1)
	}, "end")
}

// WebIDL: [EnforceRange] unsigned long long.
func TestTimeoutTakesMillisecondsFromZeroToTheLargestInteger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		env := js.New(eventloop.New())
		for _, ms := range []float64{-1, nan, inf, -inf, 1 << 53} {
			if s, err := env.AbortSignalTimeout(ms); !errors.Is(err, js.ErrRange) || s != nil {
				t.Errorf("%v ms: %v", ms, err)
			}
		}
		for _, ms := range []float64{0, 1 << 31, 1<<53 - 1} { // the second is too long for setTimeout, the last for time.Duration
			s, err := env.AbortSignalTimeout(ms)
			if err != nil || s.Aborted() {
				t.Errorf("%v ms: %v, aborted %v", ms, err, s.Aborted())
			}
		}
	})
	scripted(t, func(s *script) {
		signal, _ := s.AbortSignalTimeout(1 << 31)
		s.timeout(func() {
			if signal.Aborted() {
				s.t.Error("2³¹ ms have become few, as in setTimeout")
			}
		}, 1000)
	})
}

func TestTimeoutOnALoopThatHasEndedIsAnError(t *testing.T) {
	loop := eventloop.New()
	_ = loop.Close()
	if s, err := js.New(loop).AbortSignalTimeout(1); !errors.Is(err, eventloop.ErrLoopTerminated) || s != nil {
		t.Errorf("%v, %v", s, err)
	}
}
