package promises_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/eventloop-go/eventloop"
	"github.com/eventloop-go/eventloop/internal/leakcheck"
	"github.com/eventloop-go/eventloop/promise"
	"github.com/eventloop-go/eventloop/tournament/promises"
	"github.com/eventloop-go/eventloop/tournament/promises/design"
)

func TestMain(m *testing.M) { leakcheck.Main(m) }

var errOops = errors.New("oops")

// patience bounds the wait for expected events.
const patience = 30 * time.Second

// each runs a test on every design.
func each(t *testing.T, test func(t *testing.T, d design.Design)) {
	for _, d := range promises.All() {
		t.Run(d.Name, func(t *testing.T) { test(t, d) })
	}
}

// newLoop makes a loop on which the product does not log the rejections that tests leave behind.
func newLoop(opts ...eventloop.Option) *eventloop.Loop {
	quiet := func(*promise.Rejection) {}
	return eventloop.New(append(opts, promise.WithUnhandledRejection(quiet))...)
}

// drain runs body as a task, and all that it leads to.
func drain(t *testing.T, d design.Design, body func(loop *eventloop.Loop, e design.Engine)) {
	t.Helper()
	loop := newLoop(eventloop.WithAutoExit())
	if err := loop.Submit(func() { body(loop, d.New(loop)) }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := loop.Run(ctx); err != nil {
		t.Fatal(err)
	}
}

// beside runs a loop on another goroutine until the test ends.
func beside(t *testing.T) *eventloop.Loop {
	t.Helper()
	loop := newLoop()
	ended := make(chan error, 1)
	go func() { ended <- loop.Run(context.Background()) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := loop.Shutdown(ctx); err != nil {
			t.Error(err)
			return
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return loop
}

// do runs fn on the loop, behind all that was queued before.
func do(t *testing.T, loop *eventloop.Loop, fn func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := loop.Do(ctx, fn); err != nil {
		t.Fatal(err)
	}
}
