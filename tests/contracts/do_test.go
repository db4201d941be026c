package contracts_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/adapter"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestDoRunsOnTheLoopAndWaits(t *testing.T) {
	l := running(t)
	for range 100 {
		n := 0
		testkit.On(t, l, func() {
			if !adapter.Of(l).OnLoop() {
				t.Error("Do's function is not on the loop")
			}
			n++
		})
		if n != 1 {
			t.Fatalf("Do ran its function %d times", n)
		}
	}
	if adapter.Of(l).OnLoop() {
		t.Error("the test is on the loop")
	}
}

func TestDoInsideACallbackRunsInline(t *testing.T) {
	var log testkit.Journal
	runMain(t, func(l *eventloop.Loop) {
		testkit.Must(t, l.Submit(log.Does("later")))
		testkit.Must(t, l.Do(context.Background(), log.Does("inline")))
		var p *eventloop.PanicError
		if err := l.Do(context.Background(), func() { panic("oops") }); !errors.As(err, &p) || p.Value != "oops" {
			t.Errorf("Do of a function that panics: %v", err)
		}
		log.Say("after")
	})
	log.Expect(t, "inline after later")
}

func TestDoReturnsWhatWentWrong(t *testing.T) {
	var errs heard
	l := eventloop.New(errs.option())
	result := testkit.Launch(l)
	broken := errors.New("broken")
	err := l.Do(testkit.Bounded(t), func() { panic(broken) })
	var p *eventloop.PanicError
	if !errors.As(err, &p) || !errors.Is(err, broken) || len(p.Stack) == 0 {
		t.Errorf("panic(error): %v", err)
	}
	var nilPanic *runtime.PanicNilError
	if err := l.Do(testkit.Bounded(t), func() { panic(nil) }); !errors.As(err, &nilPanic) {
		t.Errorf("panic(nil): %v", err)
	}
	if err := l.Do(testkit.Bounded(t), runtime.Goexit); !errors.Is(err, eventloop.ErrGoexit) {
		t.Errorf("Goexit: %v", err)
	}
	testkit.On(t, l, func() {}) // the loop lives on
	testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
	testkit.Await(t, "Run", result)
	if len(errs) != 1 || !errors.Is(errs[0], eventloop.ErrGoexit) {
		t.Errorf("the handler heard %v, want the Goexit alone: Do reports panics to its caller", errs)
	}
}

func TestDoWithAnEndedContextNeverRuns(t *testing.T) {
	l := running(t)
	for range 2000 {
		if err := l.Do(testkit.Ended(), func() { t.Error("ran") }); !errors.Is(err, context.Canceled) {
			t.Fatalf("Do: %v", err)
		}
	}
	testkit.On(t, l, func() {})
}

// The context ends while the function waits for its turn: either it runs and Do says so, or it never runs.
func TestDoWhoseContextEndsRunsOrDoesNot(t *testing.T) {
	l := running(t)
	ran := make([]bool, 5000)
	outcome := make([]error, len(ran))
	for i := range ran {
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		outcome[i] = l.Do(ctx, func() { ran[i] = true })
		cancel()
	}
	testkit.On(t, l, func() {
		for i, err := range outcome {
			if err == nil && !ran[i] {
				t.Errorf("call %d: no error, and it did not run", i)
			}
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("call %d: %v", i, err)
			}
		}
	})
}

func TestDoIsGivenUpWhileTheLoopIsBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := running(t)
		release := make(chan struct{})
		testkit.Must(t, l.Submit(func() { <-release }))
		cause := errors.New("given up")
		ctx, cancel := context.WithCancelCause(context.Background())
		result := make(chan error, 1)
		go func() { result <- l.Do(ctx, func() { t.Error("ran") }) }()
		synctest.Wait() // until Do waits
		cancel(cause)
		if err := <-result; !errors.Is(err, cause) {
			t.Errorf("Do: %v, want the cause", err)
		}
		close(release)
	})
}

func TestDoEndsWithTheLoop(t *testing.T) {
	const callers = 8
	for range 300 {
		l := eventloop.New()
		result := testkit.Launch(l)
		ran := make([]bool, callers)
		errs := make(chan error, callers)
		for i := range callers {
			go func() {
				err := l.Do(context.Background(), func() { ran[i] = true })
				if (err == nil) != ran[i] {
					t.Errorf("Do: %v, ran: %v", err, ran[i])
				}
				errs <- err
			}()
		}
		testkit.Must(t, l.Close())
		for range callers {
			if err := testkit.Await(t, "Do", errs); err != nil && !errors.Is(err, eventloop.ErrLoopTerminated) {
				t.Errorf("Do: %v", err)
			}
		}
		testkit.Await(t, "Run", result)
	}
}

func TestDoBeforeRunWaits(t *testing.T) {
	l := eventloop.New()
	if err := l.Do(testkit.Ended(), func() { t.Error("ran") }); !errors.Is(err, context.Canceled) {
		t.Errorf("Do before Run: %v", err)
	}
	result := make(chan error, 1)
	go func() { result <- l.Do(context.Background(), func() {}) }()
	run := testkit.Launch(l)
	testkit.Must(t, testkit.Await(t, "Do", result))
	testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
	testkit.Must(t, testkit.Await(t, "Run", run))
}

func TestDoOnTheLoopWithAContextThatHasEndedDoesNotRun(t *testing.T) {
	l := running(t)
	testkit.On(t, l, func() {
		ran := false
		if err := l.Do(testkit.Ended(), func() { ran = true }); !errors.Is(err, context.Canceled) || ran {
			t.Errorf("Do: %v, ran: %v; want the context's error, and not run", err, ran)
		}
	})
}

// A function that Do ran inline does not run again, and Close does not count it as dropped.
func TestDoOnTheLoopRunsOnceHoweverTheLoopEnds(t *testing.T) {
	for name, end := range map[string]func(l *eventloop.Loop){
		"Shutdown": func(l *eventloop.Loop) { _ = l.Shutdown(testkit.Ended()) },
		"Close":    func(l *eventloop.Loop) { _ = l.Close() },
		"both":     func(l *eventloop.Loop) { _ = l.Shutdown(testkit.Ended()); _ = l.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			l := eventloop.New()
			ran := 0
			testkit.Must(t, l.Submit(func() {
				testkit.Must(t, l.Do(testkit.Bounded(t), func() { ran++ }))
				end(l)
				testkit.Must(t, l.Do(testkit.Bounded(t), func() { ran++ })) // inline, though the loop takes no more work
			}))
			testkit.Await(t, "Run", testkit.Launch(l))
			if ran != 2 || l.Dropped() != (eventloop.Dropped{}) {
				t.Errorf("ran %d times, dropped %+v; want 2 and nothing", ran, l.Dropped())
			}
		})
	}
}
