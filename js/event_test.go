package js_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/inside"
	"github.com/eventloop-go/eventloop/js"
)

// on adds a listener that logs.
func (s *script) on(t *js.EventTarget, what string, opts ...js.ListenerOption) *js.Listener {
	return s.listen(t, func(*js.Event) { s.say(what)() }, opts...)
}

func (s *script) listen(t *js.EventTarget, fn func(*js.Event), opts ...js.ListenerOption) *js.Listener {
	l := js.NewListener(fn)
	if err := t.AddEventListener("x", l, opts...); err != nil {
		s.t.Error(err)
	}
	return l
}

// dispatch dispatches an event and reports whether it was not cancelled.
func (s *script) dispatch(t *js.EventTarget, e *js.Event) bool {
	ok, err := t.DispatchEvent(e)
	if err != nil {
		s.t.Error(err)
	}
	return ok
}

// DOM 2.6, add an event listener: a listener with the same type, callback and capture is not added again. 2.9,
// invoke: listeners are called in order of being added, capturing ones first.
func TestListenersAreCalledOnceEachInOrderOfAddingThoseThatCaptureFirst(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		a := s.on(target, "a")
		s.on(target, "b", js.WithCapture())
		s.on(target, "c")
		_ = target.AddEventListener("x", a, js.WithOnce()) // there already, and still not once
		s.dispatch(target, s.NewEvent("x"))
		s.dispatch(target, s.NewEvent("y"))
		_ = target.AddEventListener("x", a, js.WithCapture()) // another one
		s.dispatch(target, s.NewEvent("x"))
	}, "b", "a", "c", "b", "a", "a", "c")
}

// DOM 2.7, removeEventListener: type, callback and capture identify the listener.
func TestListenerIsRemovedByTypeListenerAndCapture(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		a := s.on(target, "a")
		target.RemoveEventListener("x", a, js.WithCapture())
		target.RemoveEventListener("y", a)
		target.RemoveEventListener("x", js.NewListener(func(*js.Event) {}))
		target.RemoveEventListener("x", nil)
		s.dispatch(target, s.NewEvent("x"))
		target.RemoveEventListener("x", a, js.WithOnce(), js.WithPassive())
		s.dispatch(target, s.NewEvent("x"))
		_ = target.AddEventListener("x", a)
		s.dispatch(target, s.NewEvent("x"))
	}, "a", "a")
}

// DOM 2.9, inner invoke: a listener whose removed flag is set is skipped.
func TestListenerRemovedDuringDispatchIsNotCalled(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		var a, b, c, d *js.Listener
		a = s.listen(target, func(*js.Event) {
			s.say("a")()
			for _, l := range []*js.Listener{a, b, c} { // itself and the two that follow
				target.RemoveEventListener("x", l)
			}
		})
		b, c, d = s.on(target, "b"), s.on(target, "c"), s.on(target, "d")
		s.dispatch(target, s.NewEvent("x"))
		target.RemoveEventListener("x", d)
		s.dispatch(target, s.NewEvent("x"))
	}, "a", "d")
}

// DOM 2.9, invoke: the list is copied before its listeners are called.
func TestListenerAddedDuringDispatchWaitsForTheNextEvent(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		s.listen(target, func(*js.Event) { s.say("a")(); s.on(target, "added") }, js.WithOnce())
		s.dispatch(target, s.NewEvent("x"))
		s.dispatch(target, s.NewEvent("x"))
	}, "a", "added")
}

func TestListenerRemovedAndAddedAgainDuringDispatchWaitsForTheNextEvent(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		var b *js.Listener
		s.listen(target, func(*js.Event) {
			target.RemoveEventListener("x", b)
			_ = target.AddEventListener("x", b)
		}, js.WithOnce())
		b = s.on(target, "b")
		s.dispatch(target, s.NewEvent("x"))
		s.say("second")()
		s.dispatch(target, s.NewEvent("x"))
	}, "second", "b")
}

// DOM 2.9: invoke is done twice at the target, each time with a copy of its own.
func TestListenerAddedByOneThatCapturesIsCalledForTheSameEvent(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		s.listen(target, func(*js.Event) {
			s.on(target, "added")
			s.on(target, "added to those that capture", js.WithCapture())
		}, js.WithCapture())
		s.dispatch(target, s.NewEvent("x"))
	}, "added")
}

// DOM 2.9, inner invoke: a listener with once is removed before it is called.
func TestListenerWithOnceIsRemovedBeforeItIsCalled(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		s.listen(target, func(*js.Event) {
			s.say("once")()
			s.dispatch(target, s.NewEvent("x")) // does not come here again
		}, js.WithOnce())
		s.on(target, "other")
		s.dispatch(target, s.NewEvent("x"))
	}, "once", "other", "other")
}

// DOM 2.2: stopImmediatePropagation ends the dispatch; stopPropagation does so between capturing and the rest. Both
// flags are unset afterwards.
func TestPropagationIsStopped(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		s.listen(target, func(e *js.Event) { e.StopPropagation() }, js.WithCapture(), js.WithOnce())
		s.on(target, "captures", js.WithCapture())
		s.listen(target, func(e *js.Event) { s.say("stops")(); e.StopPropagation(); e.StopImmediatePropagation() })
		s.on(target, "never")
		e := s.NewEvent("x")
		s.dispatch(target, e)
		s.say("second")()
		s.dispatch(target, e)
		s.say("third")()
		e.StopPropagation() // before the dispatch: no listener is called
		s.dispatch(target, e)
	}, "captures", "second", "captures", "stops", "third")
}

// DOM 2.2, set the canceled flag: only cancelable events, and not in passive listeners.
func TestPreventDefaultCancelsCancelableEventsOutsidePassiveListeners(t *testing.T) {
	scripted(t, func(s *script) {
		prevent := func(e *js.Event) { e.PreventDefault() }
		for _, c := range []struct {
			name     string
			event    []js.EventOption
			listener []js.ListenerOption
			canceled bool
		}{
			{"cancelable", []js.EventOption{js.WithCancelable()}, nil, true},
			{"not cancelable", nil, nil, false},
			{"passive", []js.EventOption{js.WithCancelable()}, []js.ListenerOption{js.WithPassive()}, false},
		} {
			target, e := s.NewEventTarget(), s.NewEvent("x", c.event...)
			s.listen(target, prevent, c.listener...)
			s.listen(target, func(*js.Event) {})
			if ok := s.dispatch(target, e); ok == c.canceled || e.DefaultPrevented() != c.canceled {
				s.t.Errorf("%s: DispatchEvent says %v, DefaultPrevented %v", c.name, ok, e.DefaultPrevented())
			}
		}
		// The passive flag belongs to the listener in progress.
		target, e := s.NewEventTarget(), s.NewEvent("x", js.WithCancelable())
		s.listen(target, func(*js.Event) {}, js.WithPassive())
		s.listen(target, prevent)
		if s.dispatch(target, e) {
			s.t.Error("the listener behind a passive one could not cancel")
		}
	})
}

// DOM 2.2: the attributes of an event, before, during and after.
func TestEventKnowsItsTargetWhileItIsDispatched(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		time.Sleep(7 * time.Millisecond)
		e := s.NewCustomEvent("x", 42)
		check := func(when string, target, current *js.EventTarget, phase js.EventPhase) {
			if e.Target() != target || e.CurrentTarget() != current || e.EventPhase() != phase {
				s.t.Errorf("%s: target %p, current target %p, phase %d", when, e.Target(), e.CurrentTarget(), e.EventPhase())
			}
		}
		check("before", nil, nil, js.PhaseNone)
		s.listen(target, func(*js.Event) { check("during", target, target, js.PhaseAtTarget) })
		s.dispatch(target, e)
		check("after", target, nil, js.PhaseNone)
		if e.Type() != "x" || e.Detail() != 42 || e.TimeStamp() != 7 || e.Cancelable() || e.IsTrusted() {
			s.t.Errorf("%q, detail %v, made at %v ms, cancelable %v, trusted %v", e.Type(), e.Detail(), e.TimeStamp(), e.Cancelable(), e.IsTrusted())
		}
	})
}

// DOM 2.7, dispatchEvent: InvalidStateError if the dispatch flag is set.
func TestEventThatIsBeingDispatchedIsNotDispatchedAgain(t *testing.T) {
	scripted(t, func(s *script) {
		target := s.NewEventTarget()
		s.listen(target, func(e *js.Event) {
			for _, other := range []*js.EventTarget{target, s.NewEventTarget()} {
				if _, err := other.DispatchEvent(e); !errors.Is(err, js.ErrInvalidState) {
					s.t.Errorf("got %v, want an InvalidStateError", err)
				}
			}
			s.dispatch(target, s.NewEvent("y")) // another event may be
			if e.EventPhase() != js.PhaseAtTarget {
				s.t.Error("the refused dispatch has reset the event")
			}
			s.say("called")()
		})
		e := s.NewEvent("x")
		s.dispatch(target, e)
		s.dispatch(target, e) // it is over
	}, "called", "called")
}

func TestBadArgumentsOfEventTargetsGetErrors(t *testing.T) {
	env := js.New(eventloop.New())
	target := env.NewEventTarget()
	for _, l := range []*js.Listener{nil, {}, js.NewListener(nil)} {
		if err := target.AddEventListener("x", l); !errors.Is(err, inside.ErrNilCallback) {
			t.Errorf("listener %v: %v", l, err)
		}
	}
	if _, err := target.DispatchEvent(nil); !errors.Is(err, js.ErrType) {
		t.Errorf("a nil event: %v", err)
	}
	var zero js.EventTarget
	if _, err := zero.DispatchEvent(env.NewEvent("x")); !errors.Is(err, js.ErrInvalidState) {
		t.Errorf("a zero target: %v", err)
	}
}

// DOM 2.9, inner invoke: an exception is reported, and the next listener called.
func TestPanicOfAListenerIsReportedAndStopsNoOther(t *testing.T) {
	var reports []*eventloop.PanicError
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(e *eventloop.PanicError) { reports = append(reports, e) }))
	env := js.New(loop)
	s := &script{Env: env, t: t}
	_ = loop.Submit(func() {
		target := env.NewEventTarget()
		s.listen(target, func(*js.Event) {
			_ = env.QueueMicrotask(s.say("microtask"))
			panicInListener()
		})
		s.on(target, "next")
		s.dispatch(target, env.NewEvent("x"))
		if len(reports) != 1 || reports[0].Value != "boom" || !strings.Contains(string(reports[0].Stack), "panicInListener") {
			t.Errorf("reported %v", reports)
		}
		s.say("dispatched")()
	})
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(s.log, " "), "next dispatched microtask"; got != want || len(reports) != 1 {
		t.Errorf("%q with %d reports, want %q with 1", got, len(reports), want)
	}
}

func panicInListener() { panic("boom") }

func TestGoexitOfAListenerStopsNoOther(t *testing.T) {
	loop := eventloop.New(eventloop.WithAutoExit(), eventloop.WithPanicHandler(func(*eventloop.PanicError) {}))
	s := &script{Env: js.New(loop), t: t}
	target, e := s.NewEventTarget(), s.NewEvent("x")
	s.on(target, "first", js.WithCapture())
	s.listen(target, func(*js.Event) { runtime.Goexit() }, js.WithCapture(), js.WithPassive())
	s.on(target, "captures", js.WithCapture())
	s.on(target, "last")
	_ = loop.Submit(func() { s.dispatch(target, e); t.Error("the caller went on") })
	_ = loop.Submit(func() {
		if e.EventPhase() != js.PhaseNone || e.CurrentTarget() != nil {
			t.Error("the event is still being dispatched")
		}
		s.say("next task")()
	})
	go func() { _ = loop.Run(context.Background()) }()
	<-loop.Done()
	if got, want := strings.Join(s.log, ", "), "first, captures, last, next task"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// DOM 2.7, addEventListener with a signal: nothing is added when it has aborted, and abort removes the listener.
func TestSignalRemovesListener(t *testing.T) {
	scripted(t, func(s *script) {
		target, c := s.NewEventTarget(), s.NewAbortController()
		s.on(target, "a", js.WithSignal(c.Signal()))
		s.on(target, "b", js.WithSignal(nil))
		s.listen(target, func(*js.Event) { _ = c.Abort(nil) }, js.WithSignal(c.Signal()))
		s.on(target, "removed during dispatch", js.WithSignal(c.Signal()))
		s.dispatch(target, s.NewEvent("x"))
		s.on(target, "never added", js.WithSignal(c.Signal()))
		s.dispatch(target, s.NewEvent("x"))
	}, "a", "b", "b")
}

// A listener that removes itself in the middle of the signal's own event shares one lock with that.
func TestSignalRemovesItsOwnListener(t *testing.T) {
	scripted(t, func(s *script) {
		c := s.NewAbortController()
		if err := c.Signal().AddEventListener("abort", js.NewListener(func(*js.Event) { s.say("called")() }), js.WithSignal(c.Signal())); err != nil {
			s.t.Error(err)
		}
		_ = c.Abort(nil)
	})
}

// Reference: all listeners that stay are called for every event, however others come and go meanwhile.
func TestListenersComeAndGoOnAnyGoroutineWhileEventsAreDispatched(t *testing.T) {
	const events, goroutines = 300, 4
	loop := eventloop.New()
	env := js.New(loop)
	target := env.NewEventTarget()
	calls := [3]int{}
	for i := range calls {
		_ = target.AddEventListener("x", js.NewListener(func(*js.Event) { calls[i]++ }))
	}
	var ending sync.WaitGroup
	stop := make(chan struct{})
	for range goroutines {
		ending.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				c := env.NewAbortController()
				l := js.NewListener(func(*js.Event) {})
				_ = target.AddEventListener("x", l, js.WithSignal(c.Signal()))
				_ = target.AddEventListener("x", js.NewListener(func(*js.Event) {}), js.WithOnce(), js.WithSignal(c.Signal()))
				target.RemoveEventListener("x", l)
				_ = c.Abort(nil)
			}
		})
	}
	for range events {
		_ = loop.Submit(func() { _, _ = target.DispatchEvent(env.NewEvent("x")) })
	}
	go func() { _ = loop.Run(context.Background()) }()
	if err := loop.Shutdown(context.Background()); err != nil {
		t.Fatal(err)
	}
	close(stop)
	ending.Wait()
	if calls != [3]int{events, events, events} {
		t.Errorf("called %v times, want %d each", calls, events)
	}
}

// However often a listener is removed at once, that takes no other with it.
func TestListenerRemovedByTwoGoroutinesLeavesTheOthers(t *testing.T) {
	scripted(t, func(s *script) {
		for range 2000 {
			target, c, calls := s.NewEventTarget(), s.NewAbortController(), 0
			count := func(*js.Event) { calls++ }
			s.listen(target, count)
			l := s.listen(target, count, js.WithSignal(c.Signal()))
			s.listen(target, count)
			var removing sync.WaitGroup
			removing.Go(func() { target.RemoveEventListener("x", l) })
			removing.Go(func() { target.RemoveEventListener("x", l) })
			removing.Go(func() { _ = c.Abort(nil) })
			removing.Wait()
			if s.dispatch(target, s.NewEvent("x")); calls != 2 {
				s.t.Fatalf("%d listeners are left, want 2", calls)
			}
		}
	})
}

func TestExceptionsAreToldApartByName(t *testing.T) {
	err := error(&js.Exception{Name: "SyntaxError", Message: "other words"})
	if !errors.Is(err, js.ErrSyntax) || errors.Is(err, js.ErrType) || errors.Is(err, context.Canceled) || err.Error() != "SyntaxError: other words" {
		t.Errorf("%v is not what it should be", err)
	}
}
