package contracts_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

var errReason = errors.New("the reason")

// matches checks that err is all of wanted.
func matches(t *testing.T, what string, err error, wanted ...error) {
	t.Helper()
	for _, want := range wanted {
		if !errors.Is(err, want) {
			t.Errorf("%s: %v does not match %v", what, err, want)
		}
	}
}

func TestErrorsMatchTheErrorOfTheContextAndItsCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		running := func() (*eventloop.Loop, <-chan error) {
			l := eventloop.New()
			return l, testkit.Launch(l)
		}
		withCause := func() context.Context {
			ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, errReason)
			t.Cleanup(cancel)
			return ctx
		}
		past := withCause()
		<-past.Done()

		matches(t, "Run", eventloop.New().Run(withCause()), context.DeadlineExceeded, errReason)
		matches(t, "Run, a context that has ended", eventloop.New().Run(past), context.DeadlineExceeded, errReason)

		l, result := running()
		release := make(chan struct{})
		testkit.Must(t, l.Submit(func() { <-release }))
		matches(t, "Do, a context that has ended", l.Do(past, func() {}), context.DeadlineExceeded, errReason)
		matches(t, "Do", l.Do(withCause(), func() {}), context.DeadlineExceeded, errReason)
		matches(t, "Shutdown, a context that has ended", l.Shutdown(past), context.DeadlineExceeded, errReason)
		matches(t, "Shutdown", l.Shutdown(withCause()), context.DeadlineExceeded, errReason)
		close(release)
		<-result
	})
}

func TestWaitingForALoopThatNobodyRunsSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(context.Background(), time.Second, errReason)
		defer cancel()
		err := eventloop.New().Do(ctx, func() { t.Error("it ran") })
		matches(t, "Do", err, eventloop.ErrLoopNotRunning, context.DeadlineExceeded, errReason)

		short, cancel := context.WithTimeoutCause(context.Background(), time.Millisecond, errReason)
		defer cancel()
		matches(t, "Shutdown", eventloop.New().Shutdown(short), eventloop.ErrLoopNotRunning, context.DeadlineExceeded, errReason)
		if err := eventloop.New().Shutdown(context.Background()); err != eventloop.ErrLoopNotRunning {
			t.Errorf("Shutdown without a limit: %v", err)
		}
		if err := eventloop.New().Do(testkit.Ended(), func() {}); err != context.Canceled {
			t.Errorf("Do that did not wait: %v", err)
		}
	})
}

func TestDoOnALoopThatRunsDoesNotSayThatNobodyRunsIt(t *testing.T) {
	l := eventloop.New()
	result := testkit.Launch(l)
	release := make(chan struct{})
	testkit.Must(t, l.Submit(func() { <-release }))
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	if err := l.Do(ctx, func() {}); err != context.Canceled {
		t.Errorf("Do: %v", err)
	}
	close(release)
	testkit.Must(t, l.Shutdown(testkit.Bounded(t)))
	testkit.Await(t, "Run", result)
}
