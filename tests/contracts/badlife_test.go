package contracts_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

// The tests of this file take the steps of a loop's life in an order that makes no sense.

func TestRunTwice(t *testing.T) {
	l := eventloop.New()
	result := testkit.Launch(l)
	testkit.On(t, l, func() {
		if err := l.Run(context.Background()); !errors.Is(err, eventloop.ErrLoopRunning) {
			t.Errorf("Run inside a callback: %v", err)
		}
	})
	if err := l.Run(context.Background()); !errors.Is(err, eventloop.ErrLoopRunning) {
		t.Errorf("Run while running: %v", err)
	}
	testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
	testkit.Must(t, testkit.Await(t, "Run", result))
	if err := l.Run(context.Background()); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("Run after the end: %v", err)
	}
}

// refusals returns the error of each method once the loop refuses work.
func refusals(l *eventloop.Loop) map[string]error {
	nothing := func() {}
	_, keep := l.KeepAlive()
	_, timer := l.ScheduleTimer(0, nothing)
	_, repeating := l.ScheduleRepeating(1, nothing)
	return map[string]error{
		"Submit":            l.Submit(nothing),
		"ScheduleImmediate": l.ScheduleImmediate(nothing),
		"ScheduleTimer":     timer,
		"ScheduleRepeating": repeating,
		"KeepAlive":         keep,
	}
}

// endRefusals adds the methods that are open until the very end.
func endRefusals(l *eventloop.Loop) map[string]error {
	nothing := func() {}
	all := refusals(l)
	all["SubmitInternal"] = l.SubmitInternal(nothing)
	all["ScheduleMicrotask"] = l.ScheduleMicrotask(nothing)
	all["EnqueueJob"] = adapter.Of(l).EnqueueJob(jobFunc(nothing))
	all["NextTick"] = l.NextTick(nothing)
	return all
}

func expectRefused(t *testing.T, when string, errs map[string]error) {
	t.Helper()
	for name, err := range errs {
		if !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("%s %s: %v, want ErrLoopTerminated", name, when, err)
		}
	}
}

func TestEverythingIsRefusedAfterTheEnd(t *testing.T) {
	for name, end := range map[string]func(*eventloop.Loop) error{
		"Shutdown": func(l *eventloop.Loop) error { return l.Shutdown(context.Background()) },
		"Close":    (*eventloop.Loop).Close,
	} {
		l := eventloop.New()
		h := testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(testkit.Patience, func() {}))
		result := testkit.Launch(l)
		testkit.On(t, l, func() {}) // it runs
		testkit.Must(t, end(l))
		testkit.Await(t, "Run", result)
		expectRefused(t, "after "+name, endRefusals(l))
		if err := l.Do(context.Background(), func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("Do after %s: %v", name, err)
		}
		if err := h.Reset(0); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("Reset after %s: %v", name, err)
		}
		if err := l.Close(); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("Close after %s: %v", name, err)
		}
		testkit.Must(t, l.Shutdown(testkit.Ended())) // there is nothing left to wait for
		h.Unref()
		h.Ref()
		h.Stop()
		l.CancelTimer(h)
		if adapter.Of(l).OnLoop() {
			t.Error("OnLoop after the end")
		}
	}
}

func TestCloseInsideACallbackMakesItTheLast(t *testing.T) {
	var log testkit.Journal
	l := eventloop.New()
	testkit.Must(t, l.Submit(func() {
		testkit.Must(t, l.ScheduleMicrotask(log.Does("micro")))
		testkit.Must(t, l.NextTick(log.Does("tick")))
		testkit.Must(t, l.Close())
		if err := l.Close(); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("second Close: %v", err)
		}
		if err := l.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrOnLoop) {
			t.Errorf("Shutdown after Close in a callback: %v", err)
		}
		expectRefused(t, "after Close", endRefusals(l))
		if _, err := adapter.Of(l).ScheduleTimer(0, log.Does("timer")); !errors.Is(err, eventloop.ErrLoopTerminated) {
			t.Errorf("Owner.ScheduleTimer after Close: %v", err)
		}
		log.Say("callback")
	}))
	testkit.Must(t, l.Submit(log.Does("next")))
	testkit.Must(t, l.ScheduleImmediate(log.Does("immediate")))
	testkit.Scheduled[eventloop.Timer](t)(l.ScheduleTimer(testkit.Patience, log.Does("timer")))
	err := l.Run(testkit.Bounded(t))
	if !errors.Is(err, eventloop.ErrLoopClosed) {
		t.Fatalf("Run: %v", err)
	}
	want := eventloop.Dropped{External: 1, Immediates: 1, Ticks: 1, Microtasks: 1, Timers: 1}
	if l.Dropped() != want || want.Callbacks() != 4 {
		t.Errorf("dropped %+v, want %+v", l.Dropped(), want)
	}
	log.Expect(t, "callback")
	if msg := err.Error(); msg != "eventloop: loop closed, dropping 4 accepted callbacks and 1 pending timers" {
		t.Errorf("message %q", msg)
	}
}

func TestCloseBeforeRun(t *testing.T) {
	l := eventloop.New()
	testkit.Must(t, l.Submit(func() { t.Error("ran") }))
	testkit.Must(t, l.Close())
	testkit.Await(t, "Done", l.Done())
	if err := l.Close(); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("second Close: %v", err)
	}
	testkit.Must(t, l.Shutdown(testkit.Ended()))
	if err := l.Run(testkit.Bounded(t)); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("Run: %v", err)
	}
	if d, want := l.Dropped(), (eventloop.Dropped{External: 1}); d != want {
		t.Errorf("dropped %+v, want %+v", d, want)
	}
}

func TestShutdownBeforeRunIsKept(t *testing.T) {
	var log testkit.Journal
	l := eventloop.New()
	testkit.Must(t, l.Submit(log.Does("accepted")))
	for range 2 {
		if err := l.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrLoopNotRunning) {
			t.Errorf("Shutdown before Run: %v", err)
		}
	}
	expectRefused(t, "after Shutdown", refusals(l))
	if _, err := adapter.Of(l).ScheduleTimer(0, log.Does("timer")); !errors.Is(err, eventloop.ErrLoopTerminated) {
		t.Errorf("Owner.ScheduleTimer after Shutdown: %v", err)
	}
	testkit.Must(t, l.SubmitInternal(log.Does("internal"))) // still open
	testkit.Must(t, l.Run(testkit.Bounded(t)))
	log.Expect(t, "internal accepted")
	testkit.Must(t, l.Shutdown(testkit.Ended()))
}

// Programs usually call go l.Run(ctx) and Shutdown at once, and the goroutine may be late.
func TestShutdownWaitsForARunThatIsAboutToBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log testkit.Journal
		l := eventloop.New()
		testkit.Must(t, l.Submit(log.Does("accepted")))
		result := make(chan error, 1)
		go func() {
			time.Sleep(500 * time.Millisecond)
			result <- l.Run(context.Background())
		}()
		testkit.Must(t, l.Shutdown(context.Background()))
		testkit.Must(t, <-result)
		log.Expect(t, "accepted")
	})
}

func TestShutdownBeforeRunHeedsItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		if err := l.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Shutdown: %v", err)
		}
	})
}

func TestCloseCutsAShutdownBeforeRunShort(t *testing.T) {
	l := eventloop.New()
	testkit.Must(t, l.Submit(func() { t.Error("ran") }))
	if err := l.Shutdown(context.Background()); !errors.Is(err, eventloop.ErrLoopNotRunning) {
		t.Errorf("Shutdown before Run: %v", err)
	}
	testkit.Must(t, l.Close())
	testkit.Await(t, "Done", l.Done())
	if d := l.Dropped(); d.External != 1 {
		t.Errorf("dropped %+v", d)
	}
}

func TestShutdownWhoseContextEndsGoesOn(t *testing.T) {
	l := eventloop.New()
	entered, release := make(chan struct{}), make(chan struct{})
	testkit.Must(t, l.Submit(func() { close(entered); <-release }))
	result := testkit.Launch(l)
	testkit.Await(t, "the callback", entered)
	cause := errors.New("no testkit.Patience")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	if err := l.Shutdown(ctx); !errors.Is(err, cause) {
		t.Errorf("Shutdown: %v, want the cause", err)
	}
	expectRefused(t, "after Shutdown", refusals(l))
	close(release)
	testkit.Must(t, testkit.Await(t, "Run", result))
}

// A context that had ended before Run lets the accepted work drain and gives its cause, every time. That also holds
// for a loop that could have ended for another reason: WithAutoExit and nothing to do.
func TestRunWithAnEndedContextDrainsAndReturnsTheCause(t *testing.T) {
	for _, opts := range [][]eventloop.Option{nil, {eventloop.WithAutoExit()}} {
		for i := range 200 {
			cause := errors.New("ended")
			ctx, cancel := context.WithCancelCause(context.Background())
			cancel(cause)
			l := eventloop.New(opts...)
			ran := false
			if i%2 == 0 {
				testkit.Must(t, l.Submit(func() {
					ran = true
					if err := l.Submit(func() {}); !errors.Is(err, eventloop.ErrLoopTerminated) {
						t.Errorf("Submit: %v", err)
					}
				}))
			}
			if err := l.Run(ctx); !errors.Is(err, cause) {
				t.Fatalf("Run: %v, want the cause", err)
			}
			if ran != (i%2 == 0) {
				t.Fatal("accepted work did not run")
			}
		}
	}
}

func TestContextThatEndsStopsASleepingLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(context.Background())
		l := eventloop.New()
		result := make(chan error, 1)
		go func() { result <- l.Run(ctx) }()
		synctest.Wait()
		cancel(cause)
		if err := <-result; !errors.Is(err, cause) {
			t.Errorf("Run: %v, want the cause", err)
		}
	})
}

// A nil context is a fault of the caller's program, and panics like one everywhere in Go. But it must not leave a
// loop that seems to run, because waiters for its end would wait for ever.
func TestNilContextPanicsAndChangesNothing(t *testing.T) {
	var none context.Context
	for name, call := range map[string]func(*eventloop.Loop) error{
		"Run":      func(l *eventloop.Loop) error { return l.Run(none) },
		"Shutdown": func(l *eventloop.Loop) error { return l.Shutdown(none) },
		"Do":       func(l *eventloop.Loop) error { return l.Do(none, func() { t.Error("ran") }) },
	} {
		l := eventloop.New(eventloop.WithAutoExit())
		ran := false
		if got := panicOf(func() { _ = call(l) }); got == "" {
			t.Errorf("%s(nil) did not panic", name)
		}
		if err := l.Submit(func() { ran = true }); err != nil {
			t.Errorf("Submit after %s(nil): %v", name, err)
		}
		if err := l.Run(testkit.Bounded(t)); err != nil || !ran {
			t.Errorf("after %s(nil), Run: %v, ran: %v", name, err, ran)
		}
	}
}

func panicOf(fn func()) (value string) {
	defer func() {
		if v := recover(); v != nil {
			value = fmt.Sprint(v)
		}
	}()
	fn()
	return ""
}
