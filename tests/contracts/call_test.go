package contracts_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/testkit"
)

func TestCallReturnsWhatTheFunctionReturns(t *testing.T) {
	l := running(t)
	broken := errors.New("broken")
	if v, err := eventloop.Call(testkit.Bounded(t), l, func() (string, error) { return "on the loop", nil }); v != "on the loop" || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
	if v, err := eventloop.Call(testkit.Bounded(t), l, func() (int, error) { return 7, broken }); v != 7 || err != broken {
		t.Errorf("got %v, %v", v, err)
	}
	testkit.On(t, l, func() {
		if v, err := eventloop.Call(testkit.Bounded(t), l, func() (int, error) { return 7, nil }); v != 7 || err != nil {
			t.Errorf("inside a callback: %v, %v", v, err)
		}
	})
}

func TestCallReturnsTheErrorsOfDoWithTheZeroValue(t *testing.T) {
	l := running(t)
	var p *eventloop.PanicError
	if v, err := eventloop.Call(testkit.Bounded(t), l, func() (int, error) { panic("oops") }); v != 0 || !errors.As(err, &p) || p.Value != "oops" {
		t.Errorf("panic: %v, %v", v, err)
	}
	if v, err := eventloop.Call[int](testkit.Bounded(t), l, nil); v != 0 || !errors.Is(err, eventloop.ErrInvalid) {
		t.Errorf("nil: %v, %v", v, err)
	}
	if v, err := eventloop.Call(testkit.Bounded(t), &eventloop.Loop{}, func() (int, error) { return 7, nil }); v != 0 || !errors.Is(err, eventloop.ErrInvalid) {
		t.Errorf("zero loop: %v, %v", v, err)
	}
}

// Call ignores a result that comes after its caller has gone. The race detector would report a read.
func TestCallThatIsGivenUpWhileItRunsReturnsTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := eventloop.New()
		go func() { _ = l.Run(context.Background()) }()
		ctx, cancel := context.WithCancelCause(context.Background())
		cause := errors.New("given up")
		proceed := make(chan struct{})
		go func() {
			synctest.Wait()
			cancel(cause)
		}()
		if v, err := eventloop.Call(ctx, l, func() (int, error) { <-proceed; return 7, nil }); v != 0 || !errors.Is(err, cause) {
			t.Errorf("got %v, %v", v, err)
		}
		close(proceed)
		if err := l.Shutdown(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}
