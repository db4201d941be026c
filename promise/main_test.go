package promise_test

import (
	"context"
	"testing"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

// onALoop runs body as a task of a loop that ends when nothing is left to do.
func onALoop(t *testing.T, body func(loop *eventloop.Loop), opts ...eventloop.Option) {
	t.Helper()
	loop := eventloop.New(append(opts, eventloop.WithAutoExit())...)
	if err := loop.Submit(func() { body(loop) }); err != nil {
		t.Fatal(err)
	}
	if err := loop.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// beside runs a loop on another goroutine, until the test ends.
func beside(t *testing.T, opts ...eventloop.Option) *eventloop.Loop {
	t.Helper()
	loop := eventloop.New(opts...)
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()
	t.Cleanup(func() {
		if err := loop.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return loop
}
